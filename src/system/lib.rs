//! What Kith takes from the machine it runs on: the time, the certificates its clients trust, and the service manager that
//! started it.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod clock;
pub mod private_file;
pub mod service_manager;
mod simulated_clock;
pub mod tls;
