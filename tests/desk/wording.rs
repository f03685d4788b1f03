//! What people read, in both languages, as it is.

use kith::core::by_hand::{Choice, Place, SetByHand};
use kith::core::lane::Mood;
use kith::core::people::Wish;
use kith::core::talkativeness::Talkativeness;
use kith::core::willingness::Reception;

use super::*;

/// Requests and what is answered and announced, one below the other.
fn told(language: Language, all: impl IntoIterator<Item = (Who, Request, Facts)>) -> String {
    let mut out = Vec::new();
    for (who, request, facts) in all {
        let asker = Asker { language, ..asker(who, facts.channel.id) };
        let (answer, changes) = house().ask_with(&asker, request.clone(), facts);
        let text = match &answer {
            Answer::File { text, name, .. } => format!("[{name}] {text}"),
            other => shown(other),
        };
        out.push(format!("{request:?}\n  {}", text.replace('\n', "\n  ")));
        out.extend(changes.iter().filter_map(|change| match change {
            Change::Announce(_, words) => Some(format!("  > {words}")),
            _ => None,
        }));
    }
    out.join("\n")
}

fn speaking(mut facts: Facts, language: Language) -> Facts {
    let persona = Persona { language, ..(*facts.policy.persona).clone() };
    facts.policy = Arc::new(Policy { persona: Arc::new(persona), ..(*facts.policy).clone() });
    facts
}

fn sentences(language: Language) -> String {
    let here = || speaking(facts(TALK), language);
    let letter = || speaking(facts(LETTER), language);
    let off = || with_mode(here(), Mode::Off);
    let m = Who::Moderator;
    let hidden = Facts { hidden: true, ..off() };
    let nsfw = Facts { nsfw: true, ..off() };
    let alone = Facts { stand_in: true, ..off() };
    let mut mute = off();
    mute.policy = Arc::new(Policy { may_send: false, ..(*mute.policy).clone() });
    told(
        language,
        [
            (m, Request::Mode(Mode::On, None), off()),
            (m, Request::Mode(Mode::On, None), alone),
            (m, Request::Mode(Mode::On, None), mute),
            (m, Request::Mode(Mode::Observe, None), off()),
            (m, Request::Mode(Mode::Off, None), here()),
            (m, Request::Mode(Mode::On, None), hidden),
            (m, Request::Mode(Mode::Observe, None), nsfw),
            (m, Request::Mode(Mode::On, Some(FAR)), here()),
            (Who::Member, Request::Mode(Mode::On, None), here()),
            (Who::Member, Request::Mode(Mode::On, None), letter()),
            (m, Request::Talkativeness(Talkativeness::Level(0.5), Extent::Here), here()),
            (m, Request::Talkativeness(Talkativeness::Level(0.5), Extent::All), here()),
            (m, Request::Talkativeness(Talkativeness::Level(0.9), Extent::Here), here()),
            (m, Request::Persona("kai".into(), Extent::All), here()),
            (m, Request::Persona("bob".into(), Extent::Here), here()),
            (m, Request::Persona("bob".into(), Extent::Here), Facts { personas: vec![], ..here() }),
            (m, Request::Pause(30 * MINUTE, None), here()),
            (m, Request::Pause(0, None), here()),
            (m, Request::Pause(400 * 24 * HOUR, None), here()),
            (m, Request::Fresh, here()),
            (m, Request::Reset(Extent::All), here()),
            (m, Request::TakeBack(MessageId(2)), here()),
            (m, Request::TakeBack(MessageId(1)), here()),
            (m, Request::TakeBackTurn(turn_of(TALK)), here()),
            (m, Request::TakeBackTurn(turn_of(FAR)), here()),
            (m, Request::ForgetMessage(MessageId(1)), here()),
            (Who::Member, Request::ForgetMessage(MessageId(2)), here()),
            (Who::Member, Request::ForgetMessage(MessageId(9)), here()),
            (Who::Member, Request::ForgetMe(Extent::Here), here()),
            (Who::Member, Request::ForgetMe(Extent::All), here()),
            (Who::Member, Request::ForgetMe(Extent::Here), letter()),
            (Who::Member, Request::ExportMe, here()),
            (Who::Member, Request::ExportMe, letter()),
            (Who::Member, Request::OptOut(Wish::DontRemember), here()),
            (Who::Member, Request::OptOut(Wish::Ignore), here()),
            (Who::Member, Request::OptOut(Wish::Remember), here()),
            (m, Request::Raw(turn_of(TALK)), here()),
            (Who::Member, Request::Why(Some(MessageId(9))), here()),
            (Who::Member, Request::Why(Some(MessageId(9))), off()),
        ],
    )
}

fn status(language: Language) -> String {
    let mut observed = with_mode(facts(TALK), Mode::Observe);
    let set = |place, choice, by| SetByHand { place, choice, by, at: NOW - 3 * HOUR };
    observed.by_hand = vec![
        set(Place::Guild(GUILD), Choice::Mode(Mode::On), None),
        set(Place::Channel(TALK), Choice::Mode(Mode::Observe), Some(BEN)),
    ];
    observed.names = HashMap::from([(BEN, "Ben".into())]);
    let mut stopped = facts(TALK);
    stopped.quiet_until = Some(NOW + 20 * MINUTE);
    stopped.by_hand = vec![set(Place::Guild(GUILD), Choice::Mode(Mode::On), Some(ANNA))];
    let policy = Policy { may_send: false, paused_until: Some(NOW + 90 * MINUTE), ..(*stopped.policy).clone() };
    stopped.policy = Arc::new(policy);
    let alone = Facts { stand_in: true, ..facts(LETTER) };
    told(
        language,
        [
            (Who::Host, Request::Status, facts(TALK)),
            (Who::Member, Request::Status, observed),
            (Who::Moderator, Request::Status, stopped),
            (Who::Member, Request::Status, alone),
            (Who::Member, Request::Status, with_mode(facts(FAR), Mode::Off)),
        ],
    )
}

fn why(language: Language) -> String {
    let house = house();
    house.says(TALK, 3, BEN, "did you see the match?");
    let mut silent = decision(TALK, 3);
    silent.address = None;
    silent.speak = false;
    (silent.score, silent.bar) = (0.06, 0.31);
    house.store.save_decisions(vec![silent.clone()]).wait().unwrap();
    house.store.save_beat(beat(TALK, 3, BeatOutcome::BelowBar)).wait().unwrap();
    house.says(TALK, 4, BEN, "juno?");
    let mut refused = decision(TALK, 4);
    refused.refusal = Some(Refusal::Budget);
    house.store.save_decisions(vec![refused]).wait().unwrap();
    house.says(TALK, 5, BEN, "read later");
    let ask = |who, request: Request| {
        let asker = Asker { language, ..asker(who, TALK) };
        let text = shown(&house.ask(&asker, request.clone()).0);
        format!("{who:?} {request:?}\n  {}", text.replace('\n', "\n  "))
    };
    [
        ask(Who::Member, Request::Why(Some(MessageId(1)))),
        ask(Who::Moderator, Request::Why(Some(MessageId(2)))),
        ask(Who::Member, Request::Why(Some(MessageId(3)))),
        ask(Who::Member, Request::Why(None)),
        ask(Who::Member, Request::Why(Some(MessageId(5)))),
        ask(Who::Member, Request::WhyTurn(turn_of(TALK))),
    ]
    .join("\n")
}

#[test]
fn sentences_read_well_in_english() {
    insta::assert_snapshot!("sentences_en", sentences(Language::En));
}

#[test]
fn sentences_read_well_in_chinese() {
    insta::assert_snapshot!("sentences_zh", sentences(Language::Zh));
}

#[test]
fn a_status_reads_well_in_english() {
    insta::assert_snapshot!("status_en", status(Language::En));
}

#[test]
fn a_status_reads_well_in_chinese() {
    insta::assert_snapshot!("status_zh", status(Language::Zh));
}

#[test]
fn reasons_read_well_in_english() {
    insta::assert_snapshot!("why_en", why(Language::En));
}

#[test]
fn reasons_read_well_in_chinese() {
    insta::assert_snapshot!("why_zh", why(Language::Zh));
}

#[test]
fn how_it_is_received_is_part_of_the_status_once_there_is_something_to_tell() {
    let status = |language, reception| {
        let mood = Mood {
            score: None,
            bar: 0.3,
            moved: Moved::default(),
            energy: 1.0,
            next_beat: None,
            unseen: 0,
            turn: None,
            quiet_until: None,
            silent_for: None,
            reception,
        };
        told(language, [(Who::Member, Request::Status, Facts { mood: Some(mood), ..speaking(facts(TALK), language) })])
    };
    assert!(!status(Language::En, Reception::default()).contains("Reception"));
    let liked = Reception {
        messages: 40,
        replied: 12,
        reacted: 9,
        silence: 22,
        taken_back: 1,
        hushed: 0,
        enough: true,
        welcome: 0.2,
    };
    let english = status(Language::En, liked);
    let sentence =
        "people like it here: of its last 40 messages 12 got a reply, 9 a reaction, 22 neither; 1 taken back";
    assert!(english.contains(&format!("Reception: {sentence}")), "{english}");
    let chinese = status(Language::Zh, Reception { welcome: -0.2, ..liked });
    assert!(chinese.contains("反响: 大家希望它安静些：它最近的 40 条消息中"), "{chinese}");
}
