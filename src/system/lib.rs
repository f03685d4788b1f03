//! What Kith takes from the machine it runs on: the time and the certificates its clients trust.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod clock;
pub mod tls;
