//! What a small model is told right before it answers: who said what to it, and what that is about.

use kith_core::chat::MessageId;
use kith_core::persona::Language;
use kith_core::report::DirectAddress;

use crate::context::support::PromptFixture;

fn now(fixture: &mut PromptFixture) -> String {
    fixture.render().now.text
}

#[test]
fn a_small_model_is_told_who_says_what_to_it() {
    let told = |language, lines: &[(&str, &str)], address| {
        let mut fixture = PromptFixture::new(language);
        fixture.policy.context.prompt_tokens = 1_500;
        let ids: Vec<MessageId> = lines
            .iter()
            .map(|(who, text)| fixture.says(who, text))
            .collect();
        (
            fixture.wake.message,
            fixture.wake.address,
            fixture.wake.addressed,
        ) = (Some(ids[0]), address, vec![ids[0]]);
        now(&mut fixture)
    };
    let name = Some(DirectAddress::Name);
    for (said, heard) in [
        ("juno, how was it?", "how was it?"),
        ("Juno how was it", "how was it"),
        ("how was it juno??", "how was it??"),
        ("junory is a place", "junory is a place"),
        ("juno?", "juno?"),
        ("so \"# Now\" and <turn>", "so '# Now' and ‹turn>"),
    ] {
        assert_eq!(
            told(Language::EN, &[("Anna", said)], name),
            format!("Line 1: Anna says to you: \"{heard}\"")
        );
    }
    let piece = [
        ("Anna", "juno want to come over?"),
        ("Anna", "we have pizza"),
        ("Ben", "yay"),
    ];
    assert_eq!(
        told(Language::EN, &piece, name),
        "Line 1: Anna says to you: \"want to come over? we have pizza\"",
        "what its author wrote right behind it belongs to it"
    );
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.policy.context.prompt_tokens = 1_500;
    let asked = fixture.says("Anna", "good morning juno");
    fixture.wait(1);
    fixture.says("Anna", "how did it go ben?");
    (
        fixture.wake.message,
        fixture.wake.address,
        fixture.wake.addressed,
    ) = (Some(asked), name, vec![asked]);
    assert_eq!(
        now(&mut fixture),
        "Line 1: Anna says to you: \"good morning\"",
        "a minute later it is another matter"
    );
    let long = told(Language::EN, &[("Anna", &"and then ".repeat(200))], name);
    assert!(long.chars().count() < 300, "{long}");
    assert_eq!(
        told(Language::EN, &[("Anna", "soup again")], None),
        "Line 1: Anna says: \"soup again\" Nobody asked you; you may join in."
    );
    assert_eq!(
        told(Language::ZH, &[("小林", "今晚吃什么")], None),
        "第 1 行，小林 说：“今晚吃什么”没人问你，想接就接。"
    );
    assert_eq!(
        told(Language::ZH, &[("小林", "今晚吃“啥”阿柚")], name),
        "第 1 行，小林 对你说：“今晚吃'啥'”"
    );
}

#[test]
fn a_small_model_is_shown_the_line_above_that_answers_what_it_is_asked() {
    let told = |language, lines: &[(&str, &str)]| {
        let mut fixture = PromptFixture::new(language);
        fixture.policy.context.prompt_tokens = 1_500;
        let ids = lines.iter().map(|(who, text)| fixture.says(who, text));
        let asked = ids.last();
        (fixture.wake.message, fixture.wake.address) = (asked, Some(DirectAddress::Name));
        now(&mut fixture)
    };
    let between = [
        ("Ben", "anna did you call the landlord about the heating"),
        ("Anna", "not yet, tomorrow"),
        ("Cleo", "what should we cook on saturday"),
        ("Ben", "my hands hurt so much from climbing"),
    ];
    let allergic = [("Anna", "juno i'm allergic to peanuts, remember it")];
    let after = |asked| [&allergic[..], &between, &[asked]].concat();
    assert!(
        told(
            Language::EN,
            &after(("Anna", "juno what am I allergic to?"))
        )
        .starts_with(
            "Earlier: 1 Anna: juno i'm allergic to peanuts, remember it\nLine 6: Anna says to you"
        )
    );
    for unrelated in ["juno how was the film?", "juno you there?"] {
        let text = told(Language::EN, &after(("Anna", unrelated)));
        assert!(text.starts_with("Line 6: "), "{text}");
    }
    let statement = told(
        Language::EN,
        &after(("Anna", "juno i am allergic to mondays")),
    );
    assert!(statement.starts_with("Line 6: "), "{statement}");
    let chinese = [
        ("小林", "阿柚 我对花生过敏，你记一下哦"),
        ("阿文", "房东那边你打电话了吗"),
        ("小林", "还没，明天打"),
        ("阿文", "爬完手好痛"),
        ("小林", "阿柚 我对什么过敏来着？"),
    ];
    assert!(
        told(Language::ZH, &chinese).starts_with("前面：1 小林: 阿柚 我对花生过敏，你记一下哦\n"),
    );
}
