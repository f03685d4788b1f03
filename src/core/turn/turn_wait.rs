//! What a turn waits for before its next step.

use crate::chat::{Millis, SECOND};

/// A turn whose tools or deliveries take longer than this gives its place to another channel's until they answer.
const PLACE_KEPT: Millis = 10 * SECOND;

/// A call that runs: its number, and its place in the round's report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunningCall {
    pub(super) call: u32,
    pub(super) report: usize,
    /// Cut, it cannot be asked for again without being done twice.
    pub(super) changes: bool,
    /// What of its parameters was not used, for the model.
    pub(super) ignored: String,
}

/// The place among the turns that may think at the same time, while a turn waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnSlot {
    /// Kept for this turn until then.
    KeptUntil(Millis),
    /// Others may think meanwhile.
    GivenAway,
}

impl TurnSlot {
    pub(super) fn keep_from(now: Millis) -> Self {
        Self::KeptUntil(now + PLACE_KEPT)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PendingStep {
    /// The results of calls: of one, or of several that only read and run at the same time.
    Results {
        running: Vec<RunningCall>,
        /// Those that have answered, by their places in the round's report.
        done: Vec<usize>,
        /// Whether others that only read may join.
        may_join: bool,
        place: TurnSlot,
    },
    /// What becomes of a deed about a member.
    Moderation { call: u32, report: usize },
    /// The pause before a message.
    Pause { until: Millis },
    /// The platform's word that a message or reaction is out.
    Delivery {
        part: u32,
        report: usize,
        content: DeliveryContent,
        place: TurnSlot,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DeliveryContent {
    Message(String),
    Reaction,
}

pub(super) struct AnsweredCall {
    pub(super) report: usize,
    /// What of its parameters was not used, for the model.
    pub(super) ignored: String,
    /// Where it was the last that was waited for: the places of all.
    pub(super) all_done: Option<Vec<usize>>,
}

impl PendingStep {
    /// Whether something is on its way to people that cannot be taken back.
    pub(super) fn is_delivery(&self) -> bool {
        matches!(self, Self::Delivery { .. } | Self::Moderation { .. })
    }

    /// Whether it must be waited for, whoever speaks meanwhile: what is being done must not be done twice.
    pub(super) fn is_uninterruptible(&self) -> bool {
        match self {
            Self::Results { running, .. } => running.iter().any(|one| one.changes),
            other => other.is_delivery(),
        }
    }

    pub(super) fn deadline(&self) -> Option<Millis> {
        match self {
            Self::Pause { until } => Some(*until),
            Self::Results { place, .. } | Self::Delivery { place, .. } => match place {
                TurnSlot::KeptUntil(until) => Some(*until),
                TurnSlot::GivenAway => None,
            },
            Self::Moderation { .. } => None,
        }
    }

    /// Gives the place away where tools or the platform take long.
    pub(super) fn yield_place_if_slow(&mut self, now: Millis) {
        let (Self::Results { place, .. } | Self::Delivery { place, .. }) = self else {
            return;
        };
        if matches!(place, TurnSlot::KeptUntil(until) if *until <= now) {
            *place = TurnSlot::GivenAway;
        }
    }

    pub(super) fn has_yielded_place(&self) -> bool {
        matches!(
            self,
            Self::Results { place, .. } | Self::Delivery { place, .. }
                if *place == TurnSlot::GivenAway
        )
    }

    /// Takes note that a call has answered; none where it is not waited for.
    pub(super) fn take_answered_call(&mut self, call: u32) -> Option<AnsweredCall> {
        match self {
            Self::Results { running, done, .. } => {
                let at = running.iter().position(|one| one.call == call)?;
                let RunningCall {
                    report, ignored, ..
                } = running.swap_remove(at);
                done.push(report);
                Some(AnsweredCall {
                    report,
                    ignored,
                    all_done: running.is_empty().then(|| std::mem::take(done)),
                })
            }
            Self::Moderation {
                call: awaited,
                report,
            } if *awaited == call => Some(AnsweredCall {
                report: *report,
                ignored: String::new(),
                all_done: Some(vec![*report]),
            }),
            _ => None,
        }
    }
}
