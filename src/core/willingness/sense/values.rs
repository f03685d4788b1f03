//! What each signal sees in a message. In a small room where everybody talks with everybody the signals of a crowd
//! fade out and those of taking turns fade in, so that one set of weights serves both.

use super::room::Room;
use super::{Scene, Sense};
use crate::core::address::Called;
use crate::core::chat::{HOUR, MINUTE, Millis};
use crate::core::report::Address;
use crate::core::willingness::{HOUR_SECONDS, Listener, SIGNALS, Signal, fade, logarithmic};

/// What counts only as far as the room is not small.
const OF_CROWDS: [Signal; 45] = [
    Signal::CalledQuestion,
    Signal::CalledLength,
    Signal::CalledAnew,
    Signal::CalledAnswer,
    Signal::CalledPace,
    Signal::Partner,
    Signal::Acquainted,
    Signal::SpokeTo,
    Signal::CalledBefore,
    Signal::AnswersMe,
    Signal::AnswersLast,
    Signal::AnswersCaller,
    Signal::MyConversation,
    Signal::MyPart,
    Signal::LongTalk,
    Signal::OthersTalk,
    Signal::Opens,
    Signal::ContinuesToMe,
    Signal::ContinuesToOther,
    Signal::Pending,
    Signal::Recent,
    Signal::Silent1,
    Signal::Silent2,
    Signal::Silent5,
    Signal::OfLate,
    Signal::Lately,
    Signal::Stranger,
    Signal::Share,
    Signal::NextLine,
    Signal::Lull,
    Signal::Crowd,
    Signal::Pace,
    Signal::StepsIn,
    Signal::StepsInQuestion,
    Signal::Starts,
    Signal::Question,
    Signal::OpenQuestion,
    Signal::Greeting,
    Signal::Length,
    Signal::Brief,
    Signal::Agrees,
    Signal::Personal,
    Signal::YouOther,
    Signal::Run,
    Signal::Newcomer,
];

/// How long a line may be ago for the author to be continuing it.
pub(super) const CONTINUES: Millis = MINUTE;
/// How many words make a message more than a brief one.
const BRIEF: f32 = 3.0;

/// The values of the signals.
pub(super) struct Values {
    /// As they were seen.
    pub seen: [f32; SIGNALS],
    /// As they count in a room of this size.
    pub counting: [f32; SIGNALS],
}

impl Values {
    fn set(&mut self, signal: Signal, value: f32) {
        self.seen[signal as usize] = value;
    }

    fn flag(&mut self, signal: Signal, yes: bool) {
        self.set(signal, f32::from(u8::from(yes)));
    }

    fn of(&self, signal: Signal) -> f32 {
        self.seen[signal as usize]
    }
}

impl Sense {
    /// What every signal sees in a message that is not remembered yet.
    pub(super) fn values(&self, scene: &Scene, listener: &Listener) -> Values {
        let mut values = Values { seen: [0.0; SIGNALS], counting: [0.0; SIGNALS] };
        let (now, author) = (scene.message.at, scene.message.author.id);
        let today = self.people.iter().filter(|person| now - person.heard < 12 * HOUR).count();
        let room = Room::new(&self.links, today, now, author, listener.me);
        self.see_address(&mut values, scene, listener);
        self.see_rhythm(&mut values, scene, &room);
        self.see_message(&mut values, scene);
        self.see_conversation(&mut values, scene, listener);
        self.see_topic(&mut values, scene, listener);
        if scene.address.call.is_some() {
            self.see_call(&mut values, scene);
        }
        if room.small > 0.0 {
            see_turns(&mut values, scene, &room, self.lines_in_a_row(scene));
        }
        values.counting = values.seen;
        for signal in OF_CROWDS {
            values.counting[signal as usize] *= 1.0 - room.small;
        }
        values
    }

    fn see_address(&self, values: &mut Values, scene: &Scene, listener: &Listener) {
        let address = scene.address;
        values.flag(Signal::Mention, address.mention);
        values.flag(Signal::Reply, address.reply);
        values.flag(Signal::Vocative, address.called == Called::Vocative);
        values.flag(Signal::Named, address.called == Called::Named);
        values.flag(Signal::Direct, listener.direct || address.call == Some(Address::Alone));
        values.flag(Signal::FirstCall, self.spoke_at.is_none() && address.call.is_some());
        values.flag(Signal::OtherAddressed, scene.addresses_other());
    }

    /// What somebody who calls the companion wants of it.
    fn see_call(&self, values: &mut Values, scene: &Scene) {
        let now = scene.message.at;
        let author = self.people.iter().find(|person| person.id == scene.message.author.id);
        let partner = author.and_then(|person| person.partner);
        values.set(Signal::CalledAnew, partner.map_or(1.0, |at| logarithmic(now - at, HOUR_SECONDS)));
        for (signal, of) in [
            (Signal::CalledQuestion, Signal::Question),
            (Signal::CalledLength, Signal::Length),
            (Signal::CalledAnswer, Signal::AnswersMe),
            (Signal::CalledPace, Signal::Pace),
        ] {
            values.set(signal, values.of(of));
        }
    }

    fn see_conversation(&self, values: &mut Values, scene: &Scene, listener: &Listener) {
        let Scene { message, named, guess, .. } = *scene;
        let (now, me) = (message.at, listener.me);
        let since = |at: Option<Millis>, lasts: Millis| at.map_or(0.0, |at| fade(now - at, lasts));
        let author = self.people.iter().find(|person| person.id == message.author.id);
        let partner = author.and_then(|person| person.partner);
        values.set(Signal::Partner, since(partner, 2 * MINUTE));
        values.set(Signal::Acquainted, since(partner, 15 * MINUTE));
        values.set(Signal::SpokeTo, author.map_or(0.0, |person| (1.0 + person.spoken_to(now)).ln()));
        values.set(Signal::CalledBefore, since(author.and_then(|person| person.called), 4 * MINUTE));
        values.set(Signal::AnswersMe, guess.mine);
        values.set(Signal::AnswersLast, guess.last);
        values.set(Signal::AnswersCaller, guess.to_me);
        values.set(Signal::MyConversation, guess.joined);
        values.set(Signal::OthersTalk, guess.others);
        values.set(Signal::Opens, guess.opens);
        let (lines, own) = self.links.conversation(guess, me);
        values.set(Signal::MyPart, own / (lines + 1.0));
        values.set(Signal::LongTalk, (1.0 + lines).ln() / 3.0);
        values.flag(Signal::Newcomer, author.is_none());
        let previous = self.links.lines().iter().rev().find(|line| line.author == message.author.id);
        if named.is_empty()
            && let Some(line) = previous.filter(|line| now - line.at <= CONTINUES)
        {
            let unanswered = self.spoke_at.is_none_or(|at| at <= line.at);
            values.flag(Signal::ContinuesToMe, line.to == Some(me) && unanswered);
            values.flag(Signal::ContinuesToOther, line.to.is_some_and(|to| to != me));
        }
        let pending = self.pending.filter(|(by, _)| *by != message.author.id && scene.address.call.is_none());
        values.set(Signal::Pending, since(pending.map(|(_, at)| at), 2 * MINUTE));
    }

    fn see_rhythm(&self, values: &mut Values, scene: &Scene, room: &Room) {
        let now = scene.message.at;
        if let Some(at) = self.spoke_at {
            let silent = (now - at).max(0) / MINUTE;
            values.set(Signal::Recent, 1.0 - logarithmic(now - at, HOUR_SECONDS));
            values.flag(Signal::Silent1, silent == 1);
            values.flag(Signal::Silent2, (2..5).contains(&silent));
            values.flag(Signal::Silent5, (5..15).contains(&silent));
            values.set(Signal::Lately, 1.0 - ((1.0 + self.since as f32).ln() / 101f32.ln()).min(1.0));
            values.flag(Signal::NextLine, self.since == 0);
        }
        values.flag(Signal::Stranger, self.spoke_at.is_none());
        values.set(Signal::Share, room.own_share);
        values.set(Signal::OfLate, room.of_late.min(10.0) / 10.0);
        values.set(Signal::Lull, self.last_at.map_or(1.0, |at| logarithmic(now - at, HOUR_SECONDS)));
        values.set(Signal::Crowd, ((room.speakers - 2.0) / 10.0).clamp(0.0, 1.0));
        values.set(Signal::Pace, ((1.0 + room.per_minute).ln() / 61f32.ln()).min(1.0));
        values.set(Signal::Run, self.lines_in_a_row(scene).min(4) as f32 / 4.0);
        values.set(Signal::StepsIn, self.steps.in_share());
        values.set(Signal::Starts, self.steps.start_share());
        values.set(Signal::Tired, 1.0 - self.energy(now));
        values.set(Signal::Welcome, self.welcome.value(now));
    }

    fn see_message(&self, values: &mut Values, scene: &Scene) {
        let words = scene.words;
        let unaddressed = scene.named.is_empty();
        values.flag(Signal::Question, words.question);
        if (words.question || words.to_all) && unaddressed {
            values.set(Signal::OpenQuestion, if words.to_all { 1.0 } else { scene.guess.opens });
            values.set(Signal::StepsInQuestion, self.steps.in_share());
        }
        values.flag(Signal::Greeting, words.greeting);
        values.flag(Signal::Brief, words.size <= BRIEF);
        values.flag(Signal::Agrees, words.agrees);
        values.flag(Signal::Personal, words.personal);
        values.flag(Signal::YouOther, words.you && scene.addresses_other());
        values.set(Signal::Length, ((1.0 + words.length as f32).ln() / 2_001f32.ln()).min(1.0));
    }

    /// How many lines the author wrote before this one, with nobody between.
    fn lines_in_a_row(&self, scene: &Scene) -> u32 {
        let goes_on = self.links.lines().back().is_some_and(|line| line.author == scene.message.author.id);
        if goes_on { self.run + 1 } else { 0 }
    }

    fn see_topic(&self, values: &mut Values, scene: &Scene, listener: &Listener) {
        let Scene { message, words, .. } = *scene;
        let sought = self.heard.sought(&words.topic);
        let shared = |(at, topic): &(Millis, _)| sought.shared(topic).0 * fade(message.at - at, 20 * MINUTE);
        values.set(Signal::Topic, self.own_topics.iter().map(shared).fold(0.0, f32::max).min(3.0));
        values.set(Signal::Known, sought.share_in(self.cares.as_slices()));
        values.set(Signal::Interest, listener.interests.touched_rarely(words, &message.text, &self.heard));
        values.set(Signal::Dislike, listener.dislikes.touched(words, &message.text));
    }
}

/// Whose turn it is among few people.
fn see_turns(values: &mut Values, scene: &Scene, room: &Room, lines_in_a_row: u32) {
    let flag = |yes: bool| f32::from(u8::from(yes));
    let seen = [
        (Signal::SmallRoom, 1.0),
        (Signal::SmallCalled, flag(scene.address.call.is_some())),
        (Signal::SmallOther, flag(scene.addresses_other())),
        (Signal::SmallShare, room.long_share),
        (Signal::SmallSilence, room.silence),
        (Signal::SmallLongest, flag(room.longest)),
        (Signal::SmallFollows, room.follows),
        (Signal::SmallCutIn, flag(room.cut_in)),
        (Signal::SmallAsked, flag(room.asked)),
        (Signal::SmallQuestion, flag(scene.words.question)),
        (Signal::SmallLength, ((1.0 + scene.words.length as f32).ln() / 2_001f32.ln()).min(1.0)),
        (Signal::SmallRun1, flag(lines_in_a_row == 1)),
        (Signal::SmallRun2, flag(lines_in_a_row == 2)),
    ];
    for (signal, value) in seen {
        values.set(signal, room.small * value);
    }
}
