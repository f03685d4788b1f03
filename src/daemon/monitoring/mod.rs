//! How Kith is, for programs that watch over it: numbers that Prometheus reads, and whether it is alive and ready. Counted
//! where things happen, put together only when somebody asks, so that an idle process stays asleep.
//!
//! Nothing here may tell of people: labels are roles, outcomes and numbers of shards, never an id, a name or a word.

mod merged_text;
mod operation_metrics;
mod process_memory;
mod report;
mod server;

pub(super) use operation_metrics::OperationMetrics;
pub(super) use report::MonitoringRequest;
pub(super) use server::MonitoredRun;
pub use server::{MonitoredLoops, MonitoringServer};
