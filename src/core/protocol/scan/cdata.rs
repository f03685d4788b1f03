//! CDATA sections: opaque inside a call, nothing outside of one.

use super::{AnswerScanner, Mode};
use crate::protocol::sign::measure_cdata_mark;

impl AnswerScanner {
    pub(super) fn begin_cdata(&mut self, start: usize) {
        match std::mem::replace(&mut self.mode, Mode::Outside) {
            Mode::Call(call) if !self.no_cdata_end => {
                self.mode = Mode::Cdata {
                    call,
                    from: self.pos,
                    searched: self.pos,
                };
            }
            mode @ Mode::Call(_) => self.mode = mode,
            _ => {
                self.flush_text(start);
                self.prose_from = self.pos;
            }
        }
    }

    /// Inside a CDATA section. Another that begins behind the call's own end tag tells that this one has no end.
    pub(super) fn scan_cdata(&mut self) {
        let Mode::Cdata {
            call,
            from,
            searched,
        } = &mut self.mode
        else {
            return;
        };
        let Some(end) = self.text[*searched..].find("]]>").map(|at| *searched + at) else {
            *searched = self
                .text
                .floor_char_boundary(self.text.len().saturating_sub(2).max(*searched));
            self.pos = self.text.len();
            return;
        };
        // A section that is closed twice has no end that could be told.
        let behind = &self.text[end + 3..];
        if behind.starts_with("]]>") {
            *searched = end + 6;
            return;
        }
        if behind.len() < 3 && "]]>".starts_with(behind) {
            self.pos = self.text.len();
            return;
        }
        let section = &self.text[*from..end];
        let own_end = format!("</{}>", call.name);
        let begins = |(at, _): (usize, &str)| measure_cdata_mark(&section[at..]).is_some();
        let ended = section.find(&own_end).is_some_and(|at| {
            section
                .match_indices('<')
                .skip_while(|(bracket, _)| *bracket <= at)
                .any(begins)
        });
        self.pos = if ended { *from } else { end + 3 };
        if let Mode::Cdata { call, .. } = std::mem::replace(&mut self.mode, Mode::Outside) {
            self.mode = Mode::Call(call);
        }
    }
}
