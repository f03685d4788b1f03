//! What any bot could count without listening: the features of the regression the senses are held against. They are
//! those of the replay data's reference (docs/WEIGHTS.md), twenty and a constant.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::corpus::ChatLog;
use super::gold::GoldPersona;
use kith_core::chat::UserId;

/// The constant and the features.
pub const SIZE: usize = 21;

/// How long ago counts as never, in seconds.
const LONG_AGO: f64 = 3_600.0;
/// How long a call waits for an answer, in seconds.
const WAITS: f64 = 120.0;

static QUESTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile(r"\?|^(who|what|when|where|why|how|can|could|does|do|is|are|anyone|any(body)?)\b")
});
static GREETING: LazyLock<Option<Regex>> =
    LazyLock::new(|| compile(r"\b(hi|hello|hey|thanks|thank you|thx|ty|bye|lol)\b"));

fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern)
        .case_insensitive(true)
        .build()
        .ok()
}

fn flag(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

/// The features of every message of others, by its place in the log.
pub fn extract_features(log: &ChatLog, persona: &GoldPersona) -> HashMap<usize, [f64; SIZE]> {
    let me = persona.id;
    let names: Vec<String> = persona
        .names
        .iter()
        .map(|name| name.to_lowercase())
        .collect();
    let mut found = HashMap::new();
    let mut own: Option<(usize, f64)> = None;
    let mut since = 0.0f64;
    let (mut partners, mut callers) =
        (HashMap::<UserId, f64>::new(), HashMap::<UserId, f64>::new());
    let mut pending: Option<f64> = None;
    let mut lines_of = HashMap::<UserId, usize>::new();
    let mut run = 0.0f64;
    for (place, line) in log.lines.iter().enumerate() {
        let (author, time, message) = (line.author(), line.time, &line.message);
        let before = place
            .checked_sub(1)
            .and_then(|before| log.lines.get(before));
        run = if before.is_some_and(|before| before.author() == author) {
            run + 1.0
        } else {
            0.0
        };
        if author == me {
            (own, since, pending) = (Some((place, time)), 0.0, None);
            partners.extend(message.mentions.iter().map(|other| (*other, time)));
            if let Some(before) =
                before.filter(|before| message.mentions.is_empty() && before.author() != me)
            {
                partners.insert(before.author(), time);
            }
        } else {
            since += 1.0;
            let mentioned = message.mentions.contains(&me);
            if mentioned {
                callers.insert(author, time);
            }
            let window = log
                .lines
                .get((place + 1).saturating_sub(20)..=place)
                .unwrap_or_default();
            let mut speakers: Vec<UserId> = window.iter().map(|line| line.author()).collect();
            let mine = speakers.iter().filter(|speaker| **speaker == me).count() as f64;
            speakers.sort();
            speakers.dedup();
            let ago = |known: &HashMap<UserId, f64>| {
                known.get(&author).map_or(f64::INFINITY, |at| time - at)
            };
            let (partner, caller) = (ago(&partners), ago(&callers));
            let text = &*message.text;
            let matches = |pattern: &Option<Regex>| {
                pattern
                    .as_ref()
                    .is_some_and(|pattern| pattern.is_match(text))
            };
            found.insert(
                place,
                [
                    1.0,
                    flag(mentioned),
                    flag(is_named(&text.to_lowercase(), &names)),
                    flag(!message.mentions.is_empty() && !mentioned),
                    flag(message.mentions.is_empty()),
                    flag(matches(&QUESTION)),
                    own.map_or(LONG_AGO, |(_, at)| (time - at).min(LONG_AGO))
                        .ln_1p(),
                    since.ln_1p(),
                    flag(own.is_none()),
                    mine / 20.0,
                    before.map_or(5.0, |before| (time - before.time).max(0.0).ln_1p()),
                    (text.chars().count() as f64).ln_1p(),
                    flag(partner <= 60.0),
                    flag(partner <= 300.0),
                    flag(caller <= 300.0),
                    flag(!mentioned && pending.is_some_and(|at| time - at <= WAITS)),
                    flag(own.is_some_and(|(at, _)| at + 1 == place)),
                    flag(!lines_of.contains_key(&author)),
                    speakers.len() as f64 / 20.0,
                    run.min(4.0) / 4.0,
                    flag(matches(&GREETING)),
                ],
            );
            if mentioned {
                pending = Some(time);
            }
        }
        *lines_of.entry(author).or_default() += 1;
    }
    found
}

/// Whether a lower-case text holds one of the lower-case names as a word, or anywhere where its script has no spaces.
fn is_named(text: &str, names: &[String]) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    names.iter().any(|name| {
        text.match_indices(name.as_str()).any(|(at, _)| {
            let (before, after) = (
                text.get(..at).unwrap_or_default(),
                text.get(at + name.len()..).unwrap_or_default(),
            );
            !name.is_ascii() || !(before.ends_with(word) || after.starts_with(word))
        })
    })
}
