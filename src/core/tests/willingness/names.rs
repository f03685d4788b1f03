//! Names in messages: which lines call their owner, and whom else they call.

use kith_core::address::{CompanionNames, NameUse, find_called_person};

use super::Channel;

/// What a message does with the name Mia, the name 小雨 and the everyday word "hope".
fn called(text: &str) -> NameUse {
    CompanionNames::new(&["Mia".into(), "小雨".into(), "hope".into()]).find_name_use(text)
}

#[test]
fn a_name_is_a_call_only_where_it_is_used_as_one_in_english() {
    let calls = [
        "Mia?",
        "mia!",
        "MIA",
        "Mia, look at this",
        "mia: what do you think",
        "hey mia",
        "hey Mia what's up",
        "Hi Mia!",
        "ok mia",
        "thanks Mia",
        "thank you Mia for the cake",
        "good morning Mia :)",
        "what do you think, Mia?",
        "so, Mia, how was it",
        "how are you mia?",
        "how are you mia",
        "@Mia come here",
        "come here @mia",
        "lol. Mia: do it",
        "nice sketch, mia!",
        "Mia you there?",
        "Mia can you help",
        "mia what's that song called",
        "right mia?",
        "are you coming today mia?",
        "night mia ❤",
        "Anna, Mia, are you coming?",
        "mia please",
        "well done, Mia.",
        "🎉 Mia, happy birthday",
        "yo mia u up",
        "Mia - any idea?",
        "i love Berlin. Mia, you?",
    ];
    for text in calls {
        assert_eq!(called(text), NameUse::Vocative, "{text}");
    }
    let named = [
        "Mia is great",
        "I saw Mia yesterday",
        "is that Mia?",
        "Mia's cat is cute",
        "have you seen Mia?",
        "Tom and Mia went home",
        "Mia and Tom went home",
        "mia can be annoying",
        "tell her mia said so",
        "I saw Anna, Mia and Tom",
        "Mia, Tom and I went there",
        "mia did it",
        "is Mia coming too or not",
        "i told Mia to come",
        "ok Mia is here",
        "the mia thing again",
    ];
    for text in named {
        assert_eq!(called(text), NameUse::Named, "{text}");
    }
    let not = [
        "miami is hot",
        "Mia-Rose, come here",
        "anna-mia: hi",
        "mia_2: hi",
        "amia, look",
        "> Mia, look",
        "hi all",
    ];
    for text in not {
        assert_eq!(called(text), NameUse::Absent, "{text}");
    }
}

#[test]
fn a_name_is_a_call_only_where_it_is_used_as_one_in_chinese() {
    let calls = [
        "小雨",
        "小雨？",
        "小雨，你觉得呢",
        "小雨你觉得呢",
        "小雨：看这个",
        "你觉得呢，小雨？",
        "你觉得呢小雨",
        "去吗小雨？",
        "谢谢小雨",
        "晚安小雨！",
        "早啊小雨",
        "小雨在吗",
        "小雨 在吗",
        "小雨帮我看看",
        "小雨晚安",
        "@小雨 来",
        "嗨小雨",
        "小雨！！快来",
        "对了，小雨你吃了吗",
        "哈哈。小雨你看",
        "小雨同学，出来",
        "小雨～",
        "小雨要不要一起去",
        "笑死，小雨你太搞笑了",
        "吃饭吧小雨",
        "hi 小雨",
        "Mia你觉得呢",
        "你去吗Mia",
        "小雨姐姐，晚上好",
        "小雨怎么看",
        "不是吧，小雨",
        "小雨快来",
    ];
    for text in calls {
        assert_eq!(called(text), NameUse::Vocative, "{text}");
    }
    let named = [
        "我喜欢小雨",
        "小雨昨天来了",
        "小雨和我去了",
        "我和小雨，还有阿明",
        "小雨、阿明都来了",
        "今天小雨没来",
        "小雨的猫很可爱",
        "昨天看到小雨了",
        "小雨出来了",
        "小雨喜欢吃鱼",
        "听小雨说的",
        "我跟小雨说过了",
    ];
    for text in named {
        assert!(called(text) <= NameUse::Named, "{text}");
    }
    assert_eq!(called("大家好"), NameUse::Absent);
    assert_eq!(
        CompanionNames::new(&["明".into()]).find_name_use("明天见"),
        NameUse::Absent,
        "a name inside a word"
    );
}

#[test]
fn an_everyday_word_as_a_name_counts_only_as_a_mention_or_at_the_start_with_a_comma() {
    for text in ["hope, come here", "Hope: what's up", "so @hope what now"] {
        assert_eq!(called(text), NameUse::Vocative, "{text}");
    }
    for text in [
        "hope so",
        "I hope, really",
        "hey hope",
        "what do you hope?",
        "hopefully, yes",
        "hope!",
    ] {
        assert_eq!(called(text), NameUse::Absent, "{text}");
    }
    let names = CompanionNames::new(&["晚安".into()]);
    assert_eq!(names.find_name_use("晚安，过来"), NameUse::Vocative);
    assert_eq!(names.find_name_use("晚安"), NameUse::Absent);
}

#[test]
fn a_member_called_by_name_is_the_one_addressed_with_or_without_a_comma() {
    let known = |name: &str| {
        ["胖虎", "小安", "小安妮", "Tom"]
            .iter()
            .position(|known| known.eq_ignore_ascii_case(name))
    };
    let calls = [
        ("胖虎你来不来", 0),
        ("胖虎，来", 0),
        ("你来吗胖虎", 0),
        ("胖虎 你到了没", 0),
        ("小安妮你到家没", 2),
        ("小安你到家没", 1),
        ("Tom can you help", 3),
        ("thanks tom", 3),
        ("@Tom look", 3),
        ("tom: look", 3),
    ];
    for (text, who) in calls {
        assert_eq!(find_called_person(text, known), Some(who), "{text}");
    }
    for text in [
        "胖虎昨天没来",
        "我跟胖虎说了",
        "大家好",
        "Tom went home",
        "i met Tom",
        "",
    ] {
        assert_eq!(find_called_person(text, known), None, "{text}");
    }
}

#[test]
fn a_longer_name_of_a_member_is_theirs() {
    let known = |name: &str| {
        ["Juno K", "阿柚子"]
            .iter()
            .position(|known| known.eq_ignore_ascii_case(name))
    };
    for (text, who) in [
        ("@Juno K can you bring chairs", 0),
        ("thanks juno k", 0),
        ("juno k are you there", 0),
        ("@阿柚子 明天带伞", 1),
        ("@阿柚子来不来", 1),
        ("谢谢阿柚子", 1),
    ] {
        assert_eq!(find_called_person(text, known), Some(who), "{text}");
    }
}

#[test]
fn whoever_is_alone_and_calls_somebody_unknown_does_not_speak_to_the_companion() {
    let is_alone = |text: &str| {
        let mut channel = Channel::new();
        let message = channel.message(2, text);
        channel.sense.is_alone(&message)
    };
    for text in [
        "Ben are you there",
        "Ben, are you coming?",
        "@ben dinner at seven",
        "hey Ben",
        "Thanks Ben!",
        "Hi Ben, how was it",
        "what do you think, Ben?",
        "小周你在吗",
        "小周，帮我带瓶水",
        "@胖虎 出来",
        "晚安小周",
    ] {
        assert!(!is_alone(text), "{text}");
    }
    for text in [
        "hello there",
        "Are you there?",
        "Paris",
        "I am in Berlin",
        "Is it in Paris, France?",
        "Ugh, what a day",
        "Yikes, what a day",
        "Recommend any good books?",
        "Translate: how are you",
        "Remind me to call mum",
        "Tokyo, then Kyoto",
        "Bro what do you think",
        "Hello, are you there?",
        "LOL you again",
        "Hey, what's up",
        "Yes, Rome",
        "Thanks!",
        "今天好累",
        "小心，你后面",
        "老哥你在吗",
        "在吗",
        "晚安",
        "大家好",
    ] {
        assert!(is_alone(text), "{text}");
    }
}
