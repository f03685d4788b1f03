//! What any bot could count without listening: the features of the regression the senses are held against. They are
//! those of the replay data's reference (docs/WEIGHTS.md), twenty and a constant.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::corpus::{ChatLog, LogLine};
use super::gold_points::GoldPersona;
use kith_core::chat::UserId;

/// The constant and the features.
pub const SIZE: usize = 21;

/// How long ago counts as never, in seconds.
const LONG_AGO: f64 = 3_600.0;
/// How long a call waits for an answer, in seconds.
const WAITS: f64 = 120.0;

static QUESTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile_pattern(
        r"\?|^(who|what|when|where|why|how|can|could|does|do|is|are|anyone|any(body)?)\b",
    )
});
static GREETING: LazyLock<Option<Regex>> =
    LazyLock::new(|| compile_pattern(r"\b(hi|hello|hey|thanks|thank you|thx|ty|bye|lol)\b"));

fn compile_pattern(pattern: &str) -> Option<Regex> {
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
    let mut reader = BaselineReader::new(persona);
    let mut found = HashMap::new();
    for (place, line) in log.lines.iter().enumerate() {
        let before = place
            .checked_sub(1)
            .and_then(|before| log.lines.get(before));
        reader.count_run(line, before);
        if line.author() == persona.id {
            reader.record_own_line(place, line, before);
        } else {
            reader.record_mention(line);
            let window = log
                .lines
                .get((place + 1).saturating_sub(WINDOW)..=place)
                .unwrap_or_default();
            found.insert(place, reader.compute_features(place, line, before, window));
            reader.record_line(line);
        }
        reader.authors.insert(line.author());
    }
    found
}

/// How many lines, this one included, count as the present talk.
const WINDOW: usize = 20;

/// What is known of a log up to a line; times in seconds.
struct BaselineReader {
    me: UserId,
    /// Lower case.
    names: Vec<String>,
    /// Place and time of the companion's last line.
    own: Option<(usize, f64)>,
    /// Lines of others since then.
    since: f64,
    /// When the companion last wrote to them.
    partners: HashMap<UserId, f64>,
    /// When they last mentioned the companion.
    callers: HashMap<UserId, f64>,
    /// When it was mentioned and has not written since.
    pending: Option<f64>,
    authors: HashSet<UserId>,
    /// Lines of the same author in a row before this one.
    run: f64,
}

impl BaselineReader {
    fn new(persona: &GoldPersona) -> Self {
        Self {
            me: persona.id,
            names: persona
                .names
                .iter()
                .map(|name| name.to_lowercase())
                .collect(),
            own: None,
            since: 0.0,
            partners: HashMap::new(),
            callers: HashMap::new(),
            pending: None,
            authors: HashSet::new(),
            run: 0.0,
        }
    }

    fn count_run(&mut self, line: &LogLine, before: Option<&LogLine>) {
        self.run = if before.is_some_and(|before| before.author() == line.author()) {
            self.run + 1.0
        } else {
            0.0
        };
    }

    fn record_own_line(&mut self, place: usize, line: &LogLine, before: Option<&LogLine>) {
        let mentions = &line.message.mentions;
        (self.own, self.since, self.pending) = (Some((place, line.time)), 0.0, None);
        self.partners
            .extend(mentions.iter().map(|other| (*other, line.time)));
        if let Some(before) =
            before.filter(|before| mentions.is_empty() && before.author() != self.me)
        {
            self.partners.insert(before.author(), line.time);
        }
    }

    fn record_mention(&mut self, line: &LogLine) {
        self.since += 1.0;
        if line.message.mentions.contains(&self.me) {
            self.callers.insert(line.author(), line.time);
        }
    }

    fn record_line(&mut self, line: &LogLine) {
        if line.message.mentions.contains(&self.me) {
            self.pending = Some(line.time);
        }
    }

    fn compute_features(
        &self,
        place: usize,
        line: &LogLine,
        before: Option<&LogLine>,
        window: &[LogLine],
    ) -> [f64; SIZE] {
        let (author, time, message) = (line.author(), line.time, &line.message);
        let mentioned = message.mentions.contains(&self.me);
        let mut speakers: Vec<UserId> = window.iter().map(|line| line.author()).collect();
        let mine = speakers
            .iter()
            .filter(|speaker| **speaker == self.me)
            .count() as f64;
        speakers.sort();
        speakers.dedup();
        let seconds_since =
            |known: &HashMap<UserId, f64>| known.get(&author).map_or(f64::INFINITY, |at| time - at);
        let (partner, caller) = (seconds_since(&self.partners), seconds_since(&self.callers));
        let text = &*message.text;
        let matches = |pattern: &Option<Regex>| {
            pattern
                .as_ref()
                .is_some_and(|pattern| pattern.is_match(text))
        };
        [
            1.0,
            flag(mentioned),
            flag(is_named(&text.to_lowercase(), &self.names)),
            flag(!message.mentions.is_empty() && !mentioned),
            flag(message.mentions.is_empty()),
            flag(matches(&QUESTION)),
            self.own
                .map_or(LONG_AGO, |(_, at)| (time - at).min(LONG_AGO))
                .ln_1p(),
            self.since.ln_1p(),
            flag(self.own.is_none()),
            mine / WINDOW as f64,
            before.map_or(5.0, |before| (time - before.time).max(0.0).ln_1p()),
            (text.chars().count() as f64).ln_1p(),
            flag(partner <= 60.0),
            flag(partner <= 300.0),
            flag(caller <= 300.0),
            flag(!mentioned && self.pending.is_some_and(|at| time - at <= WAITS)),
            flag(self.own.is_some_and(|(at, _)| at + 1 == place)),
            flag(!self.authors.contains(&author)),
            speakers.len() as f64 / WINDOW as f64,
            self.run.min(4.0) / 4.0,
            flag(matches(&GREETING)),
        ]
    }
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
