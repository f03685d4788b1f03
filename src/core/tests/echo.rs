//! A member's line, an answer, and whether the answer only tells the line again as its own.

use kith_core::echo::{MemberLine, is_echo};

/// Told again: asked for once more.
const ECHOES: &[(&str, &str)] = &[
    (
        "can't, thesis due friday",
        "Oh, that's tough! I can't, thesis due Friday.",
    ),
    (
        "can't, thesis due friday",
        "i can't, my thesis is due friday",
    ),
    (
        "can't, thesis due friday",
        "I'm sorry to hear that, it must be a lot of work right now. I can't, thesis due friday",
    ),
    ("i failed my driving test", "I failed my driving test :("),
    (
        "i failed my driving test",
        "oh no, i failed my driving test",
    ),
    (
        "my chain slipped again on the hill lol",
        "my chain slipped again on the hill lol",
    ),
    (
        "my laptop died in the middle of the exam",
        "ugh. my laptop died in the middle of the exam",
    ),
    ("want something spicy", "i want something spicy"),
    ("i got the job!!", "i got the job!"),
    (
        "dentist at nine tomorrow",
        "yeah, i have the dentist at nine tomorrow",
    ),
    (
        "the cat knocked my mug off the shelf",
        "lol the cat knocked my mug off the shelf, a classic",
    ),
    ("which one", "which one?"),
    (
        "what should we watch tonight, horror or sci-fi?",
        "Hey, what should we watch tonight, horror or sci-fi?",
    ),
    ("red or blue", "red or blue"),
    (
        "how is the raleigh coming along",
        "so how is the raleigh coming along?",
    ),
    ("三次正常吧", "是的，我确实三次正常吧。"),
    ("我面试又挂了……", "啊，我面试挂了……"),
    ("我考试过了", "我考试过了！"),
    (
        "房东又把暖气关了，冻死我了",
        "哈哈，房东又把暖气关了，冻死我了，真的",
    ),
    ("想吃辣的", "我想吃辣的"),
    ("我睡不着", "我睡不着"),
    ("周五交论文，去不了", "唉，我周五交论文，去不了"),
    ("你是不是机器人啊", "你好，你是不是机器人啊？"),
    ("你是不是机器人啊", "我是不是机器人啊？"),
    ("火锅还是烤鱼", "火锅还是烤鱼"),
    ("今天雨好大啊，鞋全湿了", "今天雨好大啊，我鞋全湿了"),
];

/// An answer, whatever it shares with the line.
const ANSWERS: &[(&str, &str)] = &[
    ("can't, thesis due friday", "me too, thesis due friday"),
    (
        "can't, thesis due friday",
        "i can't either, thesis due friday and all that",
    ),
    ("can't, thesis due friday", "thesis due friday? ouch"),
    (
        "can't, thesis due friday",
        "so you can't, thesis due friday, got it",
    ),
    ("can't, thesis due friday", "anna can't, thesis due friday"),
    (
        "can't, thesis due friday",
        "\"can't, thesis due friday\" is what you always say",
    ),
    ("can't, thesis due friday", "good luck with the thesis"),
    (
        "i failed my driving test",
        "you failed your driving test? that's rough",
    ),
    ("i failed my driving test", "i failed mine twice"),
    ("i love that song so much", "i love that song"),
    ("i love you", "i love you"),
    ("i have no idea", "honestly i have no idea"),
    ("good morning", "good morning"),
    ("happy birthday cleo", "happy birthday cleo!"),
    ("promise", "i promise"),
    ("remember that?", "i remember that"),
    (
        "will there be others on the ferry to the island?",
        "there will be others on the ferry to the island",
    ),
    (
        "is the shop closed on sundays",
        "the shop is closed on sundays",
    ),
    ("tea or coffee", "tea, always tea"),
    (
        "i just watched the two towers again",
        "the two towers is my favourite",
    ),
    (
        "the cat knocked my mug off the shelf",
        "the cat did what, poor mug",
    ),
    ("我考试过了", "考试过了？太好了"),
    ("我考试过了", "恭喜！考试过了就好"),
    ("想吃辣的", "我也想吃辣的"),
    ("我想你了", "我想你了"),
    ("喜欢吃辣吗?", "我喜欢吃辣"),
    ("我面试又挂了……", "面试挂了没事，下次会好的"),
    ("房东又把暖气关了，冻死我了", "冻死你了？快去我家"),
    ("周五交论文，去不了", "我也周五交论文，去不了"),
    ("看了《流浪地球》哭死", "《流浪地球》看了哭死，我懂"),
    ("早安", "早安"),
    ("你是不是机器人啊", "我是啊，怎么了"),
    ("火锅还是烤鱼", "烤鱼"),
    ("我不知道", "我真不知道啊"),
];

#[test]
fn a_members_line_told_again_is_an_echo_and_what_answers_it_is_none() {
    let is_held = |(line, answer): &(&str, &str)| {
        let line = MemberLine {
            text: line,
            author: "Anna",
            is_answered: true,
            shortest: 20,
        };
        is_echo(answer, &line)
    };
    let passed: Vec<_> = ECHOES.iter().filter(|pair| !is_held(pair)).collect();
    let held: Vec<_> = ANSWERS.iter().filter(|pair| is_held(pair)).collect();
    assert!(
        passed.is_empty() && held.is_empty(),
        "let through: {passed:#?}\nheld: {held:#?}"
    );
}

/// More of both, each with what it is: `=` told again, `!` an answer.
const PAIRS: &str = include_str!("echo_pairs.txt");

#[test]
fn what_differs_in_a_telling_word_or_a_negation_or_asks_back_is_no_echo() {
    let pairs = PAIRS.lines().filter(|line| line.starts_with(['=', '!']));
    let misjudged: Vec<_> = pairs
        .enumerate()
        .filter(|(_, pair)| {
            let (told, answer) = pair[2..].split_once(" | ").expect("a pair");
            let line = MemberLine {
                text: told,
                author: "Al",
                is_answered: true,
                shortest: 20,
            };
            is_echo(answer, &line) != pair.starts_with('=')
        })
        .collect();
    assert!(misjudged.is_empty(), "{misjudged:#?}");
}

#[test]
fn of_an_older_line_only_what_tells_something_is_missed() {
    let is_held = |text: &str, answer: &str| {
        let line = MemberLine {
            text,
            author: "Anna",
            is_answered: false,
            shortest: 20,
        };
        is_echo(answer, &line)
    };
    assert!(is_held("我考试过了", "我考试过了！"));
    assert!(is_held(
        "i failed my driving test",
        "i failed my driving test"
    ));
    assert!(!is_held("i don't know", "i don't know"));
    assert!(!is_held("which one?", "which one?"));
}
