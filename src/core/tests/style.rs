//! What a friend would not write: left out of a message, or counted.

use std::path::Path;

use kith_core::persona::Persona;
use kith_core::policy::ChannelPolicy;
use kith_core::similarity::compute_similarity;
use kith_core::style::{
    ends_in_question, find_assistant_phrases, find_narration, split_last_question,
    strip_assistant_phrases,
};
use proptest::prelude::*;

/// What of a message is said.
fn check(text: &str, said: &str) {
    let plain = strip_assistant_phrases(text);
    assert_eq!(plain.text, said, "{text}: left out {:?}", plain.left_out);
    assert_eq!(plain.left_out.is_empty(), text == said, "{text}");
}

#[test]
fn what_only_an_assistant_would_say_is_left_out_of_a_message() {
    check(
        "it opens at nine. Let me know if you need anything else!",
        "it opens at nine.",
    );
    check("Great question! it opens at nine", "it opens at nine");
    check("Great question, it opens at nine", "it opens at nine");
    check(
        "it opens at nine, let me know if you need anything else",
        "it opens at nine",
    );
    check(
        "it opens at nine. And please feel free to reach out any time 😊",
        "it opens at nine.",
    );
    check(
        "As an AI, I can't taste soup but the leek one",
        "I can't taste soup but the leek one",
    );
    check(
        "grand. If you have any other questions, just shout!",
        "grand.",
    );
    check("How can I help you today?", "");
    check("Happy to help! 😊", "");
    check("I’m here to help", "");
    check("九点开门。如果你有任何问题，随时问我！", "九点开门。");
    check("这是个好问题！九点开门", "九点开门");
    check("有什么可以帮你的吗？", "");
    check("那家九点开，希望对你有帮助", "那家九点开");
}

#[test]
fn what_a_friend_says_stays_as_it_is() {
    for text in [
        "let me know if you need a lift",
        "let me know if you'd like a lift",
        "let me know if you have any leftovers",
        "if you need anything else from the shop, text me",
        "feel free to ask marco, he has the key",
        "how can i help with the sofa",
        "到了随时告诉我",
        "feel free, the door is open",
        "i can help with the sofa on sunday",
        "happy to help you move but only for pizza",
        "he really wrote \"as an AI language model\" in his cover letter",
        "the question is great, the answer less so",
        "i'm an ai, yeah. so what",
        "`let me know if you need anything`",
        "3.5, not 3.4",
        "ok?!",
        "",
        "我来帮你搬",
        "他说“有什么可以帮您”，笑死",
        "这问题问得好",
        "我是 AI 啊，怎么啦",
    ] {
        check(text, text);
    }
}

#[test]
fn the_question_a_message_ends_in_is_told_from_what_it_says_besides() {
    for (text, kept, question) in [
        ("no way. what did he say?", "no way.", "what did he say?"),
        (
            "ha! if it rains, do we go? 😊",
            "ha!",
            "if it rains, do we go? 😊",
        ),
        ("3.5 of them\nand you?", "3.5 of them", "and you?"),
        ("太惨了。后来呢", "太惨了。", "后来呢"),
        ("哈哈！你要一起去吗？", "哈哈！", "你要一起去吗？"),
    ] {
        assert_eq!(split_last_question(text), Some((kept, question)), "{text}");
    }
    for text in [
        "what did he say?",
        "if it rains, do we go?",
        "he asked \"and you?\" ha. right?",
        "really? wow.",
        "你呢",
        "",
    ] {
        assert_eq!(split_last_question(text), None, "{text}");
    }
    assert!(ends_in_question("and you? 😊") && !ends_in_question("really? wow."));
}

#[test]
fn actions_told_between_asterisks_are_known_from_emphasis() {
    for (text, told) in [
        ("*smiles warmly* hi", Some("smiles warmly")),
        ("hi *waves*", Some("waves")),
        ("_laughing_ no way", Some("laughing")),
        ("*微笑* 你好", Some("微笑")),
        ("that is *so* good", None),
        ("*finally* somebody says it", None),
        ("**really**", None),
        ("snake_case and other_things", None),
        ("*their", None),
    ] {
        assert_eq!(find_narration(text), told, "{text}");
    }
}

#[test]
fn a_phrase_is_counted_once_where_two_overlap() {
    assert_eq!(
        find_assistant_phrases("Feel free to ask, I’d love to hear"),
        ["feel free to ask", "i'd love to hear"]
    );
    assert_eq!(find_assistant_phrases("the cat ate it"), [""; 0]);
}

#[test]
fn the_shipped_personas_sound_like_friends() {
    for file in ["juno.toml", "ayou.toml"] {
        let text = std::fs::read_to_string(
            Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
                .join("persona")
                .join(file),
        )
        .unwrap();
        let persona: Persona = toml::from_str(&text).unwrap();
        let examples = &persona.voice.examples;
        let questions = examples
            .iter()
            .filter(|line| line.ends_with(['?', '？', '吗', '呢']))
            .count();
        assert!(
            4 * questions <= examples.len(),
            "{}: {questions} of the examples are questions",
            persona.name
        );
        for line in examples {
            assert!(
                find_assistant_phrases(line).is_empty() && find_narration(line).is_none(),
                "{line}"
            );
            assert!(line.chars().count() <= 60, "{line}");
        }
    }
}

proptest! {
    #[test]
    fn nothing_is_ever_added_and_what_is_left_out_stood_there(text in "\\PC{0,80}|([a-z,.! ]{0,9}(great question|let me know if you need any help|如果你有任何问题|，)){0,5}") {
        let plain = strip_assistant_phrases(&text);
        prop_assert!(plain.left_out.iter().all(|clause| text.contains(clause.as_str())));
        let mut rest = text.chars();
        prop_assert!(plain.text.chars().all(|c| rest.any(|other| other == c)), "{} of {text}", plain.text);
        prop_assert!(plain.text.is_empty() || plain.text.chars().any(char::is_alphanumeric) || plain.left_out.is_empty());
    }
}

/// Pairs in other words, and what is said of other things in nearly the same ones.
const SAME: &[(&str, &str)] = &[
    ("啊，装修声吵到了我", "哎呀，装修声吵到我了"),
    ("今天好累啊，想睡觉了", "唉今天好累，想睡觉"),
    ("我刚到家，累死了", "刚到家，累死我了"),
    ("那我们明天再说吧", "嗯，那我们明天再说"),
    ("我也不知道怎么办啊", "哎，我也不知道怎么办呢"),
    ("外面下雨了呀，带伞吧", "外面下雨了，带伞啊"),
    ("楼下又在装修了", "哎楼下又在装修呢"),
    ("你说的那家店我去过了", "哦你说的那家店我去过"),
    ("今天晚上一起吃火锅吧", "今天晚上一起吃火锅吧！"),
    ("哇，这个蛋糕看起来好好吃", "这个蛋糕看起来好好吃啊"),
    (
        "oh the drilling woke me up again",
        "ugh, the drilling woke me up again",
    ),
    ("haha yeah i saw that one too", "i saw that one too lol"),
    (
        "well i honestly have no idea what happened",
        "i have no idea what happened",
    ),
    (
        "hmm i think it was the cat again",
        "i think it was the cat again",
    ),
    (
        "yeah the neighbours are drilling again",
        "the neighbours are drilling again, ugh",
    ),
    (
        "that film was way too long honestly",
        "honestly that film was way too long",
    ),
    (
        "so how did the exam go today?",
        "So how did the exam go, today",
    ),
    ("ok i'm heading out now", "i'm just heading out now"),
    ("aw that really made my day", "that made my day lol"),
    (
        "yeah i'll bring the blue tent",
        "okay, i'll bring the blue tent then",
    ),
];
const DIFFERENT: &[(&str, &str)] = &[
    ("明天下午我有空", "明天下午我没空"),
    ("我也想去看海边的日落", "我不想去看海边的日落"),
    ("我觉得可以去吃火锅", "我觉得可以去吃烤肉"),
    ("周六晚上八点见", "周日晚上八点见"),
    ("他说他会来的", "他说他不会来的"),
    ("那家店的咖啡不错", "那家店的蛋糕不错"),
    ("我在路上了，十分钟到", "我在路上了，二十分钟到"),
    ("今天加班到九点", "明天加班到九点"),
    ("好的", "好的"),
    ("嗯嗯好呀", "嗯嗯好呀"),
    ("i'll be there at nine", "i'll be there at ten"),
    ("yeah", "yeah"),
    ("yeah same here", "same here tbh"),
    ("no idea, ask ben", "no idea, ask anna"),
    ("the blue one is mine", "the red one is mine"),
    (
        "i like the first one better",
        "i like the second one better",
    ),
    (
        "it's two euro for the small one",
        "it's three euro for the large one",
    ),
    ("good night all", "good night ben"),
    ("sounds good to me", "sounds grand to me"),
    (
        "so how did the exam go today?",
        "what about dinner on friday then",
    ),
];

#[test]
fn lines_in_other_words_are_alike_by_what_ships_and_lines_about_other_things_are_not() {
    let bar = ChannelPolicy::default().near_duplicate;
    for (a, b) in SAME {
        assert!(
            compute_similarity(a, b) >= bar,
            "{a} / {b}: {}",
            compute_similarity(a, b)
        );
    }
    for (a, b) in DIFFERENT {
        assert!(
            compute_similarity(a, b) < bar,
            "{a} / {b}: {}",
            compute_similarity(a, b)
        );
    }
}
