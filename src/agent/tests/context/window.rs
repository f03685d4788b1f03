//! The window over the history: lines that were sent stay as they were, and old ones go in batches.

use kith_core::chat::MessageId;
use kith_core::persona::Language;

use crate::context::support::{PromptFixture, person};

fn chat(fixture: &mut PromptFixture, lines: usize) {
    for index in 0..lines {
        let name = ["Anna", "Ben", "Carl"][index % 3];
        fixture.says(
            name,
            &format!("line number {index} about nothing in particular, said in passing"),
        );
        fixture.now += 20_000;
    }
}

#[test]
fn a_history_only_grows_at_its_end_until_it_is_full() {
    let mut fixture = PromptFixture::new(Language::EN);
    let mut before = String::new();
    for _ in 0..20 {
        chat(&mut fixture, 5);
        let history = fixture.history();
        assert!(
            history.starts_with(&before),
            "lines already sent have changed"
        );
        before = history;
    }
}

#[test]
fn over_its_budget_it_drops_a_quarter_at_once_and_then_stands_still_again() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.policy.context.history_tokens = 1_000;
    let mut moves = 0;
    let mut before = String::new();
    for _ in 0..200 {
        chat(&mut fixture, 1);
        let sections = fixture.render();
        assert!(
            sections.history.tokens <= 1_010,
            "{} tokens",
            sections.history.tokens
        );
        if !sections.history.text.starts_with(&before) {
            moves += 1;
            assert!(
                sections.history.tokens < 800,
                "dropped too little: {}",
                sections.history.tokens
            );
            assert_eq!(sections.cut[0].section, "history");
        }
        before = sections.history.text;
    }
    assert!(
        (5..20).contains(&moves),
        "moved {moves} times in 200 messages"
    );
}

#[test]
fn short_lines_are_dropped_in_batches_too_before_the_timeline_forgets_them() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.policy.context.history_tokens = 100_000;
    fixture.policy.context.prompt_tokens = 200_000;
    let (mut moves, mut before) = (0, String::new());
    for _ in 0..600 {
        fixture.says("Anna", "ok");
        let history = fixture.history();
        moves += usize::from(!history.starts_with(&before));
        before = history;
    }
    // A quarter of at most 216 lines goes at a time: 384 lines too many in batches of 54.
    assert!(moves <= 8, "moved {moves} times in 600 messages");
}

#[test]
fn an_edit_or_a_deletion_changes_its_own_line_only() {
    let mut fixture = PromptFixture::new(Language::EN);
    chat(&mut fixture, 10);
    let before = fixture.history();
    assert!(
        fixture
            .timeline
            .edit(MessageId(104), "now it says this".into())
    );
    fixture.timeline.delete(MessageId(107));
    let after = fixture.history();
    let changed: Vec<_> = before
        .lines()
        .filter(|line| !after.contains(*line))
        .collect();
    assert_eq!(changed.len(), 2, "{after}");
    assert!(
        after.contains("4 Anna: now it says this (edited)\n"),
        "{after}"
    );
}

#[test]
fn the_window_keeps_its_place_when_its_first_message_is_deleted() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.policy.context.history_tokens = 1_000;
    chat(&mut fixture, 80);
    let history = fixture.history();
    let first = history
        .lines()
        .nth(1)
        .and_then(|line| line.split(' ').next())
        .and_then(|id| id.parse().ok());
    let first = fixture
        .timeline
        .find_by_short_id(first.expect("a short id"))
        .expect("it is there")
        .message
        .id;
    fixture.timeline.delete(first);
    let after = fixture.history();
    let rest: String = history
        .lines()
        .skip(2)
        .map(|line| format!("{line}\n"))
        .collect();
    assert!(after.trim_end().ends_with(rest.trim_end()), "{after}");
    assert_eq!(after.lines().count(), history.lines().count() - 1);
}

#[test]
fn marks_show_the_time_where_a_new_stretch_begins_and_the_date_where_a_new_day_does() {
    let mut fixture = PromptFixture::new(Language::EN);
    let first = fixture.says("Anna", "hi");
    fixture.wait(2);
    fixture.replies("Ben", first, "yo");
    fixture.wait(4);
    fixture.own("evening all");
    fixture
        .timeline
        .react(first, person("Ben"), "👍".into(), fixture.now);
    fixture.wait(10 * 60);
    let last = fixture.says("Anna", "still up");
    fixture.timeline.mark_gap(last);
    let wanted = "[Tue 12 Mar 14:00]\n1 Anna: hi\n2>1 Ben: yo\n[14:06]\n3 Juno: evening all\n* Ben 👍 1\n\
                  [some messages are missing here]\n[Wed 13 Mar 00:06]\n4 Anna: still up";
    assert_eq!(fixture.history(), wanted);
}

#[test]
fn a_storm_of_reactions_drives_out_nothing_that_was_said() {
    let mut fixture = PromptFixture::new(Language::EN);
    let first = fixture.says("Anna", "look what i made");
    chat(&mut fixture, 100);
    for number in 0..500 {
        fixture.timeline.react(
            first,
            person(&format!("guest{number}")),
            "🎉".into(),
            fixture.now,
        );
    }
    assert_eq!(fixture.timeline.messages().count(), 101);
    let history = fixture.history();
    assert!(
        history.contains("look what i made") && history.contains("* guest499 🎉 1"),
        "{history}"
    );
    assert!(
        (30..=60).contains(&history.matches("🎉").count()),
        "{history}"
    );
}

#[test]
fn a_small_prompt_shrinks_the_history_to_what_is_left() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.policy.context.prompt_tokens = 1_500;
    fixture.fixed_tokens = 700;
    chat(&mut fixture, 200);
    let sections = fixture.render();
    let total: u32 = sections
        .sections()
        .iter()
        .map(|(_, section)| section.tokens)
        .sum();
    assert!(total + fixture.fixed_tokens <= 1_500, "{total} tokens");
    assert!(
        sections.history.tokens > 300,
        "{} tokens",
        sections.history.tokens
    );
}
