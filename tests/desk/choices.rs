//! What is chosen by hand: kept, told to the daemon, and announced once.

use kith::core::by_hand::{Choice, Place, SetByHand};
use kith::core::talkativeness::Talkativeness;

use super::*;

fn moderator() -> Asker {
    asker(Who::Moderator, TALK)
}

#[test]
fn a_choice_is_kept_with_author_and_date_and_told() {
    let house = house();
    let all = [
        (
            Request::Talkativeness(Talkativeness::Level(0.6), Extent::Here),
            Place::Channel(TALK),
            Choice::Talkativeness(Talkativeness::Level(0.6)),
        ),
        (Request::Persona(" KAI ".into(), Extent::All), Place::Guild(GUILD), Choice::Persona("Kai".into())),
        (Request::Pause(30 * MINUTE, None), Place::Channel(TALK), Choice::PausedUntil(NOW + 30 * MINUTE)),
        (Request::Pause(0, Some(LOG)), Place::Channel(LOG), Choice::PausedUntil(NOW)),
        (Request::Mode(Mode::Off, None), Place::Channel(TALK), Choice::Mode(Mode::Off)),
    ];
    for (request, place, choice) in all {
        let (_, changes) = house.ask(&moderator(), request);
        assert_eq!(changes, [Change::Set(place, choice.clone())]);
        let kept = house.store.by_hand().wait().unwrap();
        assert!(kept.contains(&SetByHand { place, choice, by: Some(ANNA), at: NOW }), "{kept:?}");
    }
}

#[test]
fn what_is_out_of_bounds_is_refused_with_the_bounds() {
    let house = house();
    for (request, told) in [
        (Request::Talkativeness(Talkativeness::Level(0.61), Extent::Here), "0.6"),
        (Request::Talkativeness(Talkativeness::Level(-0.1), Extent::Here), "0.6"),
        (Request::Talkativeness(Talkativeness::Level(f32::NAN), Extent::Here), "0.6"),
        (Request::Talkativeness(Talkativeness::Hourly(9.0), Extent::Here), "7 messages an hour"),
        (Request::Persona("nobody".into(), Extent::Here), "juno, Kai"),
        (Request::Pause(-1, None), "365 days"),
        (Request::Pause(Millis::MAX, None), "365 days"),
        (Request::TakeBackTurn(TurnId(4711)), "no such turn"),
    ] {
        let (answer, changes) = house.ask(&moderator(), request.clone());
        assert!(is_refused(&answer) && shown(&answer).contains(told), "{request:?}: {answer:?}");
        assert!(changes.is_empty());
    }
    assert_eq!(house.store.by_hand().wait(), Ok(vec![]));
}

/// What a mode set in a channel of a mode announces.
fn announced(before: Mode, request: Mode, change: impl Fn(&mut Facts)) -> Option<String> {
    let mut facts = with_mode(facts(TALK), before);
    change(&mut facts);
    let (answer, changes) = house().ask_with(&moderator(), Request::Mode(request, None), facts);
    assert!(!is_refused(&answer));
    changes.into_iter().find_map(|change| match change {
        Change::Announce(TALK, words) => Some(words),
        _ => None,
    })
}

#[test]
fn a_channel_is_told_once_when_more_of_it_is_read_or_shown_than_before() {
    let told = |before, now| announced(before, now, |_| ()).is_some();
    assert!(told(Mode::Off, Mode::On) && told(Mode::Off, Mode::Observe) && told(Mode::Observe, Mode::On));
    assert!(!told(Mode::On, Mode::On) && !told(Mode::Observe, Mode::Observe));
    assert!(!told(Mode::On, Mode::Observe) && !told(Mode::On, Mode::Off) && !told(Mode::Observe, Mode::Off));
}

#[test]
fn the_words_name_days_host_and_ways_out_and_promise_no_model_where_there_is_none() {
    let on = announced(Mode::Off, Mode::On, |facts| facts.keep_days = 7).unwrap();
    for part in ["7 days", "models.example", "/kith optout", "/kith off", "Manage Server", "Juno"] {
        assert!(on.contains(part), "{part}: {on}");
    }
    let observe = announced(Mode::Off, Mode::Observe, |_| ()).unwrap();
    assert!(observe.contains("no model sees") && !observe.contains("models.example"), "{observe}");
    let alone = announced(Mode::Off, Mode::On, |facts| facts.stand_in = true).unwrap();
    assert!(alone.contains("no model sees") && !alone.contains("models.example"), "{alone}");
}

#[test]
fn a_hidden_or_age_restricted_channel_is_switched_on_by_naming_it_only() {
    let house = house();
    for (hidden, nsfw) in [(true, false), (false, true)] {
        let facts = Facts { hidden, nsfw, ..facts(TALK) };
        for mode in [Mode::On, Mode::Observe] {
            let (answer, changes) = house.ask_with(&moderator(), Request::Mode(mode, None), facts.clone());
            assert!(is_refused(&answer) && shown(&answer).contains("channel:#general"), "{answer:?}");
            assert!(changes.is_empty());
            let (answer, _) = house.ask_with(&moderator(), Request::Mode(mode, Some(TALK)), facts.clone());
            assert!(!is_refused(&answer));
        }
        let (answer, _) = house.ask_with(&moderator(), Request::Mode(Mode::Off, None), facts);
        assert!(!is_refused(&answer), "switching off is never hard");
    }
}

#[test]
fn a_channel_the_daemon_does_not_find_is_not_mistaken_for_this_one() {
    let (answer, changes) = house().ask_with(&moderator(), Request::Mode(Mode::On, Some(ChannelId(4711))), facts(TALK));
    assert!(is_refused(&answer) && changes.is_empty());
}

#[test]
fn a_reset_of_the_guild_reaches_its_channels_and_no_other_guilds() {
    let house = house();
    let set = |place| SetByHand { place, choice: Choice::Talkativeness(Talkativeness::Level(0.1)), by: None, at: NOW };
    let places = [Place::Guild(GUILD), Place::Channel(TALK), Place::Channel(LOG)];
    for place in places.into_iter().chain([Place::Guild(ELSEWHERE), Place::Channel(FAR)]) {
        house.store.set_by_hand(set(place)).wait().unwrap();
    }
    let (_, changes) = house.ask(&moderator(), Request::Reset(Extent::Here));
    assert_eq!(changes, [Change::Reset(Place::Channel(TALK))]);
    let (_, changes) = house.ask(&moderator(), Request::Reset(Extent::All));
    assert_eq!(changes, [Change::Reset(Place::Guild(GUILD)), Change::Reset(Place::Channel(LOG))]);
    let left: Vec<Place> = house.store.by_hand().wait().unwrap().into_iter().map(|set| set.place).collect();
    assert_eq!(left.len(), 2);
    assert!(left.contains(&Place::Guild(ELSEWHERE)) && left.contains(&Place::Channel(FAR)));
    let (_, changes) = house.ask(&moderator(), Request::Reset(Extent::All));
    assert_eq!(changes, []);
}

#[test]
fn a_fresh_start_names_the_newest_message_and_deletes_nothing() {
    let house = house();
    let (_, changes) = house.ask(&moderator(), Request::Fresh);
    assert_eq!(changes, [Change::Fresh(TALK, MessageId(2))]);
    assert_eq!(house.store.history(TALK, None, 9).wait().unwrap().len(), 2);
}
