//! Cards for log channels: compact, redacted where text is hidden, and without secrets.

use kith_core::event::BudgetState;
use kith_core::redactor::Redactor;
use kith_core::report::{FailureKind, ModelFailure};
use kith_core::secret::Secret;
use kith_observe::CardSeverity;
use kith_observe::embed::{
    EmbedAudience, QuotePolicy, RenderContext, render_budget, render_notice, render_refusal,
    render_turn,
};

use super::*;

fn telling(channel: &Channel, readers: EmbedAudience, quote: QuotePolicy) -> RenderContext<'_> {
    RenderContext {
        channel,
        guild: None,
        readers,
        quote,
        language: Language::EN,
    }
}

/// A turn with everything a person or a model could have written into it.
fn talkative() -> TurnReport {
    let mut report = report(TALK, 2, "oh, xylophone");
    let round = &mut report.rounds[0];
    let mut unknown = call("xylophone", serde_json::json!({}), None);
    unknown.kind = None;
    unknown.result = Some(ToolResult::error("there is no xylophone"));
    let mut recall = call("recall", serde_json::json!({ "query": "xylophone" }), None);
    recall.result = None;
    round.calls.extend([unknown, recall]);
    round.repairs = vec!["closed xylophone".into()];
    round.thoughts = "xylophone!".into();
    report.notes = vec!["held back \"xylophone\": too like its own \"xylophone\"".into()];
    report
}

fn all_outcomes() -> Vec<TurnReport> {
    let with = |outcome| TurnReport {
        outcome,
        ..talkative()
    };
    let mut failed = with(TurnOutcome::Failed("xylophone".into()));
    let message = "models.example failed (500: \"xylophone\"): look at the server.".into();
    failed.rounds[0].failure = Some(ModelFailure {
        message,
        ..ModelFailure::default()
    });
    vec![
        with(TurnOutcome::Acted),
        with(TurnOutcome::Silent("they talk of a xylophone".into())),
        with(TurnOutcome::Failed("not delivered: xylophone".into())),
        failed,
    ]
}

#[test]
fn without_text_not_a_word_that_was_written_is_on_a_card() {
    let (talk, letter) = (channel(TALK), channel(LETTER));
    for report in all_outcomes() {
        for readers in [EmbedAudience::Operator, EmbedAudience::Guild] {
            let hidden = written(&render_turn(
                &report,
                None,
                "m",
                &telling(&talk, readers, QuotePolicy::Hidden),
            ));
            assert!(!hidden.contains("xylophone"), "{hidden}");
            let direct = written(&render_turn(
                &report,
                None,
                "m",
                &telling(&letter, readers, QuotePolicy::Shown),
            ));
            assert!(
                !direct.contains("xylophone") && !direct.contains("Anna"),
                "a direct message: {direct}"
            );
        }
        let shown = written(&render_turn(
            &report,
            None,
            "m",
            &telling(&talk, EmbedAudience::Guild, QuotePolicy::Shown),
        ));
        assert!(shown.contains("xylophone"), "{shown}");
        let there = written(&render_turn(
            &report,
            None,
            "m",
            &telling(&letter, EmbedAudience::Channel, QuotePolicy::Shown),
        ));
        assert!(
            there.contains("xylophone"),
            "who is in it may read it: {there}"
        );
    }
}

#[test]
fn how_the_models_server_failed_is_told_to_the_host_only() {
    let talk = channel(TALK);
    let failed = all_outcomes().pop().unwrap();
    for quote in [QuotePolicy::Shown, QuotePolicy::Hidden] {
        let card = |readers| {
            written(&render_turn(
                &failed,
                None,
                "m",
                &telling(&talk, readers, quote),
            ))
        };
        assert!(
            card(EmbedAudience::Operator).contains("models.example failed"),
            "{}",
            card(EmbedAudience::Operator)
        );
        assert!(
            !card(EmbedAudience::Guild).contains("models.example"),
            "{}",
            card(EmbedAudience::Guild)
        );
    }
}

#[test]
fn a_card_links_to_the_message_where_its_readers_can_follow() {
    let (talk, letter) = (channel(TALK), channel(LETTER));
    let about = |channel, readers| {
        render_turn(
            &talkative(),
            None,
            "m",
            &telling(channel, readers, QuotePolicy::Hidden),
        )
        .linked_message
        .map(|(_, id)| id)
    };
    assert_eq!(about(&talk, EmbedAudience::Guild), Some(MessageId(1)));
    assert_eq!(about(&letter, EmbedAudience::Operator), None);
    assert_eq!(about(&letter, EmbedAudience::Channel), Some(MessageId(1)));
}

#[test]
fn secrets_are_taken_out_of_every_text_of_a_card() {
    let mut card = render_notice(CardSeverity::Failed, "the key sk-secret-1 was refused");
    card.title = "sk-secret-1".into();
    card.fields
        .push(("sk-secret-1".into(), "x sk-secret-1 y".into()));
    card.footer = "sk-secret-1".into();
    let card = card.into_redacted(&Redactor::new(&[
        Secret::default(),
        Secret::new("sk-secret-1"),
    ]));
    assert!(!written(&card).contains("sk-secret-1"), "{card:?}");
    assert_eq!(card.text, "the key <redacted> was refused");
}

#[test]
fn a_turn_without_end_still_fits_on_a_card() {
    let talk = channel(TALK);
    let mut report = talkative();
    report.rounds[0].thoughts = "说".repeat(100_000);
    let long = call(
        "send_message",
        serde_json::json!({ "text": "x".repeat(100_000) }),
        None,
    );
    report.rounds[0].calls = vec![long; 1_000];
    report.notes = vec!["note".repeat(10_000); 1_000];
    let card = render_turn(
        &report,
        None,
        "m",
        &telling(&talk, EmbedAudience::Operator, QuotePolicy::Shown),
    );
    assert!(
        written(&card).chars().count() < 4_000,
        "{}",
        written(&card).chars().count()
    );
    assert!(
        card.fields
            .iter()
            .all(|(_, value)| value.chars().count() <= 1_024),
        "{card:?}"
    );
}

#[test]
fn log_entries_read_well_in_both_languages() {
    let talk = channel(TALK);
    let mut out = Vec::new();
    for language in Language::ALL {
        for (quote, readers, guild) in [
            (QuotePolicy::Hidden, EmbedAudience::Guild, None),
            (QuotePolicy::Shown, EmbedAudience::Operator, Some("Friends")),
        ] {
            let telling = RenderContext {
                channel: &talk,
                guild,
                readers,
                quote,
                language,
            };
            for report in all_outcomes() {
                out.push(written(&render_turn(
                    &report,
                    Some(&decision(TALK, 1)),
                    "small-model",
                    &telling,
                )));
            }
            let mut decision = decision(TALK, 1);
            decision.refusal = Some(Refusal::Paused);
            out.push(written(&render_refusal(&decision, &telling)));
            for state in [BudgetState::Open, BudgetState::Soft, BudgetState::Hard] {
                out.push(written(&render_budget(
                    state,
                    (450_000, 500_000),
                    readers,
                    language,
                )));
            }
        }
    }
    insta::assert_snapshot!("log", out.join("\n\n"));
}

#[test]
fn why_an_action_was_not_delivered_is_told_though_text_is_hidden() {
    let talk = channel(TALK);
    for (hindrance, english, chinese) in [
        (FailureKind::Filter, "AutoMod", "AutoMod"),
        (FailureKind::NotAllowed, "lacks the permission", "没有权限"),
        (FailureKind::Gone, "is gone", "不在了"),
        (FailureKind::TooFast, "slow mode", "慢速模式"),
        (FailureKind::NoAnswer, "did not answer", "没有回应"),
        (FailureKind::Other, "the log says why", "日志"),
    ] {
        let mut report = talkative();
        report.rounds[0].calls[0].hindrance = Some(hindrance);
        report.rounds[0].calls[0].result = Some(ToolResult::error("xylophone"));
        for (language, words) in [(Language::EN, english), (Language::ZH, chinese)] {
            let telling = RenderContext {
                language,
                ..telling(&talk, EmbedAudience::Guild, QuotePolicy::Hidden)
            };
            let told = written(&render_turn(&report, None, "m", &telling));
            let line = told
                .lines()
                .find(|line| line.contains("✗ send_message"))
                .unwrap_or_default();
            assert!(
                line.contains(words) && !told.contains("xylophone"),
                "{told}"
            );
        }
    }
}
