//! Reading what a model wrote: XML and JSON, incremental, into calls, thoughts and repairs. Never an error.

use std::sync::Arc;

use super::call::{Call, ToolSpec};
use super::policy::Protocol;

/// Reads an answer piece by piece.
#[derive(Debug)]
pub struct Parser;

/// What an answer held besides its calls.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Its thoughts.
    pub thoughts: String,
    /// Text outside any protocol structure.
    pub plain_text: String,
    /// Whether residue of a protocol was seen.
    pub residue: bool,
    /// Whether another round was asked for.
    pub more: bool,
    /// What was mended.
    pub repairs: Vec<String>,
    /// Whether any structure was found.
    pub readable: bool,
}

impl Parser {
    /// A reader for one answer.
    pub fn new(_protocol: Protocol, _tools: Arc<[ToolSpec]>) -> Self {
        Self
    }

    /// Reads a piece.
    pub fn feed(&mut self, _bytes: &[u8]) -> Vec<Call> {
        Vec::new()
    }

    /// Reads to the end.
    pub fn finish(self) -> (Vec<Call>, Answer) {
        (Vec::new(), Answer::default())
    }
}
