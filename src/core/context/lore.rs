//! What the persona knows of what is talked about: the entries of its lore that the newest messages call for. The files
//! they stand in may come from strangers, so they are escaped like what people write.

use super::{PromptSources, TokenEstimator, escape, token_estimate};
use crate::lore::{LONGEST_SCAN, ScannedMessage, select_entries};

/// The entries a line each, those that count most last, and how many did not fit.
pub(super) fn render_lore(view: &PromptSources<'_>, estimator: &TokenEstimator) -> (String, usize) {
    let books = &view.policy.persona.lorebooks;
    if books.is_empty() {
        return (String::new(), 0);
    }
    let newest = view.timeline.messages().rev().take(LONGEST_SCAN);
    let scanned: Vec<ScannedMessage<'_>> = newest
        .map(|said| ScannedMessage {
            id: said.message.id,
            text: &said.message.text,
        })
        .collect();
    let mut room = estimator.to_hundredths(view.policy.context.lore_tokens);
    let (mut kept, mut left_out) = (Vec::new(), 0);
    for entry in select_entries(books, &scanned) {
        let mut line = String::from("- ");
        escape::escape_line(&mut line, &entry.text, &|_| None);
        line.push('\n');
        // A shorter one may still fit.
        match room.checked_sub(token_estimate::estimate_hundredths(&line)) {
            Some(left) => {
                room = left;
                kept.push(line);
            }
            None => left_out += 1,
        }
    }
    kept.reverse();
    (kept.concat(), left_out)
}
