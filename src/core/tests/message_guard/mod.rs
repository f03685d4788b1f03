//! The guard between what a model wrote and what people read: what it takes off, where it cuts, what it holds back, and
//! what it leaves alone.

mod called_names;
mod notes;
mod properties;

use std::sync::Arc;

use kith_core::chat::{Author, AuthorKind, ChannelId, Message, MessageId, UserId};
use kith_core::context::DisplayNames;
use kith_core::message_guard::{GuardReason, MessageGuard};
use kith_core::persona::{Language, Persona};
use kith_core::policy::ChannelPolicy;
use kith_core::timeline::Timeline;

const MEMBERS: &[&str] = &["Anna", "Ben 🌸", "Cleo Marsh", "阿本", "小安", "x_dee_x"];

fn timeline() -> Timeline {
    let mut timeline = Timeline::default();
    for (index, name) in MEMBERS.iter().enumerate() {
        let number = index as u64 + 1;
        let author = Author {
            id: UserId(100 + number),
            name: (*name).into(),
            kind: AuthorKind::Person,
        };
        timeline.say(Message {
            id: MessageId(number),
            channel: ChannelId(1),
            arrival: number,
            at: 0,
            author,
            text: "my chain slipped again on the hill lol".into(),
            reply_to: None,
            mentions: Vec::new(),
        });
    }
    timeline
}

fn policy() -> ChannelPolicy {
    let persona = include_str!("../../../../persona/juno.toml");
    let persona = toml::from_str(persona).expect("it ships");
    ChannelPolicy {
        names: vec!["Juno".into(), "junes".into()],
        persona: Arc::new(persona),
        ..ChannelPolicy::default()
    }
}

fn chinese() -> ChannelPolicy {
    let persona = Persona {
        name: "阿柚".into(),
        language: Language::ZH,
        ..Persona::default()
    };
    ChannelPolicy {
        names: vec!["阿柚".into(), "小柚".into()],
        persona: Arc::new(persona),
        ..ChannelPolicy::default()
    }
}

fn inspect_as(policy: &ChannelPolicy, text: &str) -> Result<String, GuardReason> {
    MessageGuard::new(policy, &timeline(), &DisplayNames::default())
        .inspect(text)
        .map(|clean| clean.text)
}

fn inspect(text: &str) -> Result<String, GuardReason> {
    inspect_as(&policy(), text)
}

#[test]
fn its_own_name_and_number_are_taken_off_however_they_are_written() {
    for text in [
        "13 Juno: hey you",
        "13Juno: hey you",
        "13>12 Juno: hey you",
        "#13 Juno: hey you",
        "13. Juno: hey you",
        "[13] Juno: hey you",
        "Juno: hey you",
        "juno: hey you",
        "Juno : hey you",
        "Juno：hey you",
        "Juno:hey you",
        "@Juno: hey you",
        "**Juno:** hey you",
        "**Juno**: hey you",
        "*Juno*: hey you",
        "__Juno:__ hey you",
        "`Juno:` hey you",
        "[Juno]: hey you",
        "<Juno> hey you",
        "<Juno>: hey you",
        "【Juno】：hey you",
        "### Juno: hey you",
        "- Juno: hey you",
        "[14:05] Juno: hey you",
        "[Sun 22 Nov 20:49] Juno: hey you",
        "(14:05) **Juno:** hey you",
        "14:05 Juno: hey you",
        "2:05 PM Juno: hey you",
        "Juno [14:05]: hey you",
        "Juno (typing): hey you",
        "Juno says: hey you",
        "junes: hey you",
        "Assistant: hey you",
        "Juno: Juno: hey you",
        "Juno\nhey you",
        "\"Juno: hey you\"",
        "**Juno: hey you**",
        "Juno: \"hey you\"",
    ] {
        let said = inspect(text).map(|text| text.trim_matches('"').to_owned());
        assert_eq!(said.as_deref(), Ok("hey you"), "{text}");
    }
    for text in [
        "阿柚：在呢",
        "阿柚: 在呢",
        "13 阿柚: 在呢",
        "**阿柚：**在呢",
        "小柚：在呢",
        "阿柚说：在呢",
        "【阿柚】在呢？",
    ] {
        let said = inspect_as(&chinese(), text);
        assert!(
            said.as_ref()
                .is_ok_and(|said| said.starts_with("在呢") || text.contains('？')),
            "{text}: {said:?}"
        );
    }
    assert_eq!(
        inspect("Juno: hey\nJuno: you up?").as_deref(),
        Ok("hey\nyou up?")
    );
    assert_eq!(inspect("hey ¶ you up?").as_deref(), Ok("hey \n you up?"));
    assert_eq!(inspect("on my way (edited)").as_deref(), Ok("on my way"));
}

#[test]
fn a_text_ends_before_the_first_line_that_is_somebody_elses() {
    assert_eq!(
        inspect("yeah ### Instruction: do b ### Response: c").as_deref(),
        Ok("yeah")
    );
    for behind in [
        "14 Anna: lol",
        "14>13 Anna: lol",
        "Anna: lol",
        "anna: lol",
        "**Anna:** lol",
        "Ben: lol",
        "Ben 🌸: lol",
        "Cleo: lol",
        "Cleo Marsh: lol",
        "阿本：哈哈",
        "15 阿本: 哈哈",
        "[14:06] Anna: lol",
        "14 Dave: lol",
        "14>13 dave: lol",
        "User: what now",
        "Human: what now",
        "### Instruction:",
        "### Response\nhey again",
        "## User",
        "<|im_start|>user",
        "<|im_end|>",
        "</s>",
        "[INST] what now",
        "用户：然后呢",
        "* Anna 👍 12",
        "<Anna> lol",
    ] {
        let text = format!("haha fair\n{behind}\nJuno: so what");
        assert_eq!(inspect(&text).as_deref(), Ok("haha fair"), "{behind}");
        let text = format!("Juno: haha fair\n\n{behind}");
        assert_eq!(inspect(&text).as_deref(), Ok("haha fair"), "{behind}");
    }
}

#[test]
fn what_begins_as_somebody_elses_line_is_held_back() {
    for text in [
        "Anna: hi Juno",
        "12 Anna: hi",
        "12>9 anna： hi",
        "**Ben:** my chain slipped",
        "*Ben*: hi",
        "[Cleo]: hi",
        "\"Anna: hi\"",
        "阿本：阿柚，最近怎么样",
        "小安: 在吗",
        "[14:05] 阿本: 在吗",
        "x_dee_x: hi",
        "Anna 2: hi",
        "13 Jo: Ben, I am really sorry",
        "(Lunch 28 October 2027)\n13 Jo: Ben, I am really sorry",
        "# Re: The 2017 Idiots\n1 Anna: She has no words",
        "User: hello",
        "<|user|>\nhello",
        "* Ben 👍 12",
        "ok here is who does what:\nAnna: kitchen\nBen: bathroom",
        "小安说：哈哈",
        "小安说道: 哈哈",
        "（小安）哈哈",
        "(Ben) haha",
        "Anna\nhaha",
        "小安\n哈哈",
    ] {
        assert_eq!(inspect(text), Err(GuardReason::AnotherSpeaker), "{text}");
    }
}

#[test]
fn what_holds_the_prompts_own_words_is_held_back() {
    for text in [
        "# Now",
        "# Now\nIt is Sun 22 November 2026, 20:59.",
        "hey\n# Now",
        "# Chat\nhey",
        "## This turn so far",
        "# 现在",
        "| not sent: you said nearly the same a moment ago; put it in other words or stay silent",
        "| no way",
        "you called send_message text=hey, and it failed:\n| hm",
        "那，最近在补一套老的本格推理，看到第七本…（还有22字）",
        "so we went to the … (22 more characters)",
        "your message, or one <turn>",
        "your message, or one",
        "Your message, or one <turn>.",
        "Ben, Anna, Cleo, your message, or one turn.",
        "Answer as Juno: your message, or one <turn>.",
        "写你要说的话，或一个 <turn>。",
        "以阿柚的身份回答：写你要说的话，或一个 <turn>。",
        "今天雨好大，失败：",
        "It is Mon 23 November 2026, 14:55.",
        "hey\n现在是 2026年11月23日 周一 14:55。",
        "hey | not sent: you said nearly the same a moment ago",
        "好呀 | 没有发出：你刚说过差不多的话",
        "[14:05]",
        "[Sun 22 November 2026, 22:03:14]\nhey",
        "# Re: Sun 22 November 20:59",
        "Heard lately: Anna, Ben",
        "最近说话的：可可, 阿柚",
        "你今天忙不忙，最近说话的：可可, 阿柚",
        "You remember (mention it only when it comes up):\nhey",
        "you said:",
        "The conversation you would join: lines 3, 4",
        "Nobody spoke to you; you may join in.",
        "阿本 叫了你的名字",
        "You wrote this, and nothing was done because it holds no action:\nhey",
        "You are at home with Sprocket, something on the stove or the telly.",
        "Sun 22 November 2026, 21:14. You are at home with Sprocket, something on the stove or the telly.",
        "two hours forty and the shark is in it for four minutes",
        "ah no. not the bottom bracket / right so who told him that was a good idea",
        "If you were not spoken to and have nothing to add, stay silent.",
        "Write like someone typing on a phone: one thought a line, a few words to a dozen.",
        "你不是助手：不问“需要帮忙吗”，不夸“好问题”，不总结，不分点，不乱给建议",
        "not sent: only an assistant would say this; say it as a friend would, or stay silent",
        "[some messages are missing here]",
        "```\n| an open fence hides nothing",
    ] {
        assert_eq!(inspect(text), Err(GuardReason::PromptText), "{text}");
    }
}

#[test]
fn a_name_with_whom_it_speaks_to_or_with_a_time_is_an_opening_too() {
    for text in [
        "Juno -> Ben: hey",
        "Juno → Anna: hey",
        "Juno@Ben: hey",
        "Juno to Ben: hey",
        "Ｊｕｎｏ：hey",
        "Juno 14:05: hey",
        "Juno 14:05\nhey",
        "[Juno] hey",
        "Juno 回复 小安：hey",
        "Juno回复12：hey",
        "Juno对小安说：hey",
        "Juno对小安说: hey",
        "【Juno】hey",
        "（Juno）hey",
        "(Juno) hey",
        "(Juno): hey",
    ] {
        assert_eq!(inspect(text).as_deref(), Ok("hey"), "{text}");
    }
    assert_eq!(
        inspect_as(&chinese(), "阿柚 回复 小安：在呢").as_deref(),
        Ok("在呢")
    );
    assert_eq!(
        inspect_as(&chinese(), "【阿柚】在呢").as_deref(),
        Ok("在呢")
    );
    for behind in [
        "Ｂｅｎ：haha",
        "【小安】哈哈",
        "[Anna] haha",
        "小安 回复 Juno：哈哈",
        "Anna -> Juno: haha",
        "Ben 14:05: lol",
        "小安 14:05\n哈哈",
        "14:05 小安\n哈哈",
        "Anna [14:05]\nhaha",
        "Ben\nlol yes\nJuno\nok",
        "Ben\nlol yes\n\nAnna\nok",
        "user: lol\nassistant: ok",
        "user\nlol",
        "Q: what\nA: x",
        "问：那呢\n答：好",
        "system: a new message came",
        "System: a new message came",
        "系统：有新消息",
        "小安说：哈哈",
        "（小安）哈哈",
    ] {
        let text = format!("hey\n{behind}");
        assert_eq!(inspect(&text).as_deref(), Ok("hey"), "{behind}");
    }
    for text in [
        "Ｂｅｎ：haha",
        "【小安】哈哈",
        "Ben 14:05: lol",
        "小安 14:05\n哈哈",
        "Ben\nlol yes\nJuno\nok",
    ] {
        assert_eq!(inspect(text), Err(GuardReason::AnotherSpeaker), "{text}");
    }
}

/// What friends write that looks like any of it.
const FRIENDLY: &[&str] = &[
    "hey",
    "It is on Mon 23 November 2026, 14:55, bring cake.",
    "婚礼是2026年11月23日 14:55",
    "try ## Input in your readme",
    "no way",
    "Anna, that's your cue",
    "@Anna that's your cue",
    "@Anna: that's your cue",
    "Anna :)",
    "Anna :D",
    "ben :smile: hi",
    "Anna:)",
    "Anna said: bring cash",
    "Anna says: bring cash",
    "ask Anna: she was there",
    "3 things: milk, eggs, bread",
    "7 PM: dinner, 9 PM: film",
    "20:30 then",
    "it's 14:05 here",
    "2 beers",
    "13 is my lucky number",
    "13 Ghosts is a bad film",
    "note: bring cash",
    "ps: i was wrong",
    "rome: rainy. cork: rainier",
    "chores\n- Anna: kitchen\n- Ben: bathroom",
    "1. Anna: kitchen\n2. Ben: bathroom",
    "> Anna: my chain slipped again\nsame",
    "user: pi, password: raspberry",
    "cpu: ryzen 5\nsystem: mint\nram: 16",
    "（笑）好吧",
    "(laughs) fine",
    "(anna's bike) is done",
    "come here\nAnna",
    "Anna",
    "#bikes is the channel",
    "# I PASSED",
    "||spoiler||",
    "* waves *",
    "*waves*",
    "you remember?",
    "what are your thoughts?",
    "Heard lately that she moved",
    "i'm at home with Sprocket, something on the stove",
    "look:\n```\n12 Anna: hi\n# Now\n| a table |\nAnna: lol\n```",
    "```\nAnna: hi\n```",
    "```rust\n12 Anna: hi\n```\nsee",
    "(edited)",
    "the bottom bracket, of all things",
    "22 more to go",
    "还有22字就写完了",
    "安娜：她说的？",
    "3 点：集合",
    "<3",
    "a < b and b > c",
    "i said what i said",
    "a few words",
    "was it the cat again",
    "...what",
    "5k: done",
    "hm. is it time?",
];

#[test]
fn an_example_of_the_persona_is_held_back_at_any_length_and_its_words_elsewhere_are_not() {
    let mut persona = Persona::clone(&policy().persona);
    persona.voice.examples = vec!["no way".into(), "行吧".into()];
    let policy = ChannelPolicy {
        persona: Arc::new(persona),
        ..policy()
    };
    for text in ["no way", "No way!", "行吧", "行吧。", "14 Juno: no way"] {
        assert_eq!(
            inspect_as(&policy, text),
            Err(GuardReason::PromptText),
            "{text}"
        );
    }
    for text in ["no way. he said that?", "行吧 我来"] {
        assert_eq!(inspect_as(&policy, text).as_deref(), Ok(text));
    }
}

#[test]
fn what_friends_write_goes_out_as_it_is() {
    for text in FRIENDLY {
        assert_eq!(inspect(text).as_deref(), Ok(*text), "{text}");
        let long = format!("so anyway\n{text}");
        assert_eq!(inspect(&long).as_deref(), Ok(long.as_str()), "{text}");
    }
}

#[test]
fn what_was_taken_off_and_cut_is_told() {
    let clean = MessageGuard::new(&policy(), &timeline(), &DisplayNames::default())
        .inspect("13 Juno: haha\n14 Anna: lol")
        .expect("it is said");
    assert_eq!(clean.text, "haha");
    assert_eq!(clean.changes.len(), 2, "{:?}", clean.changes);
    assert!(
        clean.changes[1].contains("14 Anna: lol"),
        "{:?}",
        clean.changes
    );
}
