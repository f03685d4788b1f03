//! What people read, in both languages, as it is.

use kith_core::channel::ChannelSnapshot;
use kith_core::manual_override::{OverrideRecord, OverrideScope, OverrideValue};
use kith_core::preference::PersonPreference;
use kith_core::talkativeness::Talkativeness;
use kith_core::willingness::ReceptionSummary;

use super::*;

/// Requests and what is answered and announced, one below the other.
fn told(
    language: Language,
    all: impl IntoIterator<Item = (CallerRole, CommandRequest, DaemonFacts)>,
) -> String {
    let mut out = Vec::new();
    for (who, request, facts) in all {
        let caller = Caller {
            language,
            ..caller(who, facts.channel.id)
        };
        let (answer, changes) = command_test().ask_with(&caller, request.clone(), facts);
        let text = match &answer {
            CommandAnswer::File { text, name, .. } => format!("[{name}] {text}"),
            other => shown(other),
        };
        out.push(format!("{request:?}\n  {}", text.replace('\n', "\n  ")));
        out.extend(changes.iter().filter_map(|change| match change {
            DaemonChange::Announce(_, words) => Some(format!("  > {words}")),
            _ => None,
        }));
    }
    out.join("\n")
}

fn speaking(mut facts: DaemonFacts, language: Language) -> DaemonFacts {
    let persona = Persona {
        language,
        ..(*facts.policy.persona).clone()
    };
    facts.policy = Arc::new(ChannelPolicy {
        persona: Arc::new(persona),
        ..(*facts.policy).clone()
    });
    facts
}

fn sentences(language: Language) -> String {
    [
        mode_sentences(language),
        setting_sentences(language),
        text_sentences(language),
    ]
    .join("\n")
}

fn mode_sentences(language: Language) -> String {
    let here = || speaking(facts(TALK), language);
    let letter = || speaking(facts(LETTER), language);
    let off = || with_mode(here(), ChannelMode::Off);
    let m = CallerRole::Moderator;
    let hidden = DaemonFacts {
        hidden: true,
        ..off()
    };
    let nsfw = DaemonFacts {
        nsfw: true,
        ..off()
    };
    let alone = DaemonFacts {
        is_demo: true,
        ..off()
    };
    let mut mute = off();
    mute.policy = Arc::new(ChannelPolicy {
        may_send: false,
        ..(*mute.policy).clone()
    });
    told(
        language,
        [
            (m, CommandRequest::Mode(ChannelMode::On, None), off()),
            (m, CommandRequest::Mode(ChannelMode::On, None), alone),
            (m, CommandRequest::Mode(ChannelMode::On, None), mute),
            (m, CommandRequest::Mode(ChannelMode::Observe, None), off()),
            (m, CommandRequest::Mode(ChannelMode::Off, None), here()),
            (m, CommandRequest::Mode(ChannelMode::On, None), hidden),
            (m, CommandRequest::Mode(ChannelMode::Observe, None), nsfw),
            (m, CommandRequest::Mode(ChannelMode::On, Some(FAR)), here()),
            (
                CallerRole::Member,
                CommandRequest::Mode(ChannelMode::On, None),
                here(),
            ),
            (
                CallerRole::Member,
                CommandRequest::Mode(ChannelMode::On, None),
                letter(),
            ),
        ],
    )
}

fn setting_sentences(language: Language) -> String {
    use CommandRequest::{Fresh, Pause, Persona, Reset, Talkativeness as Level};
    let here = || speaking(facts(TALK), language);
    let level = |level, scope| Level(Talkativeness::Level(level), scope);
    let persona = |name: &str, scope| Persona(name.into(), scope);
    let without_personas = DaemonFacts {
        personas: vec![],
        ..here()
    };
    told(
        language,
        [
            (level(0.5, RequestScope::Here), here()),
            (level(0.5, RequestScope::All), here()),
            (level(0.9, RequestScope::Here), here()),
            (persona("kai", RequestScope::All), here()),
            (persona("bob", RequestScope::Here), here()),
            (persona("bob", RequestScope::Here), without_personas),
            (Pause(30 * MINUTE, None), here()),
            (Pause(0, None), here()),
            (Pause(400 * 24 * HOUR, None), here()),
            (Fresh, here()),
            (Reset(RequestScope::All), here()),
        ]
        .map(|(request, facts)| (CallerRole::Moderator, request, facts)),
    )
}

fn text_sentences(language: Language) -> String {
    let here = || speaking(facts(TALK), language);
    let letter = || speaking(facts(LETTER), language);
    let off = || with_mode(here(), ChannelMode::Off);
    let m = CallerRole::Moderator;
    told(
        language,
        [
            (m, CommandRequest::TakeBack(MessageId(2)), here()),
            (m, CommandRequest::TakeBack(MessageId(1)), here()),
            (m, CommandRequest::TakeBackTurn(turn_of(TALK)), here()),
            (m, CommandRequest::TakeBackTurn(turn_of(FAR)), here()),
            (m, CommandRequest::ForgetMessage(MessageId(1)), here()),
            (
                CallerRole::Member,
                CommandRequest::ForgetMessage(MessageId(2)),
                here(),
            ),
            (
                CallerRole::Member,
                CommandRequest::ForgetMessage(MessageId(9)),
                here(),
            ),
            (
                CallerRole::Member,
                CommandRequest::ForgetMe(RequestScope::Here),
                here(),
            ),
            (
                CallerRole::Member,
                CommandRequest::ForgetMe(RequestScope::All),
                here(),
            ),
            (
                CallerRole::Member,
                CommandRequest::ForgetMe(RequestScope::Here),
                letter(),
            ),
            (CallerRole::Member, CommandRequest::ExportMe, here()),
            (CallerRole::Member, CommandRequest::ExportMe, letter()),
            (
                CallerRole::Member,
                CommandRequest::OptOut(PersonPreference::DontRemember),
                here(),
            ),
            (
                CallerRole::Member,
                CommandRequest::OptOut(PersonPreference::Ignore),
                here(),
            ),
            (
                CallerRole::Member,
                CommandRequest::OptOut(PersonPreference::Remember),
                here(),
            ),
            (m, CommandRequest::Raw(turn_of(TALK)), here()),
            (
                CallerRole::Member,
                CommandRequest::Why(Some(MessageId(9))),
                here(),
            ),
            (
                CallerRole::Member,
                CommandRequest::Why(Some(MessageId(9))),
                off(),
            ),
        ],
    )
}

fn status(language: Language) -> String {
    let mut observed = with_mode(facts(TALK), ChannelMode::Observe);
    let set = |place, choice, by| OverrideRecord {
        place,
        choice,
        by,
        at: NOW - 3 * HOUR,
    };
    observed.overrides = vec![
        set(
            OverrideScope::Guild(GUILD),
            OverrideValue::Mode(ChannelMode::On),
            None,
        ),
        set(
            OverrideScope::Channel(TALK),
            OverrideValue::Mode(ChannelMode::Observe),
            Some(BEN),
        ),
    ];
    observed.names = HashMap::from([(BEN, "Ben".into())]);
    let mut stopped = facts(TALK);
    stopped.quiet_until = Some(NOW + 20 * MINUTE);
    stopped.overrides = vec![set(
        OverrideScope::Guild(GUILD),
        OverrideValue::Mode(ChannelMode::On),
        Some(ANNA),
    )];
    let policy = ChannelPolicy {
        may_send: false,
        paused_until: Some(NOW + 90 * MINUTE),
        ..(*stopped.policy).clone()
    };
    stopped.policy = Arc::new(policy);
    let alone = DaemonFacts {
        is_demo: true,
        ..facts(LETTER)
    };
    told(
        language,
        [
            (CallerRole::Host, CommandRequest::Status, facts(TALK)),
            (CallerRole::Member, CommandRequest::Status, observed),
            (CallerRole::Moderator, CommandRequest::Status, stopped),
            (CallerRole::Member, CommandRequest::Status, alone),
            (
                CallerRole::Member,
                CommandRequest::Status,
                with_mode(facts(FAR), ChannelMode::Off),
            ),
        ],
    )
}

fn why(language: Language) -> String {
    let command_test = command_test();
    command_test.says(TALK, 3, BEN, "did you see the match?");
    let mut silent = decision(TALK, 3);
    silent.address = None;
    silent.speak = false;
    (silent.score, silent.threshold) = (0.06, 0.31);
    command_test
        .store
        .save_decisions(vec![silent.clone()])
        .wait()
        .unwrap();
    command_test
        .store
        .save_decision_report(decision_report(TALK, 3, DecisionOutcome::Unwilling))
        .wait()
        .unwrap();
    command_test.says(TALK, 4, BEN, "juno?");
    let mut refused = decision(TALK, 4);
    refused.refusal = Some(Refusal::Budget);
    command_test
        .store
        .save_decisions(vec![refused])
        .wait()
        .unwrap();
    command_test.says(TALK, 5, BEN, "read later");
    let ask = |who, request: CommandRequest| {
        let caller = Caller {
            language,
            ..caller(who, TALK)
        };
        let text = shown(&command_test.ask(&caller, request.clone()).0);
        format!("{who:?} {request:?}\n  {}", text.replace('\n', "\n  "))
    };
    [
        ask(CallerRole::Member, CommandRequest::Why(Some(MessageId(1)))),
        ask(
            CallerRole::Moderator,
            CommandRequest::Why(Some(MessageId(2))),
        ),
        ask(CallerRole::Member, CommandRequest::Why(Some(MessageId(3)))),
        ask(CallerRole::Member, CommandRequest::Why(None)),
        ask(CallerRole::Member, CommandRequest::Why(Some(MessageId(5)))),
        ask(CallerRole::Member, CommandRequest::WhyTurn(turn_of(TALK))),
    ]
    .join("\n")
}

#[test]
fn sentences_read_well_in_english() {
    insta::assert_snapshot!("sentences_en", sentences(Language::EN));
}

#[test]
fn sentences_read_well_in_chinese() {
    insta::assert_snapshot!("sentences_zh", sentences(Language::ZH));
}

#[test]
fn a_status_reads_well_in_english() {
    insta::assert_snapshot!("status_en", status(Language::EN));
}

#[test]
fn a_status_reads_well_in_chinese() {
    insta::assert_snapshot!("status_zh", status(Language::ZH));
}

#[test]
fn reasons_read_well_in_english() {
    insta::assert_snapshot!("why_en", why(Language::EN));
}

#[test]
fn reasons_read_well_in_chinese() {
    insta::assert_snapshot!("why_zh", why(Language::ZH));
}

#[test]
fn how_it_is_received_is_part_of_the_status_once_there_is_something_to_tell() {
    let status = |language, reception| {
        let mood = ChannelSnapshot {
            score: None,
            threshold: 0.3,
            shift: ThresholdShift::default(),
            energy: 1.0,
            next_decision_point: None,
            unseen: 0,
            turn: None,
            quiet_until: None,
            wanted_share: 0.05,
            median_share: 0.2,
            silent_for: None,
            reception,
        };
        told(
            language,
            [(
                CallerRole::Member,
                CommandRequest::Status,
                DaemonFacts {
                    snapshot: Some(mood),
                    ..speaking(facts(TALK), language)
                },
            )],
        )
    };
    assert!(!status(Language::EN, ReceptionSummary::default()).contains("Reception"));
    let liked = ReceptionSummary {
        messages: 40,
        replied: 12,
        reacted: 9,
        silence: 22,
        taken_back: 1,
        hushed: 0,
        enough: true,
        welcome: 0.2,
    };
    let english = status(Language::EN, liked);
    let sentence = "people like it here: of its last 40 messages 12 got a reply, 9 a reaction, 22 neither; 1 taken back";
    assert!(
        english.contains(&format!("Reception: {sentence}")),
        "{english}"
    );
    let chinese = status(
        Language::ZH,
        ReceptionSummary {
            welcome: -0.2,
            ..liked
        },
    );
    assert!(
        chinese.contains("反响: 大家希望它安静些：它最近的 40 条消息中"),
        "{chinese}"
    );
}
