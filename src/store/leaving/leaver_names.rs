//! How somebody who leaves is known by what the companion says of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::identifying_trace::IdentifyingTrace;
use super::target::ForgetTarget;
use crate::sql::{SqlConnection, SqlResult};
use crate::text_index::is_said_by_others;
use kith_core::quotes::{QuotedWords, extract_distinctive_words};

/// How somebody is known by who leaves. What they wrote is erased by now.
#[derive(Clone)]
pub struct LeaverNames {
    pub target: ForgetTarget,
    /// All of it but words.
    trace: Arc<IdentifyingTrace>,
    /// Every telling word of theirs.
    words: Arc<BTreeSet<String>>,
}

impl LeaverNames {
    pub fn new(target: &ForgetTarget, trace: IdentifyingTrace, words: BTreeSet<String>) -> Self {
        Self {
            target: target.clone(),
            trace: Arc::new(trace),
            words: Arc::new(words),
        }
    }

    /// A text of the companion that does not tell of them; none if it does not as it is.
    pub fn redact(&self, conn: &SqlConnection, text: &str) -> SqlResult<Option<String>> {
        let mut words = Vec::new();
        for word in extract_distinctive_words(text).filter(|word| self.words.contains(word)) {
            if !is_said_by_others(conn, &word)? {
                words.push(word);
            }
        }
        let unquoted = QuotedWords::new(words).redact(text);
        let untold = self.trace.redact(unquoted.as_deref().unwrap_or(text));
        Ok(untold.or(unquoted))
    }
}
