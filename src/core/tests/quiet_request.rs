//! What is a request for quiet, and what only talks about it.

use kith_core::address::CompanionNames;
use kith_core::quiet_request::{QuietRequestKind, is_hush_emoji, request};

fn read(text: &str) -> Option<QuietRequestKind> {
    request(text, &CompanionNames::new(&["Juno".into(), "小雨".into()])).map(|request| request.kind)
}

#[test]
fn a_plain_request_is_one_with_whatever_politeness_around_it() {
    for text in [
        "be quiet",
        "Juno, be quiet please",
        "@Juno could you please be quiet for a bit?",
        "shut up!!",
        "ok juno stop talking now",
        "can someone tell juno to shut up",
        "bot, be quiet",
        "Don't talk, please. Thanks",
        "quiet 🙏",
        "安静",
        "小雨，你能不能先安静一会儿？谢谢",
        "别说话了",
        "闭嘴吧小雨",
        "请安静一下",
    ] {
        assert_eq!(read(text), Some(QuietRequestKind::Quiet), "{text}");
    }
    for text in [
        "you can talk again",
        "ok Juno you can speak now",
        "小雨你可以说话了",
        "no need to be quiet anymore",
    ] {
        assert_eq!(read(text), Some(QuietRequestKind::Speak), "{text}");
    }
}

#[test]
fn talk_about_quiet_is_no_request() {
    for text in [
        "be quiet guys",
        "it is so quiet in here today",
        "quiet?",
        "shut up 😂",
        "shut up lol",
        "shut up and tell me the score",
        "i told her to be quiet",
        "Juno why are you so quiet",
        "why don't you talk about your day",
        "Anna be quiet",
        "how do i stop talking to people",
        "please",
        "",
        "大家安静",
        "今天好安静啊朋友们",
        "你说话好大声",
        "他让我闭嘴我就走了",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn the_words_say_whose_business_it_is() {
    let names = CompanionNames::new(&["Juno".into()]);
    let of = |text| request(text, &names).map(|request| (request.named, request.bot));
    assert_eq!(of("be quiet juno"), Some((true, false)));
    assert_eq!(of("quiet bot"), Some((false, true)));
    assert_eq!(of("机器人闭嘴"), Some((false, true)));
    assert_eq!(of("shush"), Some((false, false)));
    assert!(is_hush_emoji("🤫") && is_hush_emoji("🤫\u{fe0f}") && !is_hush_emoji("🤐"));
}
