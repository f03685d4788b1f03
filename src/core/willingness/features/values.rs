//! What each signal sees in a message, and which kind of room it is said in.

use super::recent_activity::RoomFeatures;
use super::signal_values::{SignalValues, flag, scale_length};
use super::talk::{CONTINUES, LastOwnTurn, TalkFeatures, set_burst_signals, set_pause_signals};
use super::{ChannelFeatures, MessageFacts};
use crate::address::NameUse;
use crate::chat::{HOUR, MINUTE, Millis};
use crate::message_shape::DialogueCue;
use crate::report::DirectAddress;
use crate::willingness::{
    AddressMatcher, HOUR_SECONDS, RoomMix, SIGNALS, Signal, exponential_decay,
    scale_logarithmically,
};

/// Up to so many people heard within half a day are a group of friends, and so many more are a crowd.
const FRIENDS: f32 = 10.0;
const CROWD_BEGINS: f32 = 10.0;
/// How many lines it writes for each of whoever writes most, where it talks as much as either of two, and where not.
const EVEN: f32 = 0.7;
const UNEVEN: f32 = 0.5;
/// The most such a room is judged as one of three who take turns: the weights of those know no laughter, thanks or good
/// night, after which a friend lets a talk of two end.
const MOST_TURNS: f32 = 0.5;
/// How many words make a message more than a brief one.
const BRIEF: f32 = 3.0;

impl ChannelFeatures {
    /// What every signal sees in a message that is not remembered yet.
    pub(super) fn compute_values(
        &self,
        facts: &MessageFacts,
        matcher: &AddressMatcher,
    ) -> SignalValues {
        let (now, author) = (facts.at, facts.message.author.id);
        let today = self
            .people
            .iter()
            .filter(|person| facts.message.at - person.heard < 12 * HOUR)
            .count();
        let room = RoomFeatures::new(&self.links, today, now, author, matcher.me);
        let crowd = ((today as f32 - FRIENDS) / CROWD_BEGINS).clamp(0.0, 1.0);
        let turns =
            MOST_TURNS * room.small * ((room.evenness - UNEVEN) / (EVEN - UNEVEN)).clamp(0.0, 1.0);
        let mut values = SignalValues {
            values: [0.0; SIGNALS],
            mix: RoomMix::new(crowd, turns),
        };
        self.set_address_signals(&mut values, facts, matcher);
        self.set_rhythm_signals(&mut values, facts, &room);
        self.set_message_signals(&mut values, facts);
        self.set_conversation_signals(&mut values, facts, matcher);
        self.set_topic_signals(&mut values, facts, matcher);
        self.set_talk_signals(&mut values, facts, matcher);
        if facts.address.call.is_some() {
            self.set_call_signals(&mut values, facts);
        }
        if room.small > 0.0 {
            set_turn_signals(&mut values, facts, &room, self.lines_in_a_row(facts));
        }
        values
    }

    fn set_address_signals(
        &self,
        values: &mut SignalValues,
        facts: &MessageFacts,
        matcher: &AddressMatcher,
    ) {
        let address = facts.address;
        values.set_flag(Signal::Mention, address.mention);
        values.set_flag(Signal::Reply, address.reply);
        values.set_flag(Signal::Vocative, address.called == NameUse::Vocative);
        values.set_flag(Signal::Named, address.called == NameUse::Named);
        values.set_flag(
            Signal::Direct,
            matcher.direct || address.call == Some(DirectAddress::Alone),
        );
        values.set_flag(
            Signal::FirstCall,
            self.spoke_at.is_none() && address.call.is_some(),
        );
        values.set_flag(Signal::OtherAddressed, facts.is_for_other());
    }

    fn set_call_signals(&self, values: &mut SignalValues, facts: &MessageFacts) {
        let now = facts.at;
        let author = self
            .people
            .iter()
            .find(|person| person.id == facts.message.author.id);
        let partner = author.and_then(|person| person.partner);
        values.set(
            Signal::CalledAnew,
            partner.map_or(1.0, |at| scale_logarithmically(now - at, HOUR_SECONDS)),
        );
        for (signal, of) in [
            (Signal::CalledQuestion, Signal::Question),
            (Signal::CalledLength, Signal::Length),
            (Signal::CalledAnswer, Signal::AnswersMe),
            (Signal::CalledPace, Signal::Pace),
        ] {
            values.set(signal, values.get(of));
        }
    }

    fn set_conversation_signals(
        &self,
        values: &mut SignalValues,
        facts: &MessageFacts,
        matcher: &AddressMatcher,
    ) {
        let MessageFacts {
            message,
            named,
            guess,
            at: now,
            ..
        } = *facts;
        let me = matcher.me;
        let since = |at: Option<Millis>, lasts: Millis| {
            at.map_or(0.0, |at| exponential_decay(now - at, lasts))
        };
        let author = self
            .people
            .iter()
            .find(|person| person.id == message.author.id);
        let partner = author.and_then(|person| person.partner);
        values.set(Signal::Partner, since(partner, 2 * MINUTE));
        values.set(Signal::Acquainted, since(partner, 15 * MINUTE));
        values.set(
            Signal::SpokeTo,
            author.map_or(0.0, |person| (1.0 + person.spoken_line_count(now)).ln()),
        );
        values.set(
            Signal::CalledBefore,
            since(author.and_then(|person| person.called), 4 * MINUTE),
        );
        values.set(Signal::AnswersMe, guess.answers_companion);
        values.set(Signal::AnswersLast, guess.answers_last_line);
        values.set(Signal::AnswersCaller, guess.answers_caller);
        values.set(Signal::MyConversation, guess.joined_talk);
        values.set(Signal::Hold, facts.hold);
        values.set(Signal::OthersTalk, guess.others_talk);
        values.set(Signal::Opens, guess.opens);
        let (lines, own) = self.links.count_conversation_lines(guess, me);
        values.set(Signal::MyPart, own / (lines + 1.0));
        values.set(Signal::LongTalk, (1.0 + lines).ln() / 3.0);
        values.set_flag(Signal::Newcomer, author.is_none());
        let previous = self
            .links
            .lines()
            .iter()
            .rev()
            .find(|line| line.author == message.author.id);
        if named.is_empty()
            && let Some(line) = previous.filter(|line| now - line.at <= CONTINUES)
        {
            let unanswered = self.spoke_room_at.is_none_or(|at| at <= line.at);
            values.set_flag(Signal::ContinuesToMe, line.to == Some(me) && unanswered);
            values.set_flag(Signal::ContinuesToOther, line.to.is_some_and(|to| to != me));
        }
        let pending = self
            .pending
            .filter(|(by, _)| *by != message.author.id && facts.address.call.is_none());
        values.set(
            Signal::Pending,
            since(pending.map(|(_, at)| at), 2 * MINUTE),
        );
    }

    fn set_rhythm_signals(
        &self,
        values: &mut SignalValues,
        facts: &MessageFacts,
        room: &RoomFeatures,
    ) {
        let now = facts.at;
        if let Some(at) = self.spoke_room_at {
            let silent = (now - at).max(0) / MINUTE;
            values.set(
                Signal::Recent,
                1.0 - scale_logarithmically(now - at, HOUR_SECONDS),
            );
            values.set_flag(Signal::Silent1, silent == 1);
            values.set_flag(Signal::Silent2, (2..5).contains(&silent));
            values.set_flag(Signal::Silent5, (5..15).contains(&silent));
            values.set(
                Signal::Lately,
                1.0 - ((1.0 + self.since as f32).ln() / 101f32.ln()).min(1.0),
            );
            values.set_flag(Signal::NextLine, self.since == 0);
        }
        values.set_flag(Signal::Stranger, self.spoke_at.is_none());
        values.set(Signal::Share, room.own_share);
        values.set(Signal::OfLate, room.of_late.min(10.0) / 10.0);
        values.set(
            Signal::Lull,
            self.last_at
                .map_or(1.0, |at| scale_logarithmically(now - at, HOUR_SECONDS)),
        );
        values.set(
            Signal::Crowd,
            ((room.speakers - 2.0) / 10.0).clamp(0.0, 1.0),
        );
        values.set(
            Signal::Pace,
            ((1.0 + room.per_minute).ln() / 61f32.ln()).min(1.0),
        );
        values.set(Signal::Run, self.lines_in_a_row(facts).min(4) as f32 / 4.0);
        values.set(Signal::StepsIn, self.steps.step_in_share());
        values.set(Signal::Starts, self.steps.start_share());
        values.set(Signal::Tired, 1.0 - self.energy(facts.message.at));
        values.set(Signal::Welcome, self.welcome.value(facts.message.at));
    }

    fn set_message_signals(&self, values: &mut SignalValues, facts: &MessageFacts) {
        let words = facts.words;
        let unaddressed = facts.named.is_empty();
        values.set_flag(Signal::Question, words.question);
        if (words.question || words.to_all) && unaddressed {
            values.set(
                Signal::OpenQuestion,
                if words.to_all { 1.0 } else { facts.guess.opens },
            );
            values.set(Signal::StepsInQuestion, self.steps.step_in_share());
        }
        values.set_flag(Signal::Greeting, words.greeting);
        values.set_flag(Signal::Brief, words.size <= BRIEF);
        values.set_flag(Signal::Agrees, words.agrees);
        values.set_flag(Signal::Personal, words.personal);
        values.set_flag(Signal::YouOther, words.you && facts.is_for_other());
        values.set(
            Signal::Length,
            ((1.0 + words.length as f32).ln() / 2_001f32.ln()).min(1.0),
        );
    }

    /// Its own conversation, and what the words say about the talk.
    fn set_talk_signals(
        &self,
        values: &mut SignalValues,
        facts: &MessageFacts,
        matcher: &AddressMatcher,
    ) {
        let MessageFacts {
            message,
            words,
            cues,
            ..
        } = *facts;
        let talk = TalkFeatures::from_links(
            &self.links,
            message.author.id,
            matcher.me,
            facts.at,
            cues,
            words.length,
        );
        let asks = if message.text.contains(['?', '？']) {
            1.0
        } else {
            0.7 * flag(cues.has(DialogueCue::Question))
        };
        if let Some(own) = talk.own {
            self.set_own_talk_signals(values, facts, &talk, &own, asks);
        }
        set_burst_signals(values, cues, &talk, asks);
        set_pause_signals(values, &talk, asks);
    }

    /// The conversation it was in with its last turn.
    fn set_own_talk_signals(
        &self,
        values: &mut SignalValues,
        facts: &MessageFacts,
        talk: &TalkFeatures,
        own: &LastOwnTurn,
        asks: f32,
    ) {
        let MessageFacts { words, cues, .. } = *facts;
        let fresh = if own.ago <= 3 * MINUTE {
            1.0
        } else {
            0.5 * flag(own.ago <= 15 * MINUTE)
        };
        let near = fresh
            * [1.0, 0.6, 0.35, 0.15, 0.15]
                .get(talk.others_since)
                .copied()
                .unwrap_or(0.0);
        let direct = fresh * flag(talk.others_since == 0);
        let answers = [1.0, 1.0, 0.3, 0.3]
            .get(talk.others_since)
            .copied()
            .unwrap_or(0.0);
        let partner = own.partner.max(flag(own.to_author));
        values.set(Signal::Talk, near);
        values.set(Signal::TalkHeld, near * facts.hold);
        values.set(Signal::TalkDirect, direct);
        values.set(
            Signal::TalkFirst,
            direct * flag(talk.author_since < talk.burst_lines),
        );
        values.set(Signal::TalkPartner, near * partner);
        values.set(
            Signal::TalkAnswer,
            flag(own.asked) * fresh * answers * partner.max(0.5),
        );
        values.set(Signal::TalkQuestion, near * asks);
        values.set(Signal::TalkYou, near * flag(cues.has(DialogueCue::You)));
        values.set(
            Signal::TalkRequest,
            near * flag(cues.has(DialogueCue::Request)),
        );
        values.set(
            Signal::TalkSlight,
            near * flag(cues.has(DialogueCue::Slight)),
        );
        values.set(
            Signal::TalkClosing,
            near * flag(cues.has(DialogueCue::Closing)),
        );
        values.set(Signal::TalkLength, near * scale_length(words.length, 120.0));
        values.set(
            Signal::TalkElsewhere,
            near * flag(own.to_other && !own.to_author),
        );
        let sought = self.heard.build_query(&words.topic);
        values.set(
            Signal::TalkTopic,
            (sought.compute_shared_rarity(&own.topic).0 / 2.0).min(1.0) * fresh,
        );
    }

    /// How many lines the author wrote before this one, with nobody between.
    fn lines_in_a_row(&self, facts: &MessageFacts) -> u32 {
        let goes_on = self
            .links
            .lines()
            .back()
            .is_some_and(|line| line.author == facts.message.author.id);
        if goes_on { self.run + 1 } else { 0 }
    }

    fn set_topic_signals(
        &self,
        values: &mut SignalValues,
        facts: &MessageFacts,
        matcher: &AddressMatcher,
    ) {
        let MessageFacts { message, words, .. } = *facts;
        let sought = self.heard.build_query(&words.topic);
        let shared = |(at, topic): &(Millis, _)| {
            sought.compute_shared_rarity(topic).0 * exponential_decay(facts.at - at, 20 * MINUTE)
        };
        values.set(
            Signal::Topic,
            self.own_topics
                .iter()
                .map(shared)
                .fold(0.0, f32::max)
                .min(3.0),
        );
        values.set(Signal::Known, sought.compute_share(self.cares.as_slices()));
        values.set(
            Signal::Interest,
            matcher
                .interests
                .compute_rarity_score(words, &message.text, &self.heard),
        );
        values.set(
            Signal::Dislike,
            matcher.dislikes.compute_match_score(words, &message.text),
        );
    }
}

fn set_turn_signals(
    values: &mut SignalValues,
    facts: &MessageFacts,
    room: &RoomFeatures,
    lines_in_a_row: u32,
) {
    let seen = [
        (Signal::SmallRoom, 1.0),
        (Signal::SmallCalled, flag(facts.address.call.is_some())),
        (Signal::SmallOther, flag(facts.is_for_other())),
        (Signal::SmallShare, room.long_share),
        (Signal::SmallSilence, room.silence),
        (Signal::SmallLongest, flag(room.longest)),
        (Signal::SmallFollows, room.follows),
        (Signal::SmallCutIn, flag(room.cut_in)),
        (Signal::SmallAsked, flag(room.asked)),
        (Signal::SmallQuestion, flag(facts.words.question)),
        (
            Signal::SmallLength,
            ((1.0 + facts.words.length as f32).ln() / 2_001f32.ln()).min(1.0),
        ),
        (Signal::SmallRun1, flag(lines_in_a_row == 1)),
        (Signal::SmallRun2, flag(lines_in_a_row == 2)),
    ];
    for (signal, value) in seen {
        values.set(signal, room.small * value);
    }
}
