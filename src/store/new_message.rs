//! A message that nobody knows yet, on its way to a server.

use crate::values::JsonColumn;
use kith_core::chat::{Message, UserId};

/// A message that nobody knows yet, with what is stored beside it.
pub(crate) struct NewMessage<'m> {
    pub arrival: i64,
    pub message: &'m Message,
    pub mentions: Option<JsonColumn<&'m [UserId]>>,
    /// Its text as the index takes it.
    pub words: String,
}
