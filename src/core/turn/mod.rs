//! The turn as a machine: events of the running model call, tools and deliveries come in, effects go out. One thing at a
//! time and in the order the model wrote it. It knows neither what a prompt looks like nor what a tool does.
//!
//! `machine` is the turn itself. It is in one `phase`, and what lasts for the whole turn stands in its `record`. While a
//! `round` runs, the `executor` does its steps, and `conclude` says what its end means.

mod answer;
mod answer_reading;
mod calls;
mod conclude;
mod dictated_call;
mod edited_messages;
mod emoji;
mod endless_repetition;
mod executor;
mod failure_texts;
mod forget;
mod held_messages;
mod hold_reason;
mod interruption;
mod limits;
mod machine;
mod message_check;
mod messages;
mod model_question;
mod moderation_call;
mod obligations;
mod offered_tools;
mod params;
mod phase;
mod record;
mod repair_round;
mod repetition;
mod retries;
mod round;
mod speech;
mod turn_context;
mod turn_history;
mod turn_report;
mod turn_step;
mod turn_wait;
mod typing;
mod wait_for;
mod working_memory;

pub use dictated_call::ShownWords;
pub use emoji::find_emoji;
pub use failure_texts::list_failure_texts;
pub use interruption::Interruption;
pub use limits::{MOST_CALLS, MOST_THREADS, MOST_VISIBLE};
pub use machine::{Turn, TurnProgress};
pub use model_question::RoundKind;
pub use offered_tools::offered;
pub use turn_context::TurnContext;
pub use turn_report::FinishedTurn;
