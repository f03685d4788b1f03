//! What the companion does with nobody speaking to it: it comes back to what it waited for, and speaks first where the
//! host allows that.

mod conditions;
mod opening;
mod prompt;
mod reminders;
use crate::sim;
mod refusals;

/// It waits for this, and says nothing.
macro_rules! waits {
    ($attributes:literal, $note:literal) => {
        crate::intent::sim::Answer::Says(concat!(
            "<turn><wait_for ",
            $attributes,
            ">",
            $note,
            "</wait_for><stay_silent>later</stay_silent></turn>"
        ))
    };
}
pub(crate) use waits;

pub(crate) const HI: &str = "<turn><send_message>hey</send_message></turn>";
pub(crate) const SILENT: &str = "<turn><stay_silent>it does not fit</stay_silent></turn>";

/// Nothing is said unasked but what these tests are about.
pub(crate) fn policy() -> kith_core::policy::ChannelPolicy {
    kith_core::policy::ChannelPolicy {
        talkativeness: kith_core::talkativeness::Talkativeness::Hourly(0.0),
        ..sim::policy()
    }
}
