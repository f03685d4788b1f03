//! The summary of what was said before the history begins, as a prompt shows it: a model's words about people's.

use super::{PromptSources, TokenEstimator, escape};

/// The share of the history's budget that a summary of what came before it may take.
const SUMMARY_SHARE: u32 = 4;

/// The summary, cut to its share, and whether it was too long, as 0 or 1.
pub(super) fn render_summary(
    view: &PromptSources<'_>,
    estimator: &TokenEstimator,
) -> (String, usize) {
    let mut out = String::new();
    let Some(summary) = view.summary else {
        return (out, 0);
    };
    escape::escape_block(&mut out, &summary.text, "| ");
    let (tokens, most) = (
        estimator.estimate_tokens(&out),
        view.policy.context.history_tokens / SUMMARY_SHARE,
    );
    if tokens <= most {
        return (out, 0);
    }
    let end = out.len() as u64 * u64::from(most) / u64::from(tokens);
    out.truncate(out.floor_char_boundary(end as usize));
    out.push('…');
    (out, 1)
}
