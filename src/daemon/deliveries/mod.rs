//! Visible actions on their way out: journaled, delivered, settled, and only then told to the core (Law 3).

mod delivery_lifecycle;
mod in_flight;
mod review;
pub(super) mod stored_action;

pub(super) use in_flight::{Deliveries, StoredDelivery};
