//! The line on show that a question is about. A small model reads what was said last and overlooks what answers it twenty
//! lines above, so that line is quoted beside the question. Of lines that are not on show recall has its own section.

use std::collections::HashMap;

use super::PromptSources;
use crate::chat::MessageId;
use crate::message_shape::MessageShape;
use crate::recall::{CueQuery, RecallCue, RecallLine, extract_terms, find_associations};
use crate::timeline::TimelineMessage;

/// So many lines right before the question are read anyway.
const READ_ANYWAY: usize = 3;

/// The line from `first_shown` on that has most in common with what the companion was asked; None for a larger model, for
/// what is no question, and where nothing fits well enough.
pub(super) fn find_earlier_line<'a>(
    view: &PromptSources<'a>,
    asked: &TimelineMessage,
    first_shown: MessageId,
) -> Option<&'a TimelineMessage> {
    let asks = view.policy.context.is_small()
        && view.wake.address.is_some()
        && MessageShape::from_text(&asked.message.text).question;
    if !asks {
        return None;
    }
    let mut above: Vec<&TimelineMessage> = view
        .timeline
        .messages()
        .filter(|said| (first_shown..asked.message.id).contains(&said.message.id))
        .collect();
    above.truncate(above.len().saturating_sub(READ_ANYWAY));
    above.retain(|said| said.message.author.id != view.me);
    let lines: Vec<RecallLine<'_>> = above.iter().map(|said| to_recall_line(said)).collect();
    let cue = RecallCue {
        author: asked.message.author.id,
        text: asked.message.text.clone(),
        answers: None,
        period: None,
    };
    let query = CueQuery {
        cues: &[cue],
        names: &view.policy.names,
        frequencies: count_terms(&lines),
        messages: lines.len() as u64,
    };
    let best = *find_associations(&query, &[lines]).first()?;
    above.get(best.at.1).copied()
}

fn to_recall_line(said: &TimelineMessage) -> RecallLine<'_> {
    let message = &said.message;
    RecallLine {
        channel: message.channel,
        id: message.id,
        at: message.at,
        author: message.author.id,
        name: &message.author.name,
        text: &message.text,
        reply_to: message.reply_to,
        is_own: false,
    }
}

fn count_terms(lines: &[RecallLine<'_>]) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    for line in lines {
        let mut terms = extract_terms(line.text);
        terms.sort();
        terms.dedup();
        for term in terms {
            *counts.entry(term).or_default() += 1;
        }
    }
    counts
}
