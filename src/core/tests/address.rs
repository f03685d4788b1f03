//! Names in written lines, Chinese and English: a person judged each line a call or not. The lines came in batches, each
//! tried once before the code was tuned on it: on the last such batch precision was 1.00 in both languages and recall .76
//! in Chinese and .82 in English, so that lines nobody has seen are judged less well than these.

use kith_core::address::{CompanionNames, LineEnding, NameUse, classify_ending, find_descriptions};

/// How often the code and the person agree.
#[derive(Default)]
struct Agreement {
    calls: usize,
    found: usize,
    right: usize,
    wrong: Vec<String>,
}

impl Agreement {
    fn count(&mut self, called: bool, expected: bool, pair: &str) {
        self.calls += usize::from(expected);
        self.found += usize::from(called);
        self.right += usize::from(called && expected);
        if called != expected {
            self.wrong.push(pair.to_owned());
        }
    }

    fn precision(&self) -> f64 {
        self.right as f64 / self.found as f64
    }

    fn recall(&self) -> f64 {
        self.right as f64 / self.calls as f64
    }
}

fn holds(language: &str, pairs: &str) {
    holds_so_far(language, pairs, 0.95);
}

/// The same where that share of the calls is found.
fn holds_so_far(language: &str, pairs: &str, least_recall: f64) {
    let mut agreement = Agreement::default();
    for pair in pairs.lines() {
        let columns: Vec<&str> = pair.split('\t').collect();
        let (names, others, line, expected) = match columns[..] {
            [names, line, expected] => (names, "", line, expected),
            [names, others, line, expected] => (names, others, line, expected),
            _ => panic!("names, others if any, line, call|not: {pair}"),
        };
        let is_other = |name: &str| name.eq_ignore_ascii_case(others);
        let names = CompanionNames::new(&names.split(',').map(String::from).collect::<Vec<_>>());
        agreement.count(
            names.find_name_use_among(line, is_other) == NameUse::Vocative,
            expected == "call",
            pair,
        );
    }
    let (precision, recall) = (agreement.precision(), agreement.recall());
    println!(
        "{language}: {} calls, precision {precision:.3}, recall {recall:.3}",
        agreement.calls
    );
    let wrong = agreement.wrong.join("\n");
    assert!(
        precision >= 0.95 && recall >= least_recall,
        "{language}: precision {precision:.3}, recall {recall:.3}; judged otherwise:\n{wrong}"
    );
}

#[test]
fn chinese_names_are_told_from_calls_as_people_do() {
    holds("Chinese", include_str!("address/zh.tsv"));
}

#[test]
fn english_names_are_told_from_calls_as_people_do() {
    holds("English", include_str!("address/en.tsv"));
}

#[test]
fn a_chinese_name_is_known_in_what_people_make_of_it() {
    holds("Chinese", include_str!("address/people_zh.tsv"));
}

#[test]
fn an_english_name_is_known_in_what_people_make_of_it() {
    holds("English", include_str!("address/people_en.tsv"));
}

#[test]
fn names_are_known_as_well_in_lines_that_were_put_aside_until_the_code_was_done() {
    holds("Chinese", include_str!("address/people_zh_aside.tsv"));
    holds("English", include_str!("address/people_en_aside.tsv"));
}

#[test]
fn a_companion_among_friends_is_called_as_people_do() {
    holds_so_far("Chinese", include_str!("address/zh_room.tsv"), 0.9);
    holds_so_far("English", include_str!("address/en_room.tsv"), 0.9);
}

#[test]
fn friends_lines_put_aside_until_the_code_was_done_are_told_as_well() {
    holds_so_far("Chinese", include_str!("address/zh_room_aside.tsv"), 0.7);
    holds_so_far("English", include_str!("address/en_room_aside.tsv"), 0.7);
}

#[test]
fn how_a_line_ends_says_whether_more_is_to_come() {
    let names = CompanionNames::new(&["Juno".into(), "阿柚".into()]);
    let all = |ending: LineEnding, lines: &[&str]| {
        for line in lines {
            assert_eq!(classify_ending(line, &names), ending, "{line}");
        }
    };
    all(
        LineEnding::Open,
        &[
            "@Juno",
            "<@1>",
            "Juno?",
            "hey Juno",
            "Juno, hi there!",
            "good morning juno",
            "hi all, juno",
            "@Juno so i was thinking,",
            "@Juno i tried it and",
            "juno the thing is...",
            "Juno, could you",
            "juno what is my",
            "Juno look:",
            "阿柚",
            "阿柚 你好",
            "早上好阿柚",
            "阿柚 我跟你说，",
        ],
    );
    all(
        LineEnding::Open,
        &[
            "阿柚 我今天去了 然后",
            "阿柚 其实……",
            "阿柚 话说",
            "阿柚你觉得",
            "阿柚 能不能",
        ],
    );
    all(
        LineEnding::Closed,
        &[
            "@Juno what time is it?",
            "Juno tell me a story.",
            "Juno that was great!",
            "阿柚 几点了？",
            "阿柚 你看看吧。",
            "juno 12?",
        ],
    );
    all(
        LineEnding::Unclear,
        &[
            "@Juno what time is it",
            "Juno i am home",
            "阿柚 我到家了",
            "juno 12",
            "@Juno hello there friend",
            "juno how are you",
        ],
    );
}

#[test]
fn a_name_with_one_slip_of_the_finger_is_known_where_it_opens_or_ends_a_line() {
    let names = CompanionNames::new(&["Juno".into(), "Teddy".into(), "mika".into()]);
    for line in [
        "jnuo are you there",
        "junp?",
        "thanks jnuo",
        "mkia tell me you saw it",
        "tedy, what do you think?",
        "hey jumo",
    ] {
        assert_eq!(names.find_name_use(line), NameUse::Vocative, "{line}");
    }
    assert_eq!(
        names.find_name_use("jnuo the string thing worked"),
        NameUse::Named
    );
    assert_eq!(
        names.find_name_use("tedd the string thing worked"),
        NameUse::Absent,
        "teddy is an everyday word"
    );
    // In the middle of a line, words, and names of others.
    for line in [
        "i saw jnuo there",
        "June, are you there",
        "mike are you there",
        "junk?",
        "anna jun",
        "ready, are you?",
    ] {
        assert_eq!(names.find_name_use(line), NameUse::Absent, "{line}");
    }
    assert_eq!(
        names.find_name_use_among("jnuo are you there", |name| name == "jnuo"),
        NameUse::Absent,
        "somebody is called so"
    );
    let short = CompanionNames::new(&["Ted".into()]);
    assert_eq!(short.find_name_use("tde are you there"), NameUse::Absent);
}

#[test]
fn somebody_is_known_by_what_they_are_told_by() {
    for (line, by) in [
        ("what does the bike lady say", " bike "),
        ("ask the piano one", " piano "),
        ("the vinyl one knows", " vinyl "),
        ("服务区了 那个开出租的师傅 哪家好吃", "开出租"),
        ("修车的那位呢", "修车"),
    ] {
        assert_eq!(find_descriptions(line), [by], "{line}");
    }
    for line in [
        "the soup one was better",
        "i like the film",
        "那个电影的票",
        "the one",
        "那个的",
        "",
    ] {
        assert_eq!(find_descriptions(line), Vec::<&str>::new(), "{line}");
    }
}
