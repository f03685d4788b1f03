//! How what is said to somebody ends: done, or with more to come. Looks at the words only; what is known of who says it
//! is others' business.

use super::CompanionNames;
use super::cues::AddressCues;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnding {
    /// More is to come: it only calls or greets, or breaks off.
    Open,
    /// It is complete: it ends as a sentence does.
    Closed,
    Unclear,
}

pub fn classify_ending(text: &str, names: &CompanionNames) -> LineEnding {
    let cues = AddressCues::embedded();
    let (bare, _) = names.strip_names(text);
    let bare = bare.trim_matches(|c: char| c.is_whitespace() || c == '@' || c == '＠');
    let is_apart = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’');
    let said: Vec<&str> = bare
        .split(is_apart)
        .filter(|word| !word.is_empty())
        .collect();
    if said.is_empty() || is_greeting(&said, cues) {
        return LineEnding::Open;
    }
    let breaks_off = bare.ends_with([
        ',', '，', '、', ':', '：', ';', '；', '-', '–', '—', '…', '&', '+',
    ]) || ["..", "。。"].iter().any(|dots| bare.ends_with(dots));
    let last = said.last().copied().unwrap_or_default();
    let last_two = said[said.len().saturating_sub(2)..].join(" ");
    let ends_open = bare.ends_with(last)
        && (cues.spaced.open_ends.contains(last) || cues.spaced.open_ends.contains(&last_two))
        || cues.unspaced.open_ends.is_suffix_of(bare);
    if breaks_off || ends_open {
        LineEnding::Open
    } else if bare.ends_with(['.', '!', '?', '。', '！', '？', '~', '～']) {
        LineEnding::Closed
    } else {
        LineEnding::Unclear
    }
}

fn is_greeting(said: &[&str], cues: &AddressCues) -> bool {
    let whole = said.join(" ");
    let bare = cues.spaced.strip_greeting_end(&whole);
    cues.spaced.greets.contains(bare) || cues.unspaced.greets.contains(&whole)
}
