//! What stands around a message and is for nobody: thoughts, labels, notes on its wording, other versions.

use kith_core::message_guard::GuardReason;

use crate::message_guard::inspect;

#[test]
fn private_thoughts_never_reach_people() {
    for (text, said) in [
        ("Thought: Ben is annoying\nhi", "hi"),
        ("**Thought:** Ben is annoying\nhi", "hi"),
        (
            "Thinking:\nBen is annoying\n\nhi all\nhow was it?",
            "hi all\nhow was it?",
        ),
        ("Inner monologue: Ben is annoying\n\nhi", "hi"),
        ("Juno: Thought: Ben is annoying\nJuno: hi", "hi"),
        ("Juno thinks: Ben is annoying\nhi", "hi"),
        ("(thinking: Ben is annoying) hi", "hi"),
        ("hi *thinking: Ben is annoying*", "hi"),
        ("[Thought] Ben is annoying [/Thought] hi", "hi"),
        ("[Thought] Ben is annoying\nhi", "hi"),
        ("[Thinking:] Ben is annoying\nhi", "hi"),
        ("hi\n\nThought: Ben is annoying\nHe always asks.", "hi"),
        ("hi\nThought: Ben is annoying", "hi"),
        (
            "Thought: Ben is annoying\nHe always asks.\n\nI say hi.\nFinal answer: hi",
            "hi",
        ),
        ("思考：Ben 真烦\n嗨", "嗨"),
        ("思考过程：先想想。\n\n最终回答：好呀", "好呀"),
        ("【内心】Ben真烦【/内心】嗨", "嗨"),
        ("【内心】Ben真烦\n嗨", "嗨"),
        ("（内心：Ben真烦）嗨", "嗨"),
        ("内心独白：Ben真烦\n\n嗨", "嗨"),
        ("嗨\n\n想法：Ben真烦", "嗨"),
    ] {
        assert_eq!(inspect(text).as_deref(), Ok(said), "{text}");
    }
    for text in [
        "Thought: Ben is annoying",
        "(thinking: Ben is annoying)",
        "【内心】Ben真烦【/内心】",
        "思考：Ben 真烦",
        "Thought: Ben is annoying.\nHe always asks.\nhi",
        "思考：Ben 真烦。\n\n他总这样。\n\n嗨",
        "Thought: Ben is annoying\n```\ncode\n```",
        "（这样回复比较自然）",
    ] {
        assert_eq!(inspect(text), Err(GuardReason::Thoughts), "{text}");
    }
}

#[test]
fn what_stands_around_a_message_is_taken_off() {
    for (text, said) in [
        (
            "hey, eight works\n\n(Note: I kept it short and casual.)",
            "hey, eight works",
        ),
        (
            "hey, eight works (Note: I kept it short and casual.)",
            "hey, eight works",
        ),
        (
            "hey, eight works\n\n*Note: this reply matches the tone of the chat*",
            "hey, eight works",
        ),
        (
            "hey, eight works\nNote: I tried to match the casual tone",
            "hey, eight works",
        ),
        ("hey\n\n(kept it short and casual)", "hey"),
        ("hey\n\n(Word count: 1)", "hey"),
        ("hey [end of turn]", "hey"),
        (
            "hey\n\nLet me know if you want me to change the tone!",
            "hey",
        ),
        ("好呀\n\n（这样回复比较自然）", "好呀"),
        (
            "hey, eight works. Wait, let me try again. eight is fine",
            "hey, eight works.",
        ),
        ("hey\nLet me rephrase that.\nhello there", "hey"),
        ("八点可以。等等，我重新说一遍。八点行", "八点可以。"),
        ("好呀\n\n注：这是一个友好的回复。", "好呀"),
        ("好呀\n（字数：6）", "好呀"),
        ("好呀\n\n字数：6", "好呀"),
        ("好呀（语气轻松）", "好呀"),
        ("好呀\n\n如果需要，我可以调整语气", "好呀"),
        ("Message: hey", "hey"),
        ("Response: hey", "hey"),
        ("**Reply:** hey", "hey"),
        ("Final answer: hey", "hey"),
        ("Reply to Anna: hey", "hey"),
        ("回复Anna：好呀", "好呀"),
        ("最终回复：好呀", "好呀"),
        ("Option 1: hey\nOption 2: nope", "hey"),
        (
            "Option 1:\nhey\nyou\n\nOption 2:\nnope\n\nOption 3:\nhm",
            "hey\nyou",
        ),
        ("haha yes\n\n---\n\nOption 2: nope", "haha yes"),
        ("选项1：好呀\n选项2：不了", "好呀"),
        ("方案一：好呀\n方案二：不了", "好呀"),
        ("haha\n---\nyes", "haha\n\nyes"),
        ("haha\n---", "haha"),
    ] {
        assert_eq!(inspect(text).as_deref(), Ok(said), "{text}");
    }
}

#[test]
fn dots_are_said_and_what_nobody_can_see_is_not() {
    for text in ["…", "...", "Juno: …"] {
        assert_eq!(
            inspect(text).as_deref(),
            Ok(text.trim_start_matches("Juno: ")),
            "{text}"
        );
    }
    for text in ["\u{200b}", " \u{2060}\u{feff}\n\u{ad}", "Juno: \u{e0041}"] {
        assert_eq!(inspect(text), Err(GuardReason::Empty), "{text:?}");
    }
}

#[test]
fn what_the_history_shows_of_files_and_polls_is_taken_off() {
    for text in [
        "(image: cat.png)",
        "[voice message: 5 s]",
        "(voice message)",
        "(poll: tea or coffee? — tea / coffee)",
        "（图片：cat.png）",
        "(cat.png: a cat on a sofa) (forwarded)",
    ] {
        assert_eq!(inspect(text), Err(GuardReason::PromptText), "{text}");
    }
    for (text, said) in [
        ("(image: cat.png) look at him", "look at him"),
        ("look at him [video: cat.mp4, 2 MB]", "look at him"),
        ("so (as a poll: no) it is", "so (as a poll: no) it is"),
        ("(sticker: wave)", "(sticker: wave)"),
        ("(ps: me too)", "(ps: me too)"),
    ] {
        assert_eq!(inspect(text).as_deref(), Ok(said), "{text}");
    }
}

/// What friends write that looks like thoughts, notes, labels or versions.
const UNLABELLED: &[&str] = &[
    "random thought: what if sharks had legs",
    "my thoughts: go for it",
    "thoughts?",
    "i thought: no way",
    "food for thought: no",
    "(i thought about it)",
    "我的想法：周五去",
    "我心想：完了",
    "想法不错",
    "表面：好的老板\n内心：救命",
    "outside: sure boss\nthoughts: help",
    "Note: bring snacks",
    "see you at eight\n\nNote: bring snacks",
    "see you at eight (note: bring snacks)",
    "see you at eight\n\nnote: keep it short, mum is asleep",
    "P.S. i love it",
    "hey\n\nP.S. i love it",
    "hey\n\nps: i made cookies",
    "注：明天停水",
    "八点见\n\n注：带伞",
    "八点见（记得回复他）",
    "我回他了（语气好凶）",
    "字数：8000",
    "(reply to me tomorrow)",
    "got it (will reply later)",
    "his reply: no",
    "message from mum: call her",
    "message for Ben: your mum called",
    "the answer: 42",
    "let me know if you want me to bring anything",
    "let me know if you want me to change the date",
    "option 2 sounds good",
    "Option 2: sushi",
    "方案二不错",
    "what do you think?\nOption 1: pizza\nOption 2: sushi",
    "Option 1: pizza\nOption 2: sushi\nwhich one?",
    "方案一：火锅\n方案二：烧烤\n投票",
    "version 2: now with bugs",
    "---",
    "***",
    "so--- no",
    "~~~",
    "ok here's one\nQ: what do you call a shark with legs\nA: late",
    "Q: what do you call a shark with legs\nA: late",
    "给你讲个笑话\n问：谁最怕冷\n答：企鹅",
    "user: pi\npassword: raspberry",
    "ben\nlook at this",
    "hey\nBen\nlook",
    "Ben 20:30\nAnna 21:00",
    "Ben, Anna: dinner?",
    "Ben @Anna: dinner?",
    "Anna to Ben: no way lol",
    "阿本对小安说：不行，笑死",
    "[Anna](https://example.org) wrote it",
    "Juno to the rescue",
    "Juno -> the cat",
    "Анна: она",
];

#[test]
fn who_tries_something_again_goes_on() {
    for text in [
        "Wait, let me try again.",
        "wait let me try again. ok it works now",
        "the cake sank. wait, let me try again, the oven was off",
        "see you at 7. scratch that. 8 works",
        "不对，是周五",
    ] {
        assert_eq!(inspect(text).as_deref(), Ok(text));
    }
}

#[test]
fn what_only_looks_like_a_note_or_a_thought_goes_out_as_it_is() {
    for text in UNLABELLED {
        assert_eq!(inspect(text).as_deref(), Ok(*text), "{text}");
    }
}
