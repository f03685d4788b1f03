//! What a program writes to standard error is its log: told once the program is over, also where it went well and where it
//! was cut half-way, for then it matters most.

use crate::{ToolContext, ToolNewsItem};

const TOLD_CHARACTERS: usize = 2_000;

/// What a program has written so far. Dropped before its end, what there is by then is told.
pub(super) struct ProgramLog<'a> {
    context: &'a ToolContext,
    pub written: Vec<u8>,
}

impl<'a> ProgramLog<'a> {
    pub fn new(context: &'a ToolContext) -> Self {
        Self {
            context,
            written: Vec::new(),
        }
    }

    /// The program is over: tells what it wrote, and answers with all of it, without secrets.
    pub fn end(mut self) -> String {
        self.tell()
    }

    /// Without secrets before anything is cut off, for half a secret would not be found.
    fn tell(&mut self) -> String {
        let written = std::mem::take(&mut self.written);
        let text = String::from_utf8_lossy(&written);
        let text = self.context.redactor.redact(&text).into_owned();
        if !text.trim().is_empty() {
            let told = text.trim().chars().take(TOLD_CHARACTERS).collect();
            self.context.news.send(ToolNewsItem::Complaint(told));
        }
        text
    }
}

impl Drop for ProgramLog<'_> {
    fn drop(&mut self) {
        // The line it was writing may hold half a secret.
        let whole = self.written.iter().rposition(|byte| *byte == b'\n');
        self.written.truncate(whole.map_or(0, |end| end + 1));
        self.tell();
    }
}
