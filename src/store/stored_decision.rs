//! How a decision stands in its columns: whole where the companion spoke, else what it is explained by, in a short list.
//! Nearly all messages are met with silence, so what is kept of each would be most of the file. What the message's own row
//! says is not said again.

use serde::{Deserialize, Serialize};

use crate::from_row::from_row;
use kith_core::chat::{ChannelId, MessageId, Millis, UserId};
use kith_core::report::{
    DecisionOutcome, DecisionReport, DirectAddress, MessageDecision, Refusal, ScoreTerm,
    SelfTrigger, ThresholdShift,
};
use kith_core::willingness::{Signal, sum_reasons};

pub(crate) struct DecidedMessage {
    pub channel: ChannelId,
    pub id: MessageId,
    pub author: UserId,
    pub at: Millis,
}

from_row! { DecidedMessage { channel, id, author, at } }

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum StoredDecision {
    Silent(SilentDecision),
    Whole(Box<MessageDecision>),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum StoredReport {
    Silent(SilentReport),
    Whole(Box<DecisionReport>),
}

/// Statements of the engines (`count_decisions`, `read_day`) count on the places of score, threshold and rare facts.
#[derive(Serialize, Deserialize)]
pub(crate) struct SilentDecision(
    f32,
    f32,
    ShortShift,
    /// Bias, energy, for how long it had been silent.
    (f32, f32, Option<Millis>),
    /// The reasons: a signal's number, and what they add.
    Vec<(u8, f32)>,
    #[serde(default, skip_serializing_if = "RareFacts::is_none")] RareFacts,
);

#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct RareFacts {
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<DirectAddress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<Refusal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    waits_until: Option<Millis>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    goes_on: bool,
}

impl RareFacts {
    fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The same holds for score, threshold and outcome. The time counts from when the message was written.
#[derive(Serialize, Deserialize)]
pub(crate) struct SilentReport(
    f32,
    f32,
    ShortShift,
    DecisionOutcome,
    Millis,
    #[serde(default, skip_serializing_if = "Option::is_none")] Option<SelfTrigger>,
);

/// The fields of a [`ThresholdShift`] in their order, without the last that are 0.
#[derive(Serialize, Deserialize)]
struct ShortShift(Vec<f32>);

impl From<ThresholdShift> for ShortShift {
    fn from(shift: ThresholdShift) -> Self {
        let mut fields = vec![
            shift.restraint,
            shift.allowance,
            shift.unheeded,
            shift.unheeded_remarks.into(),
            shift.meant,
        ];
        fields
            .iter_mut()
            .for_each(|field| *field = round(*field, LOG_ODDS));
        while fields.pop_if(|field| *field == 0.0).is_some() {}
        Self(fields)
    }
}

impl From<ShortShift> for ThresholdShift {
    fn from(ShortShift(fields): ShortShift) -> Self {
        let field = |at| fields.get(at).copied().unwrap_or_default();
        Self {
            restraint: field(0),
            allowance: field(1),
            unheeded: field(2),
            unheeded_remarks: field(3) as u8,
            meant: field(4),
        }
    }
}

/// More places than people are told.
const SHARE: f32 = 100_000.0;
const LOG_ODDS: f32 = 1_000.0;

fn round(number: f32, to: f32) -> f32 {
    (number * to).round() / to
}

impl From<MessageDecision> for StoredDecision {
    fn from(decision: MessageDecision) -> Self {
        if decision.speak {
            return Self::Whole(decision.into());
        }
        let reasons =
            sum_reasons(&decision).map(|(signal, adds)| (signal.number(), round(adds, LOG_ODDS)));
        Self::Silent(SilentDecision(
            round(decision.score, SHARE),
            round(decision.threshold, SHARE),
            decision.shift.into(),
            (
                decision.bias,
                round(decision.energy, LOG_ODDS),
                decision.silent_for,
            ),
            reasons.collect(),
            RareFacts {
                address: decision.address,
                refusal: decision.refusal,
                waits_until: decision.waits_until,
                goes_on: decision.goes_on,
            },
        ))
    }
}

impl StoredDecision {
    pub fn into_decision(self, on: &DecidedMessage) -> MessageDecision {
        let SilentDecision(score, threshold, shift, (bias, energy, silent_for), reasons, rare) =
            match self {
                Self::Whole(decision) => return *decision,
                Self::Silent(decision) => decision,
            };
        let to_term = |(number, adds)| {
            Some(ScoreTerm {
                name: Signal::from_number(number)?.name().to_owned(),
                value: 0.0,
                adds,
            })
        };
        MessageDecision {
            channel: on.channel,
            message: on.id,
            author: on.author,
            at: on.at,
            score,
            threshold,
            shift: shift.into(),
            address: rare.address,
            refusal: rare.refusal,
            speak: false,
            waits_until: rare.waits_until,
            goes_on: rare.goes_on,
            energy,
            silent_for,
            terms: reasons.into_iter().filter_map(to_term).collect(),
            bias,
        }
    }
}

impl StoredReport {
    pub fn new(report: &DecisionReport, written_at: Millis) -> Self {
        use DecisionOutcome::{Addressed, Doubtful, Own, Queued, Refused, Unwilling, Willing};
        match report.outcome {
            Addressed | Willing | Doubtful | Own => Self::Whole(report.clone().into()),
            Unwilling | Refused(_) | Queued => Self::Silent(SilentReport(
                round(report.score, SHARE),
                round(report.threshold, SHARE),
                report.shift.into(),
                report.outcome,
                report.at - written_at,
                report.own,
            )),
        }
    }

    pub fn into_report(self, on: &DecidedMessage) -> DecisionReport {
        let SilentReport(score, threshold, shift, outcome, after, own) = match self {
            Self::Whole(report) => return *report,
            Self::Silent(report) => report,
        };
        DecisionReport {
            channel: on.channel,
            at: on.at + after,
            message: Some(on.id),
            score,
            threshold,
            shift: shift.into(),
            outcome,
            own,
        }
    }
}
