//! Every request of Kith to Discord's API goes through [`RestClient`]: one executor that keeps Discord's limits, tries again
//! where that is safe, and stops where it is told no. It decides nothing and reads nothing but what limits need.

mod ability;
mod allowance;
mod client;
mod disabled_abilities;
mod error;
mod error_description;
mod rate_limits;
mod refusal_breaker;
mod request;
mod response;
mod route;
mod settings;
mod transport;

pub use ability::DiscordAbility;
pub use allowance::RequestAllowance;
pub use client::RestClient;
pub use error::RestError;
pub use request::{FileUpload, RequestPriority, RestRequest, RetrySafety};
pub use route::RestRoute;
pub use settings::{DeliveryFence, RequestPacing, RestSettings};
pub use transport::USER_AGENT;
pub(super) use transport::build_file_client;
