//! What is left of a turn when somebody who may be part of it is forgotten: numbers, times, names of tools. Not one
//! word that a person or a model wrote. Pure; knows no table.

use crate::erased_text;
use kith_core::chat::UserId;
use kith_core::report::TurnReport;

pub(crate) const FORGOTTEN: &str = "[erased: somebody here wanted to be forgotten]";

pub fn strip_report(report: &mut TurnReport, user: UserId) {
    if report.wake.author == Some(user) {
        report.wake.author = None;
    }
    for done in report.rounds.iter_mut().flat_map(|round| &mut round.calls) {
        done.call.params.clear();
        if let Some(result) = &mut done.result {
            result.details = None;
        }
    }
    for round in &mut report.rounds {
        round.repairs.clear();
    }
    report.notes.clear();
    erased_text::change_texts(report, &mut |text| {
        if !text.is_empty() {
            *text = FORGOTTEN.into();
        }
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;
    use kith_core::call::{ToolCall, ToolKind, ToolResult};
    use kith_core::chat::{ChannelId, MessageId, TurnId};
    use kith_core::report::{
        CallReport, ModelFailure, RoundReport, ThresholdShift, TokenUsage, TurnOutcome, TurnTrigger,
    };

    #[test]
    fn not_a_word_is_left_of_a_turn_but_all_of_its_numbers() {
        let said = || "Anna's secret".to_owned();
        let call = |name: &str, kind| CallReport {
            call: ToolCall {
                name: name.into(),
                params: Map::from_iter([(said(), json!(said()))]),
            },
            kind,
            result: Some(ToolResult {
                details: Some(json!({ said(): 1 })),
                ..ToolResult::error(said())
            }),
            message: Some(MessageId(8)),
            hindrance: None,
            at: 7,
        };
        let usage = TokenUsage {
            prompt: 5,
            completion: 6,
            ..TokenUsage::default()
        };
        let round = RoundReport {
            ask: 1,
            asked_at: 3,
            usage: Some(usage),
            raw: said(),
            thoughts: said(),
            calls: vec![
                call("recall", Some(ToolKind::Tool)),
                call("Anna's secret", None),
            ],
            repairs: vec![said()],
            failure: Some(ModelFailure {
                message: said(),
                budget: true,
                spent: None,
                localized: None,
            }),
            ..RoundReport::default()
        };
        let wake = TurnTrigger {
            message: Some(MessageId(9)),
            author: Some(UserId(2)),
            address: None,
            addressed: vec![MessageId(9)],
            score: 0.5,
            threshold: 0.4,
            shift: ThresholdShift::default(),
            goes_on: false,
            is_doubtful: false,
            own: None,
        };
        let mut report = TurnReport {
            turn: TurnId(1),
            channel: ChannelId(10),
            started: 1,
            ended: 2,
            wake,
            rounds: vec![round],
            outcome: TurnOutcome::Silent(said()),
            notes: vec![said()],
            cost: None,
        };
        strip_report(&mut report, UserId(2));
        let json = serde_json::to_string(&report).expect("written");
        assert!(!json.contains("Anna") && !json.contains("secret"), "{json}");
        assert_eq!(
            (report.wake.author, report.rounds[0].usage),
            (None, Some(usage))
        );
        assert_eq!(report.rounds[0].calls[0].call.name, "recall");
        assert_eq!(report.rounds[0].calls[1].call.name, FORGOTTEN);
        assert_eq!(report.outcome, TurnOutcome::Silent(FORGOTTEN.into()));
    }
}
