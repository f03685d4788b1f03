//! What Discord needs besides: threads, choices by hand, wishes, how far was heard, log channels, what was said by whom.

mod log_messages;

use kith_core::chat::GuildId;
use kith_core::manual_override::{OverrideRecord, OverrideScope, OverrideValue};
use kith_core::policy::ChannelMode;
use kith_core::preference::PersonPreference;
use kith_core::talkativeness::Talkativeness;
use kith_store::Activity;

use super::*;

#[test]
fn a_thread_comes_back_below_its_channel() {
    let (_folder, path) = on_disk();
    let thread = Channel {
        id: OTHER,
        guild: Some(GuildId(5)),
        name: "trip".into(),
        topic: "".into(),
        kind: ChannelKind::Thread,
        parent: Some(TALK),
    };
    {
        let store = open(&path);
        assert!(store_all(&store, vec![ChatEvent::Channel(thread.clone())])[0].new);
        assert!(!store_all(&store, vec![ChatEvent::Channel(thread.clone())])[0].new);
        let moved = Channel {
            parent: None,
            ..thread.clone()
        };
        assert!(store_all(&store, vec![ChatEvent::Channel(moved)])[0].new);
        assert!(store_all(&store, vec![ChatEvent::Channel(thread.clone())])[0].new);
    }
    assert_eq!(open(&path).channels().wait(), Ok(vec![thread]));
}

#[test]
fn the_later_choice_about_the_same_counts_and_a_place_is_reset_alone() {
    let store = memory();
    let set = |place, choice, at| OverrideRecord {
        place,
        choice,
        by: Some(UserId(7)),
        at,
    };
    let (here, guild) = (
        OverrideScope::Channel(TALK),
        OverrideScope::Guild(GuildId(5)),
    );
    for choice in [
        set(here, OverrideValue::Mode(ChannelMode::On), 1),
        set(
            here,
            OverrideValue::Talkativeness(Talkativeness::Level(0.25)),
            2,
        ),
        set(guild, OverrideValue::Mode(ChannelMode::Observe), 3),
        set(here, OverrideValue::Mode(ChannelMode::Off), 4),
    ] {
        store.set_override(choice).wait().expect("set");
    }
    assert_eq!(
        store.overrides().wait(),
        Ok(vec![
            set(
                here,
                OverrideValue::Talkativeness(Talkativeness::Level(0.25)),
                2
            ),
            set(guild, OverrideValue::Mode(ChannelMode::Observe), 3),
            set(here, OverrideValue::Mode(ChannelMode::Off), 4),
        ])
    );
    store.reset_overrides(here).wait().expect("reset");
    assert_eq!(
        store.overrides().wait(),
        Ok(vec![set(
            guild,
            OverrideValue::Mode(ChannelMode::Observe),
            3
        )])
    );
}

#[test]
fn a_wish_outlives_a_restart_and_names_nobody() {
    let (_folder, path) = on_disk();
    let anna = UserId(1_234_567_890_123_456_789);
    {
        let store = open(&path);
        store
            .set_preference(anna, PersonPreference::Ignore, 1)
            .wait()
            .expect("set");
        store
            .set_preference(UserId(2), PersonPreference::DontRemember, 1)
            .wait()
            .expect("set");
        store
            .set_preference(UserId(3), PersonPreference::Ignore, 1)
            .wait()
            .expect("set");
        store
            .set_preference(UserId(3), PersonPreference::Remember, 2)
            .wait()
            .expect("set");
    }
    let store = open(&path);
    let wishes = store.load_preferences().wait().expect("read");
    let of = |user: UserId| wishes.get(user);
    assert_eq!(
        [anna, UserId(2), UserId(3), UserId(4)].map(of),
        [
            PersonPreference::Ignore,
            PersonPreference::DontRemember,
            PersonPreference::Remember,
            PersonPreference::Remember
        ]
    );
    assert_eq!(files_with(&path, "1234567890123456789"), [] as [&str; 0]);
    assert_eq!(files_holding(&path, &anna.0.to_be_bytes()), [] as [&str; 0]);
    let other = memory();
    other
        .set_preference(anna, PersonPreference::Ignore, 1)
        .wait()
        .expect("set");
    assert_ne!(
        other.load_preferences().wait().expect("read"),
        wishes,
        "each database has a key of its own"
    );
}

#[test]
fn what_they_wrote_who_want_not_to_be_remembered_goes_when_its_time_is_over() {
    let store = memory();
    let forget = |before| {
        store
            .forget_unremembered(before)
            .wait()
            .expect("erased")
            .messages
    };
    store_all(
        &store,
        (1..=450)
            .map(|id| said(TALK, id, &format!("secret number {id}")))
            .collect(),
    );
    store_all(
        &store,
        vec![
            says(TALK, 460, person(2, "Bob"), "I stay"),
            said(OTHER, 470, "young"),
        ],
    );
    store
        .save_turn(turn(1, TALK, "she said secret number 42"), vec![])
        .wait()
        .expect("saved");
    assert_eq!(forget(465_000), [], "nobody wishes it");
    store
        .set_preference(UserId(1), PersonPreference::DontRemember, 5)
        .wait()
        .expect("set");
    let mut gone = Vec::new();
    loop {
        let some = forget(465_000);
        if some.is_empty() {
            break;
        }
        assert!(some.iter().all(|(channel, _)| *channel == TALK));
        gone.push(
            some.iter()
                .map(|(_, messages)| messages.len())
                .sum::<usize>(),
        );
    }
    assert_eq!(gone.iter().sum::<usize>(), 450);
    assert!(gone.len() > 1, "in small steps");
    assert_eq!(
        texts(&store.load_history(TALK, None, 999).wait().expect("read")),
        ["I stay"]
    );
    assert_eq!(find(&store, "secret"), [] as [u64; 0]);
    assert!(
        !store
            .turn(TurnId(1))
            .wait()
            .expect("read")
            .expect("there")
            .report
            .rounds[0]
            .raw
            .contains("42")
    );
    assert!(
        !store_all(&store, vec![said(TALK, 7, "secret number 7")])[0].new,
        "not even by backfill"
    );

    store_all(&store, vec![said(TALK, 464, "came late")]);
    assert_eq!(forget(465_000), [(TALK, vec![MessageId(464)])]);
    assert_eq!(forget(470_001), [(OTHER, vec![MessageId(470)])]);
    store
        .set_preference(UserId(2), PersonPreference::DontRemember, 6)
        .wait()
        .expect("set");
    assert_eq!(
        forget(470_001),
        [(TALK, vec![MessageId(460)])],
        "what is older, too"
    );
}

#[test]
fn what_the_companion_said_and_noted_of_who_wants_not_to_be_remembered_goes_with_it() {
    let store = memory();
    let juno = || Author {
        id: UserId(99),
        name: "Juno".into(),
        kind: AuthorKind::Companion,
    };
    store_all(
        &store,
        vec![
            said(TALK, 1, "I collect xylophonequartz and pineapples"),
            says(
                TALK,
                2,
                juno(),
                "Anna, your Xylophonequartz and pineapples!",
            ),
            says(TALK, 3, person(2, "Bob"), "pineapples are for all"),
        ],
    );
    let block = |text: &str| StoredBlock {
        label: "people".into(),
        text: text.into(),
        limit: 600,
        // So long before she said it that it quotes nobody.
        updated_at: -2 * kith_core::chat::DAY,
    };
    let text = "Bob cooks\nsomebody has xylophonequartz\nAnna sings\npineapples are fine";
    for scope in [format!("channel:{TALK}"), "guild:78".into()] {
        store
            .put_core_memory(scope, block(text))
            .wait()
            .expect("put");
    }
    store
        .set_preference(UserId(1), PersonPreference::DontRemember, 5)
        .wait()
        .expect("set");
    let gone = store.forget_unremembered(1_000_000).wait().expect("erased");
    let cleaned = "Anna, your [erased: a message that was deleted or edited] and pineapples!";
    assert_eq!(gone.reworded, [(TALK, MessageId(2), cleaned.into())]);
    assert_eq!(
        texts(&store.load_history(TALK, None, 9).wait().expect("read")),
        [cleaned, "pineapples are for all"]
    );
    let noted = |scope: &str| {
        store
            .load_core_memory(scope)
            .wait()
            .expect("read")
            .remove(0)
            .text
    };
    assert_eq!(
        noted(&format!("channel:{TALK}")),
        "Bob cooks\npineapples are fine"
    );
    assert_eq!(noted("guild:78"), text, "that is another Anna");
}

#[test]
fn how_far_a_channel_was_heard_counts_what_was_not_stored_and_never_goes_back() {
    let (_folder, path) = on_disk();
    {
        let store = open(&path);
        let channel = |id| group_channel(id, None, "");
        store_all(
            &store,
            [TALK, OTHER, ChannelId(12)]
                .map(|id| ChatEvent::Channel(channel(id)))
                .to_vec(),
        );
        store_all(&store, vec![said(TALK, 5, "a"), said(OTHER, 6, "b")]);
        let mut own = said(OTHER, 70, "said over REST while nothing was heard");
        if let ChatEvent::Message(message) = &mut own {
            message.author.kind = AuthorKind::Companion;
        }
        store_all(&store, vec![own]);
        store
            .record_seen(vec![
                (TALK, MessageId(7)),
                (TALK, MessageId(9)),
                (TALK, MessageId(8)),
                (OTHER, MessageId(3)),
                (ChannelId(14), MessageId(4)),
            ])
            .wait()
            .expect("kept");
        store
            .record_seen(vec![(TALK, MessageId(8))])
            .wait()
            .expect("kept");
    }
    let store = open(&path);
    let wanted =
        [(TALK, 9), (OTHER, 6), (ChannelId(14), 4)].map(|(channel, id)| (channel, MessageId(id)));
    assert_eq!(store.last_seen().wait(), Ok(wanted.to_vec()));
    assert_eq!(
        store.find_newest_message(TALK).wait(),
        Ok(Some(MessageId(5)))
    );
    assert_eq!(store.find_newest_message(ChannelId(12)).wait(), Ok(None));
}

#[test]
fn how_often_it_would_have_spoken_counts_beats_and_not_messages() {
    let store = memory();
    store_all(&store, (1..=6).map(|id| said(TALK, id, "x")).collect());
    let silent = |id, address| MessageDecision {
        address,
        speak: false,
        ..decision(TALK, id, 0.1)
    };
    let decisions = vec![
        silent(1, None),
        silent(2, None),
        silent(3, None),
        silent(4, Some(DirectAddress::Name)),
        silent(5, None),
    ];
    store.save_decisions(decisions).wait().expect("saved");
    let beat = |message, score, outcome| DecisionReport {
        channel: TALK,
        at: 1_000 * message as i64,
        message: Some(MessageId(message)),
        score,
        threshold: 0.5,
        shift: ThresholdShift::default(),
        outcome,
        own: None,
    };
    for beat in [
        beat(1, 0.9, DecisionOutcome::Refused(Refusal::Observe)),
        beat(3, 0.5, DecisionOutcome::Refused(Refusal::Observe)),
        beat(4, 0.1, DecisionOutcome::Refused(Refusal::Observe)),
        beat(5, 0.4, DecisionOutcome::Refused(Refusal::Observe)),
        beat(6, 0.9, DecisionOutcome::Refused(Refusal::Asleep)),
    ] {
        store.save_decision_report(beat).wait().expect("saved");
    }
    let silent = TurnReport {
        outcome: TurnOutcome::Silent("why".into()),
        ..turn(2, TALK, "b")
    };
    for report in [turn(1, TALK, "a"), silent, turn(3, OTHER, "c")] {
        store.save_turn(report, vec![]).wait().expect("saved");
    }
    let wanted = Activity {
        scored: 4,
        turns: 2,
        spoke: 1,
        would_have_spoken: 2,
    };
    assert_eq!(store.load_activity(TALK, 2_000).wait(), Ok(wanted));
    assert_eq!(
        store.load_activity(ChannelId(12), 0).wait(),
        Ok(Activity::default())
    );
}

#[test]
fn usage_is_summed_over_days_as_well() {
    let store = memory();
    for day in ["2026-01-31", "2026-02-01", "2026-02-28", "2026-03-01"] {
        let usage = TokenUsage {
            prompt: 100,
            ..TokenUsage::default()
        };
        store
            .save_spend(spent(day.parse().expect("a day"), "m", TALK, "turn", usage))
            .wait()
            .expect("added");
    }
    let day = |day: &str| day.parse().expect("a day");
    let rows = store
        .load_usage_between(day("2026-02-01"), day("2026-02-28"))
        .wait()
        .expect("read");
    let days: Vec<String> = rows.iter().map(|row| row.day.to_string()).collect();
    assert_eq!(days, ["2026-02-01", "2026-02-28"]);
}
