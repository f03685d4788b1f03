//! Which messages ask the companion to be quiet or to talk again, and which only hold the words.

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
        "juno shut up please, too much",
        "you talk too much",
        "juno you're talking too much",
        "ok enough, juno be quiet",
        "enough, Juno",
        "小雨，够了",
        "够了",
        "话太多了",
        "小雨你话太多了",
        "够了，别说了",
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
        "shut up, that's amazing",
        "no way shut up lol",
        "he said i talk too much",
        "do i talk too much",
        "anna talks too much",
        "that's enough rice for two",
        "is that enough?",
        "够了吗",
        "钱够了",
        "这些菜够了",
        "够了够了，吃不下了",
        "他话太多了",
        "我是不是话太多了",
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
