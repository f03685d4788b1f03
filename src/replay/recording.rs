//! What is replayed: a recording, and who of its people is the companion.

use std::collections::HashSet;
use std::path::PathBuf;

use super::player::ReplayRole;

pub type RequestedPoints = HashSet<String>;

/// One recording with one of its people as the companion.
pub struct ReplayRecording {
    pub name: String,
    pub path: PathBuf,
    pub role: ReplayRole,
    /// The messages whose decisions are wanted; all, if none are named.
    pub wanted: Option<RequestedPoints>,
}
