//! The limits of tools: how long one may run and how much it may answer where it does not say so itself, and how many a
//! prompt shows. The registry keeps to them.

use std::time::Duration;

use kith_core::call::ToolResult;
use kith_core::persona::Language;
use kith_language::tools;

pub(super) const DEFAULT_TIME_OUT: Duration = Duration::from_secs(10);
pub(super) const DEFAULT_RESULT_CHARACTERS: usize = 4_000;
/// With more tools than this, those of the host's own that come later have to be found first: models choose worse among
/// many, and each costs tokens in every prompt.
pub(super) const MOST_SHOWN: usize = 20;
/// The same where those of the host's own take more than this in every prompt, in estimated tokens.
pub(super) const MOST_TOKENS: u32 = 2_000;
/// The largest details of a result that are kept, in bytes of JSON: they stand in the turn's report.
const DETAILS_BYTES: usize = 64 << 10;

/// Cuts what the model is shown, and says so; what is kept for people beside it is as large as can be looked at.
pub(super) fn truncate_result(
    mut result: ToolResult,
    limit: usize,
    language: Language,
) -> ToolResult {
    let total = result.text().chars().count();
    if total > limit {
        let left = limit - result.guide.truncate(limit);
        let end = result.content.char_indices().nth(left);
        result
            .content
            .truncate(end.map_or(result.content.len(), |(end, _)| end));
        let cut = tools::result_cut(limit, total);
        result.content.push_str(&cut.in_language(language));
    }
    let size = result
        .details
        .as_ref()
        .map_or(0, |details| details.to_string().len());
    if size > DETAILS_BYTES {
        result.details =
            Some(serde_json::json!({ "cut": format!("{size} bytes are too many to be kept") }));
    }
    result
}
