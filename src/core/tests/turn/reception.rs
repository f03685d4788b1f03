//! What people make of the companion's words: what counts as a sign, how little one of them changes, what is shown of
//! it, and that the readable reason knows the facts.

use kith_core::channel::SavedChannelState;
use kith_core::chat::{AuthorKind, ChannelId, MINUTE, Message, MessageId, Millis, SECOND};
use kith_core::persona::Language;
use kith_core::report::ThresholdShift;
use kith_core::willingness::{ReceptionStats, ReceptionSummary, explain_decision};

use crate::turn::HI;
use crate::turn::sim::{Answer, ME, START, Sim, author, policy};

/// A channel's messages, one every minute.
struct Room {
    welcome: ReceptionStats,
    now: Millis,
    last: u64,
}

impl Room {
    fn new() -> Self {
        Self {
            welcome: ReceptionStats::default(),
            now: START,
            last: 0,
        }
    }

    fn say(&mut self, who: &str, reply_to: Option<MessageId>) -> MessageId {
        (self.now, self.last) = (self.now + MINUTE, self.last + 1);
        let mut by = author(who, AuthorKind::Person);
        if who == "Juno" {
            by.id = ME;
        }
        let id = MessageId(self.last);
        let (channel, at, mentions) = (ChannelId(1), self.now, Vec::new());
        let message = Message {
            id,
            channel,
            arrival: 0,
            at,
            author: by,
            text: "so".into(),
            reply_to,
            mentions,
        };
        self.welcome.said(&message, who == "Juno");
        id
    }

    /// So many of its lines, each followed by a person's, which answers it if `answered`.
    fn talk(mut self, lines: u32, answered: bool) -> Self {
        for _ in 0..lines {
            let line = self.say("Juno", None);
            self.say("Anna", answered.then_some(line));
        }
        self.now += 60 * MINUTE;
        self.say("Anna", None);
        self
    }

    fn value(&self) -> f32 {
        self.welcome.value(self.now)
    }
}

#[test]
fn without_typed_replies_reactions_and_deletions_the_value_is_exactly_nothing() {
    assert_eq!(Room::new().talk(200, false).value(), 0.0);
}

#[test]
fn liked_lines_raise_it_hushing_and_deletions_lower_it_and_one_of_them_changes_little() {
    let liked = Room::new().talk(30, true);
    assert!(liked.value() > 0.6, "{}", liked.value());
    let mut once = Room::new().talk(30, false);
    let line = once.say("Juno", None);
    once.welcome
        .record_reaction(line, author("Ben", AuthorKind::Person).id, once.now);
    once.now += 60 * MINUTE;
    once.say("Anna", None);
    assert!(once.value() > 0.0 && once.value() < 0.1, "{}", once.value());
    let mut unwanted = Room::new().talk(30, false);
    unwanted.welcome.record_deletion(unwanted.now);
    assert!(
        unwanted.value() < 0.0 && unwanted.value() > -0.25,
        "{}",
        unwanted.value()
    );
    for _ in 0..9 {
        unwanted.welcome.record_quiet_request(unwanted.now);
    }
    assert!(
        unwanted.value() < -0.6 && unwanted.value() >= -1.0,
        "{}",
        unwanted.value()
    );
    let weeks = 60 * 24 * 60 * MINUTE;
    assert_eq!(
        unwanted.welcome.value(unwanted.now + weeks),
        0.0,
        "what was long ago is no opinion"
    );
}

#[test]
fn a_few_lines_are_not_enough_for_an_opinion() {
    let few = Room::new().talk(5, true);
    assert_eq!(few.value(), 0.0);
    assert!(
        few.welcome
            .summary(few.now)
            .describe(Language::EN)
            .starts_with("too early to tell: of its last 5 messages")
    );
}

#[test]
fn silence_counts_only_where_the_others_lines_do_not_meet_it() {
    let mut room = Room::new();
    for _ in 0..40 {
        let line = room.say("Anna", None);
        room.say("Ben", Some(line));
        room.say("Juno", None);
    }
    room.now += 60 * MINUTE;
    room.say("Anna", None);
    assert!(room.value() < -0.3, "{}", room.value());
}

#[test]
fn nobody_gives_a_sign_to_themselves_and_a_late_one_is_none() {
    let mut room = Room::new().talk(20, false);
    for _ in 0..20 {
        let line = room.say("Juno", None);
        room.say("Juno", Some(line));
        room.welcome.record_reaction(line, ME, room.now);
        room.now += 60 * MINUTE;
        room.welcome
            .record_reaction(line, author("Ben", AuthorKind::Person).id, room.now);
    }
    assert_eq!(room.value(), 0.0);
}

#[test]
fn what_is_kept_stays_small() {
    let room = Room::new().talk(5_000, true);
    let saved = serde_json::to_string(&room.welcome).unwrap();
    assert!(saved.len() < 5_000, "{}", saved.len());
}

#[test]
fn a_state_saved_before_it_was_counted_still_loads() {
    let mut state = serde_json::to_value(SavedChannelState::default()).unwrap();
    state["sense"]
        .as_object_mut()
        .unwrap()
        .remove("welcome")
        .expect("it is saved");
    assert_eq!(
        serde_json::from_value::<SavedChannelState>(state)
            .unwrap()
            .sense
            .welcome,
        ReceptionStats::default()
    );
}

fn reception(sim: &Sim) -> ReceptionSummary {
    sim.core
        .channel_snapshot(sim.now, ChannelId(1))
        .expect("there")
        .reception
}

#[test]
fn replies_reactions_and_what_is_taken_back_are_counted_as_they_happen() {
    let mut sim = Sim::new(policy());
    for (turn, answer) in [
        HI,
        "<turn><send_message>ah</send_message></turn>",
        "<turn><send_message>so</send_message></turn>",
    ]
    .into_iter()
    .enumerate()
    {
        sim.answers.push_back(Answer::Says(answer));
        sim.says("Anna", "@Juno hi");
        sim.wait(5 * SECOND);
        let line = sim.own_line();
        match turn {
            0 => drop(sim.hear(1, author("Anna", AuthorKind::Person), "haha", Some(line))),
            1 => sim.reacts("Ben", line, "😂"),
            _ => sim.delete(ChannelId(1), vec![line]),
        }
        sim.wait(60 * MINUTE);
    }
    sim.says("Anna", "bye");
    let seen = reception(&sim);
    assert_eq!(
        (
            seen.messages,
            seen.replied,
            seen.reacted,
            seen.silence,
            seen.taken_back
        ),
        (2, 1, 1, 0, 1),
        "{seen:?}"
    );
    sim.restarts(policy());
    assert_eq!(reception(&sim), seen);
}

#[test]
fn many_messages_deleted_at_once_tell_nothing_and_a_hush_does() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    let hers = sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    sim.delete(ChannelId(1), vec![hers, sim.own_line()]);
    assert_eq!(reception(&sim).taken_back, 0);
    sim.says("Anna", "@Juno hi again");
    sim.wait(5 * SECOND);
    sim.reacts("Ben", sim.own_line(), "🤫");
    assert_eq!(reception(&sim).hushed, 1);
}

#[test]
fn a_reason_names_the_seconds_since_it_spoke_in_both_languages() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hi");
    sim.wait(45 * SECOND);
    sim.says("Ben", "Anna: did you see the match");
    let decision = sim.decisions.last().expect("scored");
    let silent = decision.silent_for.expect("it has spoken");
    assert!((40 * SECOND..45 * SECOND).contains(&silent), "{silent}");
    // What the weights are is their own matter: this is the only reason.
    let mut decision = decision.clone();
    decision.terms = vec![kith_core::report::ScoreTerm {
        name: "recent".into(),
        value: 1.0,
        adds: -0.8,
    }];
    (decision.score, decision.threshold, decision.shift) = (0.06, 0.31, ThresholdShift::default());
    decision.waits_until = None;
    let seconds = silent / SECOND;
    let english = explain_decision(&decision, Language::EN);
    assert_eq!(
        english,
        format!("kept silent: it spoke {seconds} s ago (−0.8): 6 % against a threshold of 31 %")
    );
    let chinese = explain_decision(&decision, Language::ZH);
    assert_eq!(
        chinese,
        format!("没有说话：它 {seconds} 秒前说过话（−0.8）：意愿 6%，门槛 31%")
    );
}

#[test]
fn signals_of_one_kind_are_one_reason_and_three_are_told() {
    let mut sim = Sim::new(policy());
    sim.says("Ben", "Anna: did you see the match");
    let mut decision = sim.decisions.last().expect("scored").clone();
    let term = decision.terms.first().expect("something was seen").clone();
    let adds = [
        ("other_addressed", -1.0),
        ("others_talk", -1.1),
        ("question", 0.3),
        ("welcome", -0.2),
        ("pace", 0.05),
    ];
    decision.terms = adds
        .map(|(name, adds)| kith_core::report::ScoreTerm {
            name: name.into(),
            adds,
            ..term.clone()
        })
        .into();
    decision.terms.push(kith_core::report::ScoreTerm {
        name: "interest".into(),
        adds: 0.15,
        ..term
    });
    (decision.score, decision.threshold, decision.shift) = (0.06, 0.31, ThresholdShift::default());
    decision.waits_until = None;
    assert_eq!(
        explain_decision(&decision, Language::EN),
        "kept silent: two others are talking to each other (−2.1), they ask a question (+0.3), \
         people would rather it kept quiet (−0.2): 6 % against a threshold of 31 %"
    );
}
