//! How much the companion speaks unasked, as people write it: a level from shy to chatty, or so many messages an hour.
//! Says which share of a room's messages that is, so that both mean a rate, and which threshold among friends;
//! `channel/threshold.rs` applies it.

use kith_language::status;
use std::fmt;
use std::sync::LazyLock;

use kith_language::{Language, PhraseList, word_lists, word_table};

use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::word::strip_leading_word;

/// How much it speaks unasked. In a file a number, or a text such as `"about 4 an hour"` or `"每小时约4条"`.
///
/// What a level allows beside what the others write is in `willingness/features/company.rs`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Talkativeness {
    /// 0 shy … 1 chatty.
    Level(f32),
    /// About so many unasked messages in an hour in which people talk; 0 for never.
    Hourly(f32),
}

/// A lively channel's pace, messages an hour: there, level 0.3 means three unasked ones.
pub const LIVELY: f32 = 100.0;
pub const MOST_HOURLY: f32 = 60.0;
/// However slow the room is, it asks for no larger share of its messages.
const LARGEST_SHARE: f32 = 0.25;

/// Log-odds of the share at level 0, and what they grow by until 1.
const SHARE_AT_0: f32 = -4.5;
const SHARE_SLOPE: f32 = 3.4;

/// What its own conversation must reach, however shy it is: going on there is no question of taste. Log-odds (38 %).
const OWN_CONVERSATION: f32 = -0.48;
/// What joining in must reach among friends: log-odds at level 0 (55 %), and what they grow by until 1. Chosen, with
/// the one above, by cross-validation over the chats that are learnt from (docs/WEIGHTS.md).
const JOINING_AT_0: f32 = 0.2;
const JOINING_SLOPE: f32 = -2.43;

/// What joining in must reach among friends, in log-odds.
pub fn compute_joining_threshold(level: f32) -> f32 {
    JOINING_AT_0 + JOINING_SLOPE * level.clamp(0.0, 1.0)
}

/// What going on in its own conversation must reach, in log-odds: never more than joining in.
fn compute_own_threshold(level: f32) -> f32 {
    OWN_CONVERSATION.min(compute_joining_threshold(level))
}

/// What a message must reach that `belongs` (0 … 1) to its own conversation, where joining in takes `join`, in log-odds.
pub fn blend_thresholds(belongs: f32, level: f32, join: f32) -> f32 {
    belongs * compute_own_threshold(level) + (1.0 - belongs) * join
}

/// The share of lines that is so many an hour at a pace in lines an hour.
pub fn compute_hourly_share(hourly: f32, pace: f32) -> f32 {
    (hourly / pace.max(1.0)).min(LARGEST_SHARE)
}

impl Talkativeness {
    /// The level, or the one that means as much in a lively channel.
    pub fn level(self) -> f32 {
        match self {
            Talkativeness::Level(level) => level,
            Talkativeness::Hourly(hourly) => {
                let share = (hourly / LIVELY).clamp(1e-4, LARGEST_SHARE);
                (((share / (1.0 - share)).ln() - SHARE_AT_0) / SHARE_SLOPE).clamp(0.0, 1.0)
            }
        }
    }

    /// How many unasked messages an hour it means in a lively channel.
    pub fn hourly_rate(self) -> f32 {
        match self {
            Talkativeness::Level(level) => compute_level_share(level) * LIVELY,
            Talkativeness::Hourly(hourly) => hourly,
        }
    }

    /// The same, but not more than a level: by what both mean in a lively channel.
    pub fn cap_level(self, level: f32) -> Self {
        if self.hourly_rate() > Talkativeness::Level(level).hourly_rate() {
            Talkativeness::Level(level)
        } else {
            self
        }
    }

    pub fn is_never(self) -> bool {
        matches!(self, Talkativeness::Level(0.0) | Talkativeness::Hourly(0.0))
    }

    /// Whether it is a level from 0 to 1, or 0 to 60 an hour.
    pub fn is_valid(self) -> bool {
        match self {
            Talkativeness::Level(level) => (0.0..=1.0).contains(&level),
            Talkativeness::Hourly(hourly) => (0.0..=MOST_HOURLY).contains(&hourly),
        }
    }

    pub fn describe(self, language: Language) -> String {
        match self {
            Talkativeness::Level(level) => level.to_string(),
            Talkativeness::Hourly(hourly) => {
                status::hourly(hourly.to_string()).in_language(language)
            }
        }
    }

    /// Reads "about 4 an hour"; none if it says anything else.
    pub fn parse(text: &str) -> Option<Talkativeness> {
        let text = text.trim().to_lowercase();
        let (before, number, after) = WORDS.split_number(&text)?;
        WORDS
            .is_hourly(before, after)
            .then_some(Talkativeness::Hourly(number))
    }
}

word_table! {
    /// How people write how often the companion may speak: "about 4 messages an hour", 每小时约4条.
    struct HourlyWords {
        once: PhraseList,
        twice: PhraseList,
        about: PhraseList,
        things: PhraseList,
        hourly: PhraseList,
        hourly_first: PhraseList,
        about_last: PhraseList,
        things_last: PhraseList,
    }
}

static WORDS: LazyLock<HourlyWords> =
    LazyLock::new(|| HourlyWords::from_lists(word_lists("talkativeness")));

impl HourlyWords {
    /// What stands before a number, the number, and what stands behind it.
    fn split_number<'a>(&self, text: &'a str) -> Option<(&'a str, f32, &'a str)> {
        let is_digit = |c: char| c.is_ascii_digit() || c == '.';
        if let Some(from) = text.find(is_digit) {
            let (before, rest) = text.split_at(from);
            let (number, after) = rest.split_at(rest.find(|c| !is_digit(c)).unwrap_or(rest.len()));
            return Some((before.trim(), number.parse().ok()?, after.trim()));
        }
        [(&self.once, 1.0), (&self.twice, 2.0)]
            .iter()
            .find_map(|(words, number)| {
                let after = words
                    .iter()
                    .find_map(|word| strip_leading_word(text, word))?;
                Some(("", *number, after.trim()))
            })
    }

    /// Whether what stands around a number makes it one of messages an hour.
    fn is_hourly(&self, before: &str, after: &str) -> bool {
        let is_about = before.is_empty() || self.about.contains(before);
        let rate = self.things.strip_prefix(after).unwrap_or(after).trim();
        let first = self
            .about_last
            .iter()
            .find_map(|about| before.strip_suffix(about))
            .unwrap_or(before)
            .trim();
        let is_things = after.is_empty() || self.things_last.contains(after);
        is_about && self.hourly.contains(rate) || self.hourly_first.contains(first) && is_things
    }
}

/// The share of messages that a level stands for in a room that is not faster than a lively one.
pub fn compute_level_share(level: f32) -> f32 {
    let logit = SHARE_AT_0 + SHARE_SLOPE * level.clamp(0.0, 1.0);
    1.0 / (1.0 + (-logit).exp())
}

impl From<f32> for Talkativeness {
    fn from(level: f32) -> Self {
        Talkativeness::Level(level)
    }
}

/// As in a file.
impl fmt::Display for Talkativeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Talkativeness::Level(level) => level.fmt(f),
            Talkativeness::Hourly(hourly) => write!(f, "\"about {hourly} an hour\""),
        }
    }
}

impl Serialize for Talkativeness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Talkativeness::Level(level) => serializer.serialize_f32(*level),
            Talkativeness::Hourly(hourly) => {
                serializer.collect_str(&format_args!("about {hourly} an hour"))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Talkativeness {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// What may be written for a talkativeness.
pub const WANTED: &str =
    "a number from 0 (shy) to 1 (chatty), or 0 to 60 messages as \"about 4 an hour\"";

struct Reader;

impl Visitor<'_> for Reader {
    type Value = Talkativeness;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WANTED)
    }

    fn visit_f64<E: de::Error>(self, level: f64) -> Result<Talkativeness, E> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a talkativeness has two or three digits"
        )]
        let level = level as f32;
        Ok(Talkativeness::Level(level))
    }

    fn visit_i64<E: de::Error>(self, level: i64) -> Result<Talkativeness, E> {
        Ok(Talkativeness::Level(level as f32))
    }

    fn visit_u64<E: de::Error>(self, level: u64) -> Result<Talkativeness, E> {
        Ok(Talkativeness::Level(level as f32))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Talkativeness, E> {
        Talkativeness::parse(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}
