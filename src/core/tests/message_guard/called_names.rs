//! Names that are called in front of a message: of whom it answers, and its own.

use super::*;

#[test]
fn the_name_of_whom_it_answers_is_taken_off_the_beginning() {
    let guard = |name: &str| {
        let timeline = timeline();
        let said = timeline
            .messages()
            .find(|said| *said.message.author.name == *name)
            .expect("they spoke");
        let names = DisplayNames::default();
        MessageGuard::new(&policy(), &timeline, &names)
            .with_answered_authors(std::iter::once(&said.message.author), &names)
    };
    let said = |name: &str, text: &str| guard(name).inspect(text).map(|clean| clean.text);
    for text in [
        "@Anna: Hi!",
        "@anna, Hi!",
        "@Anna，Hi!",
        "Anna: Hi!",
        "**Anna:** Hi!",
        "**@Anna**: Hi!",
        "Anna\nHi!",
    ] {
        assert_eq!(said("Anna", text).as_deref(), Ok("Hi!"), "{text}");
    }
    assert_eq!(said("Anna", "Juno: @Anna: Hi!").as_deref(), Ok("Hi!"));
    assert_eq!(said("Ben 🌸", "Ben: haha").as_deref(), Ok("haha"));
    assert_eq!(said("小安", "小安：在呢").as_deref(), Ok("在呢"));
    for text in [
        "Anna, Hi!",
        "@Anna Hi!",
        "Anna :)",
        "Anna :smile: hi",
        "Anna says: bring cash",
        "hi\n@Anna: you too",
    ] {
        assert_eq!(said("Anna", text).as_deref(), Ok(text));
    }
    for text in [
        "@Anna: Ben: haha",
        "12 Anna: hi",
        "Ben: haha",
        "Ben\nhaha",
        "Anna: hi\nBen: yo\nAnna: ok",
    ] {
        let held = said("Anna", text);
        assert!(
            held == Err(GuardReason::AnotherSpeaker) || held.as_deref() == Ok("hi"),
            "{text}: {held:?}"
        );
    }
}

#[test]
fn its_own_name_that_it_calls_itself_by_is_taken_off() {
    for (text, left) in [
        ("Juno, sure thing", "sure thing"),
        ("@Juno， sure", "sure"),
        ("juno, juno, yes", "yes"),
    ] {
        assert_eq!(inspect(text).as_deref(), Ok(left), "{text}");
    }
    for (text, left) in [
        ("Good morning, Juno!", "Good morning!"),
        ("happy birthday, @juno 🎉", "happy birthday 🎉"),
    ] {
        assert_eq!(inspect(text).as_deref(), Ok(left), "{text}");
    }
    let chinese = chinese();
    let own = chinese.persona.name.clone();
    assert_eq!(
        inspect_as(&chinese, &format!("早啊，{own}")).as_deref(),
        Ok("早啊")
    );
    assert_eq!(
        inspect_as(&chinese, &format!("{own}，我也想去")).as_deref(),
        Ok("我也想去")
    );
    for text in [
        "Juno here",
        "juno and Ben are late",
        "ask Juno, she knows",
        "it's me, Juno's bike and i",
    ] {
        assert_eq!(inspect(text).as_deref(), Ok(text));
    }
}
