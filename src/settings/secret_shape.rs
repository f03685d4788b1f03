//! What looks like a secret although nobody said that it is one: a key that was written in the wrong place. A problem
//! repeats what stands in a file, and is read in terminals, logs and bug reports.

use kith_core::secret::REDACTED;

/// How the keys of known services begin. What goes on from there for [`SHORTEST`] characters is one.
const BEGINNINGS: [&str; 23] = [
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "gsk_",
    "xai-",
    "hf_",
    "tvly-",
    "pplx-",
    "nvapi-",
    "r8_",
    "BSA",
    "AIza",
    "AKIA",
    "ya29.",
    "eyJ",
    "ghp_",
    "gho_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "xapp-",
];
/// The shortest key of a known service, and the shortest mixed run of letters and digits that counts as a secret.
const SHORTEST: usize = 12;
/// How often a secret changes between digits and letters, and between cases. Names that people choose do so less.
const TURNS: (usize, usize) = (2, 8);

pub fn redact_secret_shapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c| !is_separator(c)) {
        let (before, after) = rest.split_at(start);
        let (word, left) = after.split_at(after.find(is_separator).unwrap_or(after.len()));
        let bare = word.trim_end_matches([':', '.', '!', '?']);
        out.push_str(before);
        out.push_str(&redact_word(bare));
        out.push_str(word.get(bare.len()..).unwrap_or_default());
        rest = left;
    }
    out + rest
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || c.is_control() || "\"'`()[]{}<>,;=…".contains(c)
}

/// A word as it may be repeated. Of a path or an address only what looks like a secret goes.
fn redact_word(word: &str) -> String {
    let begins_like_a_key =
        |rest: &str| rest.len() >= SHORTEST && BEGINNINGS.iter().any(|it| rest.starts_with(it));
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let begins_a_run = |at: usize| {
        !word
            .get(..at)
            .is_some_and(|before| before.ends_with(is_letter))
    };
    let mut begins = word
        .char_indices()
        .filter(|(at, c)| is_letter(*c) && begins_a_run(*at));
    if begins.any(|(at, _)| word.get(at..).is_some_and(begins_like_a_key)) {
        return REDACTED.to_owned();
    }
    let is_path = word.starts_with(['/', '~', '.']) || word.contains("://");
    if !is_path {
        let is_secret = word.split(|c| !is_letter(c)).any(is_mixed);
        return if is_secret {
            REDACTED.to_owned()
        } else {
            word.to_owned()
        };
    }
    // A password stands before the host.
    let word = match word
        .split_once("://")
        .and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once('@')?.1)))
    {
        Some((scheme, host)) => format!("{scheme}://{REDACTED}@{host}"),
        None => word.to_owned(),
    };
    let piece = |piece: &str| {
        let run = piece.trim_end_matches(|c| !is_letter(c));
        if is_mixed(run) {
            piece.replacen(run, REDACTED, 1)
        } else {
            piece.to_owned()
        }
    };
    word.split_inclusive(|c| !is_letter(c)).map(piece).collect()
}

/// Whether letters and digits are mixed as chance mixes them.
fn is_mixed(run: &str) -> bool {
    let turns = |kind: fn(&u8) -> bool| {
        let bytes = run.as_bytes();
        bytes
            .iter()
            .zip(bytes.iter().skip(1))
            .filter(|(one, next)| kind(one) != kind(next))
            .count()
    };
    run.len() >= SHORTEST
        && (turns(u8::is_ascii_digit) >= TURNS.0 || turns(u8::is_ascii_uppercase) >= TURNS.1)
}

#[cfg(test)]
#[path = "tests/unit/secret_shape.rs"]
mod tests;
