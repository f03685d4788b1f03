//! What a group says again and again.

use kith_core::chat::{DAY, Millis, UserId};
use kith_core::group_expressions::{SampleLine, find_group_expressions};

const TODAY: Millis = 20_000 * DAY;

fn line(author: u64, days_ago: i64, text: &str) -> SampleLine {
    SampleLine {
        author: UserId(author),
        at: TODAY - days_ago * DAY,
        text: text.into(),
    }
}

/// Everyday talk of four people over ten days, with what each of three of them says again and again.
fn talk(said: &[&str], people: u64) -> Vec<SampleLine> {
    let mut lines = Vec::new();
    for day in 0..10 {
        for author in 1..=4 {
            lines.push(line(
                author,
                day,
                &format!("topic{day}x{author} alpha{author}x{day}"),
            ));
            if author <= people {
                lines.extend(said.iter().map(|text| line(author, day, text)));
            }
        }
    }
    lines
}

fn elsewhere() -> Vec<String> {
    (0..600)
        .map(|n| format!("somebody wrote line {n} about dinner"))
        .collect()
}

fn found(lines: &[SampleLine]) -> Vec<String> {
    find_group_expressions(lines, &elsewhere(), &["Anna".into()], TODAY)
}

#[test]
fn what_three_people_say_again_and_again_is_the_groups() {
    let lines = talk(&["skrunkly behaviour", "ok 🦀", "that :kek: again"], 3);
    let found = found(&lines);
    assert!(
        found.contains(&"skrunkly behaviour".to_owned()),
        "{found:?}"
    );
    assert!(
        found.contains(&"🦀".to_owned()) && found.contains(&":kek:".to_owned()),
        "{found:?}"
    );
    assert!(found.iter().map(|it| it.chars().count()).sum::<usize>() <= 40);
}

#[test]
fn what_two_people_say_is_theirs_and_is_never_told() {
    assert_eq!(
        found(&talk(&["skrunkly", "🦀", ":kek:", "yeet the yak"], 2)),
        Vec::<String>::new()
    );
    let mut lines = talk(&["skrunkly yak"], 3);
    assert!(!found(&lines).is_empty());
    lines.retain(|line| line.author != UserId(3));
    assert_eq!(
        found(&lines),
        Vec::<String>::new(),
        "one of three was forgotten"
    );
}

#[test]
fn everyday_words_names_numbers_links_and_sensitive_words_are_no_expressions() {
    let lines = talk(
        &[
            "thanks",
            "anna anna",
            "42 42",
            "see https://skrunkly.example/yak",
            "depression",
            "about dinner",
        ],
        4,
    );
    assert_eq!(found(&lines), Vec::<String>::new());
}

#[test]
fn a_word_of_one_day_is_a_topic_and_a_joke_that_died_out_gives_way() {
    let mut lines = talk(&["yeet the yak"], 3);
    lines.extend((1..=4).map(|author| line(author, 0, "thesis thesis")));
    for day in 200..212 {
        lines.extend((1..=4).map(|author| line(author, day, "blorbo season is back")));
    }
    assert_eq!(found(&lines)[0], "yeet the yak");
}

#[test]
fn single_words_need_something_to_be_compared_with() {
    let lines = talk(&["skrunkly", "yeet yak"], 3);
    let alone = find_group_expressions(&lines, &[], &[], TODAY);
    assert_eq!(alone, ["yeet yak"]);
}

#[test]
fn a_chinese_group_has_its_expressions_as_well() {
    let lines = talk(&["绝绝子🦀"], 3);
    assert!(
        found(&lines).contains(&"绝绝子".to_owned()),
        "{:?}",
        found(&lines)
    );
}
