//! What came to mind, as a prompt shows it.

use kith_core::context::{
    HistoryWindow, PromptSections, RecalledMessage, RecalledTalk, TokenEstimator, render_sections,
};
use kith_core::persona::Language;

use crate::context::support::{PromptFixture, person};

fn render(fixture: &PromptFixture, recalled: &[RecalledTalk]) -> PromptSections {
    let mut view = fixture.view();
    view.recalled = recalled;
    let estimator = TokenEstimator::default();
    render_sections(&view, &mut HistoryWindow::default(), &estimator)
}

#[test]
fn memories_stop_at_their_budget_and_the_rest_is_reported() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.policy.context.recall_tokens = 100;
    let memory = |index: i64| RecalledMessage {
        at: fixture.now - index,
        author: person("Anna").id,
        name: "Anna".into(),
        text: "the boat trip was in may".into(),
    };
    let recalled: Vec<RecalledTalk> = (0..20).map(|index| memory(index).into()).collect();
    let sections = render(&fixture, &recalled);
    assert!(
        sections
            .recalled
            .text
            .starts_with("| 2024-03-12 Anna: the boat trip was in may\n")
    );
    assert!(sections.recalled.tokens <= 100);
    let shown = sections.recalled.text.lines().count() as u32;
    assert_eq!(sections.cut[0].items, 20 - shown);
}

#[test]
fn memories_that_share_lines_are_shown_as_the_one_talk_they_are_of() {
    let fixture = PromptFixture::new(Language::EN);
    let line = |minute: i64, name: &str, text: &str| RecalledMessage {
        at: fixture.now + minute * 60_000,
        author: person(name).id,
        name: name.into(),
        text: text.into(),
    };
    let (first, second) = (
        line(0, "Ben", "you told everybody"),
        line(1, "Anna", "i told mia"),
    );
    let (third, apart) = (
        line(2, "Ben", "whatever"),
        line(9, "Cleo", "the key is brass"),
    );
    let recalled = [
        RecalledTalk {
            after: Some(third),
            ..RecalledTalk::from(second.clone())
        },
        RecalledTalk::from(apart),
        RecalledTalk {
            after: Some(second),
            ..RecalledTalk::from(first)
        },
    ];
    let sections = render(&fixture, &recalled);
    assert_eq!(
        sections.recalled.text,
        "| 2024-03-12 Ben: you told everybody\n|   Anna: i told mia\n|   Ben: whatever\n| 2024-03-12 Cleo: the key is brass"
    );
    assert_eq!(sections.cut, []);
}
