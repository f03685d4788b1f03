//! What is chosen by hand: kept, told to the daemon, and announced once.

use kith_core::manual_override::{OverrideRecord, OverrideScope, OverrideValue};
use kith_core::talkativeness::Talkativeness;

use super::*;

fn moderator() -> Caller {
    caller(CallerRole::Moderator, TALK)
}

#[test]
fn a_choice_is_kept_with_author_and_date_and_told() {
    let command_test = command_test();
    let all = [
        (
            CommandRequest::Talkativeness(Talkativeness::Level(0.6), RequestScope::Here),
            OverrideScope::Channel(TALK),
            OverrideValue::Talkativeness(Talkativeness::Level(0.6)),
        ),
        (
            CommandRequest::Persona(" KAI ".into(), RequestScope::All),
            OverrideScope::Guild(GUILD),
            OverrideValue::Persona("Kai".into()),
        ),
        (
            CommandRequest::Pause(30 * MINUTE, None),
            OverrideScope::Channel(TALK),
            OverrideValue::PausedUntil(NOW + 30 * MINUTE),
        ),
        (
            CommandRequest::Pause(0, Some(LOG)),
            OverrideScope::Channel(LOG),
            OverrideValue::PausedUntil(NOW),
        ),
        (
            CommandRequest::Mode(ChannelMode::Off, None),
            OverrideScope::Channel(TALK),
            OverrideValue::Mode(ChannelMode::Off),
        ),
    ];
    for (request, place, choice) in all {
        let (_, changes) = command_test.ask(&moderator(), request);
        assert_eq!(changes, [DaemonChange::Set(place, choice.clone())]);
        let kept = command_test.store.overrides().wait().unwrap();
        assert!(
            kept.contains(&OverrideRecord {
                place,
                choice,
                by: Some(ANNA),
                at: NOW
            }),
            "{kept:?}"
        );
    }
}

#[test]
fn what_is_out_of_bounds_is_refused_with_the_bounds() {
    let command_test = command_test();
    for (request, told) in [
        (
            CommandRequest::Talkativeness(Talkativeness::Level(0.61), RequestScope::Here),
            "0.6",
        ),
        (
            CommandRequest::Talkativeness(Talkativeness::Level(-0.1), RequestScope::Here),
            "0.6",
        ),
        (
            CommandRequest::Talkativeness(Talkativeness::Level(f32::NAN), RequestScope::Here),
            "0.6",
        ),
        (
            CommandRequest::Talkativeness(Talkativeness::Hourly(9.0), RequestScope::Here),
            "7 messages an hour",
        ),
        (
            CommandRequest::Persona("nobody".into(), RequestScope::Here),
            "juno, Kai",
        ),
        (CommandRequest::Pause(-1, None), "365 days"),
        (CommandRequest::Pause(Millis::MAX, None), "365 days"),
        (CommandRequest::TakeBackTurn(TurnId(4711)), "no such turn"),
    ] {
        let (answer, changes) = command_test.ask(&moderator(), request.clone());
        assert!(
            is_refused(&answer) && shown(&answer).contains(told),
            "{request:?}: {answer:?}"
        );
        assert!(changes.is_empty());
    }
    assert_eq!(command_test.store.overrides().wait(), Ok(vec![]));
}

/// What a mode set in a channel of a mode announces.
fn announced(
    before: ChannelMode,
    request: ChannelMode,
    change: impl Fn(&mut DaemonFacts),
) -> Option<String> {
    let mut facts = with_mode(facts(TALK), before);
    change(&mut facts);
    let (answer, changes) =
        command_test().ask_with(&moderator(), CommandRequest::Mode(request, None), facts);
    assert!(!is_refused(&answer));
    changes.into_iter().find_map(|change| match change {
        DaemonChange::Announce(TALK, words) => Some(words),
        _ => None,
    })
}

#[test]
fn a_channel_is_told_once_when_more_of_it_is_read_or_shown_than_before() {
    let told = |before, now| announced(before, now, |_| ()).is_some();
    assert!(
        told(ChannelMode::Off, ChannelMode::On)
            && told(ChannelMode::Off, ChannelMode::Observe)
            && told(ChannelMode::Observe, ChannelMode::On)
    );
    assert!(
        !told(ChannelMode::On, ChannelMode::On)
            && !told(ChannelMode::Observe, ChannelMode::Observe)
    );
    assert!(
        !told(ChannelMode::On, ChannelMode::Observe)
            && !told(ChannelMode::On, ChannelMode::Off)
            && !told(ChannelMode::Observe, ChannelMode::Off)
    );
}

#[test]
fn the_words_name_days_host_and_ways_out_and_promise_no_model_where_there_is_none() {
    let on = announced(ChannelMode::Off, ChannelMode::On, |facts| {
        facts.keep_days = 7
    })
    .unwrap();
    for part in [
        "7 days",
        "models.example",
        "/kith optout",
        "/kith off",
        "Manage Server",
        "Juno",
    ] {
        assert!(on.contains(part), "{part}: {on}");
    }
    let observe = announced(ChannelMode::Off, ChannelMode::Observe, |_| ()).unwrap();
    assert!(
        observe.contains("no model sees") && !observe.contains("models.example"),
        "{observe}"
    );
    let alone = announced(ChannelMode::Off, ChannelMode::On, |facts| {
        facts.is_demo = true
    })
    .unwrap();
    assert!(
        alone.contains("no model sees") && !alone.contains("models.example"),
        "{alone}"
    );
}

#[test]
fn a_hidden_or_age_restricted_channel_is_switched_on_by_naming_it_only() {
    let command_test = command_test();
    for (hidden, nsfw) in [(true, false), (false, true)] {
        let facts = DaemonFacts {
            hidden,
            nsfw,
            ..facts(TALK)
        };
        for mode in [ChannelMode::On, ChannelMode::Observe] {
            let (answer, changes) = command_test.ask_with(
                &moderator(),
                CommandRequest::Mode(mode, None),
                facts.clone(),
            );
            assert!(
                is_refused(&answer) && shown(&answer).contains("channel:#general"),
                "{answer:?}"
            );
            assert!(changes.is_empty());
            let (answer, _) = command_test.ask_with(
                &moderator(),
                CommandRequest::Mode(mode, Some(TALK)),
                facts.clone(),
            );
            assert!(!is_refused(&answer));
        }
        let (answer, _) = command_test.ask_with(
            &moderator(),
            CommandRequest::Mode(ChannelMode::Off, None),
            facts,
        );
        assert!(!is_refused(&answer), "switching off is never hard");
    }
}

#[test]
fn a_channel_the_daemon_does_not_find_is_not_mistaken_for_this_one() {
    let (answer, changes) = command_test().ask_with(
        &moderator(),
        CommandRequest::Mode(ChannelMode::On, Some(ChannelId(4711))),
        facts(TALK),
    );
    assert!(is_refused(&answer) && changes.is_empty());
}

#[test]
fn a_reset_of_the_guild_reaches_its_channels_and_no_other_guilds() {
    let command_test = command_test();
    let set = |place| OverrideRecord {
        place,
        choice: OverrideValue::Talkativeness(Talkativeness::Level(0.1)),
        by: None,
        at: NOW,
    };
    let places = [
        OverrideScope::Guild(GUILD),
        OverrideScope::Channel(TALK),
        OverrideScope::Channel(LOG),
    ];
    for place in places
        .into_iter()
        .chain([OverrideScope::Guild(ELSEWHERE), OverrideScope::Channel(FAR)])
    {
        command_test.store.set_override(set(place)).wait().unwrap();
    }
    let (_, changes) = command_test.ask(&moderator(), CommandRequest::Reset(RequestScope::Here));
    assert_eq!(changes, [DaemonChange::Reset(OverrideScope::Channel(TALK))]);
    let (_, changes) = command_test.ask(&moderator(), CommandRequest::Reset(RequestScope::All));
    assert_eq!(
        changes,
        [
            DaemonChange::Reset(OverrideScope::Guild(GUILD)),
            DaemonChange::Reset(OverrideScope::Channel(LOG))
        ]
    );
    let left: Vec<OverrideScope> = command_test
        .store
        .overrides()
        .wait()
        .unwrap()
        .into_iter()
        .map(|set| set.place)
        .collect();
    assert_eq!(left.len(), 2);
    assert!(
        left.contains(&OverrideScope::Guild(ELSEWHERE))
            && left.contains(&OverrideScope::Channel(FAR))
    );
    let (_, changes) = command_test.ask(&moderator(), CommandRequest::Reset(RequestScope::All));
    assert_eq!(changes, []);
}

#[test]
fn a_fresh_start_names_the_newest_message_and_deletes_nothing() {
    let command_test = command_test();
    let (_, changes) = command_test.ask(&moderator(), CommandRequest::Fresh);
    assert_eq!(changes, [DaemonChange::ResetContext(TALK, MessageId(2))]);
    assert_eq!(
        command_test
            .store
            .load_history(TALK, None, 9)
            .wait()
            .unwrap()
            .len(),
        2
    );
}
