//! Why a file cannot be imported, in words for people.

use std::fmt;

use kith_language::LocalizedMessage;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardError(pub LocalizedMessage);

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for CardError {}
