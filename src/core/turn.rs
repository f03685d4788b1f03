//! The turn as a machine: rounds, calls in order, repair, wrap-up, restart, delivery.
