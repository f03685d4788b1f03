//! What left the history: what of it is summed up, when, and how the prompt shows it.

use kith_core::chat::MessageId;
use kith_core::compaction::{ChannelSummary, SummarySpan, find_first_kept, render_talk};
use kith_core::context::{
    DisplayNames, HistoryWindow, PromptSections, RecalledMessage, TokenEstimator, render_sections,
};
use kith_core::persona::Language;

use crate::context::support::PromptFixture;

fn summary(since: u64, until: u64) -> ChannelSummary {
    ChannelSummary {
        since: MessageId(since),
        until: MessageId(until),
        text: "Anna moved.".into(),
        begun: 0,
    }
}

fn said(id: u64, text: &str) -> (MessageId, RecalledMessage) {
    (
        MessageId(id),
        RecalledMessage {
            at: 0,
            author: kith_core::chat::UserId(5),
            name: "Anna".into(),
            text: text.into(),
        },
    )
}

#[test]
fn what_is_missing_lies_between_the_summary_and_what_the_prompt_shows() {
    // The first message shown, the summary, up to which message the context was started afresh; what is missing: after
    // which message, and whether the summary is taken up.
    for (first, summed_up, afresh, missing) in [
        (9, None, None, Some((None, false))),
        (9, Some((1, 5)), None, Some((Some(5), true))),
        (9, Some((1, 9)), None, None),
        (9, Some((1, 20)), None, None),
        (9, Some((4, 5)), Some(3), Some((Some(5), true))),
        (9, Some((1, 5)), Some(3), Some((Some(3), false))),
        (9, Some((1, 5)), Some(5), Some((Some(5), false))),
        (9, None, Some(12), None),
    ] {
        let summed_up = summed_up.map(|(since, until)| summary(since, until));
        let stretch =
            SummarySpan::find_missing(MessageId(first), summed_up.clone(), afresh.map(MessageId));
        let found =
            stretch.map(|stretch| (stretch.after.map(|id| id.0), stretch.earlier.is_some()));
        assert_eq!(found, missing, "{first} {summed_up:?} {afresh:?}");
    }
}

#[test]
fn the_newest_that_fits_is_told_behind_what_was_summed_up_before() {
    let lines = [
        said(3, "one"),
        said(4, "two\nthree"),
        said(5, &"four ".repeat(200)),
    ];
    let all = |earlier: Option<ChannelSummary>, tokens| {
        let said = lines.to_vec();
        SummarySpan {
            after: None,
            before: MessageId(9),
            earlier,
            said,
        }
        .build_input(tokens, DisplayNames::default(), &TokenEstimator::default())
    };
    let told = all(Some(summary(1, 2)), 1_000).unwrap();
    assert!(
        told.text
            .starts_with("= Anna moved.\n| Anna: one\n| Anna: two ¶ three\n| Anna: four four"),
        "{}",
        told.text
    );
    assert!(
        told.text.ends_with("…\n") && told.text.len() < 600,
        "a long message is cut\n{}",
        told.text
    );
    assert_eq!(
        (told.since, told.until, told.lines),
        (MessageId(1), MessageId(5), 3)
    );
    let told = all(None, 87).unwrap();
    assert_eq!(
        (told.since, told.until, told.lines),
        (MessageId(5), MessageId(5), 1),
        "the oldest go first"
    );
    assert_eq!(all(None, 5), None, "no room for any");
    let nobody = SummarySpan {
        after: None,
        before: MessageId(9),
        earlier: Some(summary(1, 2)),
        said: Vec::new(),
    };
    assert_eq!(
        nobody.build_input(1_000, DisplayNames::default(), &TokenEstimator::default()),
        None
    );
    assert_eq!(
        render_talk(
            [].iter(),
            1_000,
            DisplayNames::default(),
            &TokenEstimator::default()
        ),
        (String::new(), 0)
    );
}

fn rendered(
    fixture: &PromptFixture,
    summary: Option<&ChannelSummary>,
    window: &mut HistoryWindow,
) -> PromptSections {
    let mut view = fixture.view();
    view.summary = summary;
    render_sections(&view, window, &TokenEstimator::default())
}

#[test]
fn what_is_summed_up_is_not_shown_again() {
    let mut fixture = PromptFixture::new(Language::EN);
    let ids: Vec<MessageId> = (1..=30)
        .map(|number| fixture.says("Anna", &format!("line {number}.")))
        .collect();
    // Also by a new process, which does not know what its prompts showed.
    let mut window = HistoryWindow::default();
    let summed_up = ChannelSummary {
        until: ids[9],
        ..summary(1, 1)
    };
    let shown = rendered(&fixture, Some(&summed_up), &mut window);
    assert!(
        shown.history.text.contains("line 11.") && !shown.history.text.contains("line 10."),
        "{shown:?}"
    );
    let later = rendered(&fixture, None, &mut window);
    assert_eq!(
        later.history, shown.history,
        "a summary that is gone moves no line"
    );
    let all = ChannelSummary {
        until: ids[29],
        ..summary(1, 1)
    };
    assert!(
        rendered(&fixture, Some(&all), &mut window)
            .history
            .text
            .contains("line 30."),
        "something is always shown"
    );
}

#[test]
fn a_summary_takes_a_quarter_of_the_historys_budget_at_most() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.says("Anna", "hello");
    fixture.policy.context.history_tokens = 200;
    let long = ChannelSummary {
        text: "Anna moved again and again.\n".repeat(40),
        ..summary(1, 1)
    };
    let shown = rendered(&fixture, Some(&long), &mut HistoryWindow::default());
    assert!(
        (30..=52).contains(&shown.summary.tokens) && shown.summary.text.ends_with('…'),
        "{shown:?}"
    );
    assert_eq!(
        shown
            .cut
            .iter()
            .map(|cut| (cut.section, cut.items))
            .collect::<Vec<_>>(),
        [("summary", 1)]
    );
}

#[test]
fn by_hand_everything_is_summed_up_that_was_seen_but_the_newest_lines() {
    let mut fixture = PromptFixture::new(Language::EN);
    let ids: Vec<MessageId> = (1..=25)
        .map(|number| fixture.says("Anna", &format!("line {number}")))
        .collect();
    let cursor = |id: MessageId| fixture.timeline.find(id).unwrap().message.arrival;
    assert_eq!(
        find_first_kept(&fixture.timeline, cursor(ids[24])),
        Some(ids[5])
    );
    assert_eq!(
        find_first_kept(&fixture.timeline, cursor(ids[20])),
        Some(ids[1]),
        "what came since was not read yet"
    );
    assert_eq!(find_first_kept(&fixture.timeline, cursor(ids[9])), None);
}
