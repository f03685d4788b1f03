//! Chat models: clients, time-outs, budget, and the stand-in.

pub mod request;
pub mod secret;
pub mod settings;

pub use request::{ModelEvent, ModelRequest};
pub use secret::Secret;
pub use settings::{BudgetSettings, ModelSettings, Profile, Provider, Think, TimeLimits};
