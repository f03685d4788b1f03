//! Every right, as one table: who may ask what, where.

use kith_core::preference::PersonPreference;
use kith_core::session::{SessionRequest, SessionRewording};
use kith_core::talkativeness::Talkativeness;

use super::stickers::picture;
use super::*;

/// All requests, as they are made about a channel in which they are not made by naming it.
fn requests(of: ChannelId) -> Vec<CommandRequest> {
    let turn = turn_of(of);
    vec![
        CommandRequest::Status,
        CommandRequest::Why(Some(MessageId(1))),
        CommandRequest::WhyTurn(turn),
        CommandRequest::ExportMe,
        CommandRequest::ForgetMe(RequestScope::Here),
        CommandRequest::OptOut(PersonPreference::DontRemember),
        CommandRequest::Mode(ChannelMode::On, None),
        CommandRequest::Talkativeness(Talkativeness::Level(0.5), RequestScope::Here),
        CommandRequest::Persona("kai".into(), RequestScope::All),
        CommandRequest::Pause(30 * MINUTE, None),
        CommandRequest::StopCall {
            channel: of,
            turn,
            call: 1,
        },
        CommandRequest::OpenSession(Box::new(SessionRequest {
            label: "trip".into(),
            ..SessionRequest::default()
        })),
        CommandRequest::RewordSession(SessionId(1), SessionRewording::default()),
        CommandRequest::CloseSession(SessionId(1), None),
        CommandRequest::Fresh,
        CommandRequest::Reset(RequestScope::All),
        CommandRequest::TakeBack(MessageId(2)),
        CommandRequest::TakeBackTurn(turn),
        CommandRequest::ForgetMessage(MessageId(2)),
        CommandRequest::Raw(turn),
        CommandRequest::Sticker {
            message: MessageId(1),
            picture: Some(picture("cat.png", 3_000)),
            said: String::new(),
        },
        CommandRequest::Sessions,
    ]
}

/// The names of those requests about a channel that are not refused.
fn allowed(who: CallerRole, at: ChannelId) -> Vec<String> {
    let allowed = requests(at).into_iter().filter(|request| {
        // A house for each: some requests erase what the next one asks for.
        let (answer, changes) = command_test().ask(&caller(who, at), request.clone());
        assert!(
            !is_refused(&answer) || changes.is_empty(),
            "{request:?} was refused and done: {changes:?}"
        );
        !is_refused(&answer)
    });
    allowed
        .map(|request| {
            format!("{request:?}")
                .split(['(', ' '])
                .next()
                .unwrap()
                .to_owned()
        })
        .collect()
}

const EVERYBODYS: &[&str] = &["Status", "Why", "WhyTurn", "ExportMe", "ForgetMe", "OptOut"];
const MODERATORS: &[&str] = &[
    "Mode",
    "Talkativeness",
    "Persona",
    "Pause",
    "StopCall",
    "OpenSession",
    "RewordSession",
    "CloseSession",
    "Fresh",
    "Reset",
    "TakeBack",
    "TakeBackTurn",
    "ForgetMessage",
    "Raw",
    "Sticker",
    "Sessions",
];

#[test]
fn a_member_asks_and_only_a_moderator_or_the_host_changes_something() {
    assert_eq!(allowed(CallerRole::Member, TALK), EVERYBODYS);
    let all = [EVERYBODYS, MODERATORS].concat();
    assert_eq!(allowed(CallerRole::Moderator, TALK), all);
    assert_eq!(allowed(CallerRole::Host, TALK), all);
}

#[test]
fn the_person_of_a_direct_message_may_do_everything_in_it_but_switch_it() {
    let mut all: Vec<&str> = [EVERYBODYS, MODERATORS].concat();
    // Stickers are a server's.
    all.retain(|name| *name != "Sticker");
    let but_mode: Vec<&str> = all.iter().copied().filter(|name| *name != "Mode").collect();
    assert_eq!(allowed(CallerRole::Member, LETTER), but_mode);
    assert_eq!(allowed(CallerRole::Host, LETTER), all);
}

/// The requests that can name something of another channel, asked in the log channel.
fn from_afar(of: ChannelId) -> Vec<CommandRequest> {
    vec![
        CommandRequest::WhyTurn(turn_of(of)),
        CommandRequest::Mode(ChannelMode::Off, Some(of)),
        CommandRequest::Pause(MINUTE, Some(of)),
        CommandRequest::TakeBackTurn(turn_of(of)),
        CommandRequest::Raw(turn_of(of)),
    ]
}

fn allowed_from_afar(who: CallerRole, of: ChannelId) -> Vec<bool> {
    from_afar(of)
        .into_iter()
        .map(|request| !is_refused(&command_test().ask(&caller(who, LOG), request).0))
        .collect()
}

#[test]
fn from_another_channel_a_moderator_reaches_their_own_guild_and_the_host_everything_but_what_was_said_in_direct_messages()
 {
    assert_eq!(
        allowed_from_afar(CallerRole::Member, TALK),
        [true, false, false, false, false]
    );
    assert_eq!(allowed_from_afar(CallerRole::Moderator, TALK), [true; 5]);
    for stranger in [CallerRole::Member, CallerRole::Moderator] {
        assert_eq!(allowed_from_afar(stranger, FAR), [false; 5]);
        assert_eq!(allowed_from_afar(stranger, LETTER), [false; 5]);
    }
    assert_eq!(allowed_from_afar(CallerRole::Host, FAR), [true; 5]);
    assert_eq!(
        allowed_from_afar(CallerRole::Host, LETTER),
        [true, true, true, true, false]
    );
}

#[test]
fn who_manages_a_server_does_not_read_a_hidden_channel_from_outside() {
    let command_test = command_test();
    let mut hidden = facts(TALK);
    hidden.hidden = true;
    let raw = |who, at, facts: &DaemonFacts| {
        let (answer, _) = command_test.ask_with(
            &caller(who, at),
            CommandRequest::Raw(turn_of(TALK)),
            facts.clone(),
        );
        !is_refused(&answer)
    };
    assert!(!raw(CallerRole::Moderator, LOG, &hidden));
    assert!(
        raw(CallerRole::Moderator, TALK, &hidden),
        "who asks in it can see it"
    );
    assert!(raw(CallerRole::Host, LOG, &hidden));
    assert!(raw(CallerRole::Moderator, LOG, &facts(TALK)));
    let (answer, _) = command_test.ask_with(
        &caller(CallerRole::Moderator, LOG),
        CommandRequest::WhyTurn(turn_of(TALK)),
        hidden,
    );
    assert!(!is_refused(&answer));
    assert!(
        !shown(&answer).contains(&secret_of(TALK)),
        "{}",
        shown(&answer)
    );
}

#[test]
fn no_answer_shows_what_was_said_in_another_guild_or_a_direct_message() {
    for who in [CallerRole::Member, CallerRole::Moderator] {
        for at in [TALK, FAR, LETTER] {
            for of in [TALK, FAR, LETTER] {
                let mut all = requests(of);
                all.extend(from_afar(of));
                // What somebody wrote themselves may be told to them where nobody else reads it.
                all.retain(|request| at != LETTER || *request != CommandRequest::ExportMe);
                for request in all {
                    let text = shown(&command_test().ask(&caller(who, at), request.clone()).0);
                    for other in [TALK, FAR, LETTER].into_iter().filter(|other| *other != at) {
                        assert!(
                            !text.contains(&secret_of(other)),
                            "{who:?} in {at}, {request:?}: {text}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_host_sees_the_text_of_guilds_but_never_of_direct_messages_from_outside() {
    for request in from_afar(LETTER) {
        let text = shown(
            &command_test()
                .ask(&caller(CallerRole::Host, LOG), request.clone())
                .0,
        );
        assert!(!text.contains(&secret_of(LETTER)), "{request:?}: {text}");
    }
    let text = shown(
        &command_test()
            .ask(
                &caller(CallerRole::Host, LOG),
                CommandRequest::Raw(turn_of(FAR)),
            )
            .0,
    );
    assert!(text.contains(&secret_of(FAR)), "{text}");
}

#[test]
fn a_member_reads_no_thoughts_and_no_failure_of_the_hosts_server() {
    let command_test = command_test();
    let mut failed = report(TALK, 2, "x");
    failed.turn = TurnId(500);
    failed.outcome = TurnOutcome::Failed("f".into());
    failed.rounds[0].calls.clear();
    failed.rounds[0].failure = Some(kith_core::report::ModelFailure {
        message: "models.example refused the key: check model.api_key.".into(),
        ..Default::default()
    });
    command_test.store.save_turn(failed, vec![]).wait().unwrap();
    let why = |who| {
        shown(
            &command_test
                .ask(&caller(who, TALK), CommandRequest::WhyTurn(TurnId(500)))
                .0,
        )
    };
    assert!(
        why(CallerRole::Host).contains("refused the key"),
        "{}",
        why(CallerRole::Host)
    );
    for who in [CallerRole::Member, CallerRole::Moderator] {
        assert!(
            !why(who).contains("refused the key") && why(who).contains("model call failed"),
            "{}",
            why(who)
        );
    }
    let thoughts = |who| {
        shown(
            &command_test
                .ask(&caller(who, TALK), CommandRequest::WhyTurn(turn_of(TALK)))
                .0,
        )
    };
    assert!(
        thoughts(CallerRole::Moderator).contains("she said")
            && !thoughts(CallerRole::Member).contains("she said")
    );
}
