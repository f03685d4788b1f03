//! Who the companion is: plain data, read from a persona file by `settings/`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use chrono::{DateTime, NaiveTime};
use chrono_tz::Tz;
pub use kith_language::Language;
use serde::{Deserialize, Serialize};

use super::chat::Millis;
use super::daily_hours::{find_next_start, find_next_time, is_between, parse_clock};
use super::lore::Lorebook;
use super::talkativeness::Talkativeness;

/// The longest name and alias, in characters: Discord's longest nick.
pub const PERSONA_NAME_CHARACTERS: usize = 32;
/// The longest free text, in characters: about 1000 tokens, and it stands in every prompt.
pub const PERSONA_TEXT_CHARACTERS: usize = 4_000;

/// How the companion talks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonaVoice {
    /// A description of its way of writing.
    #[serde(default)]
    pub style: String,
    /// Lines it could have written, one chat message each.
    #[serde(default)]
    pub examples: Vec<String>,
}

/// A part of the day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DailyRoutine {
    /// From when, `HH:MM` local time.
    pub from: String,
    /// Until when, `HH:MM`; earlier than `from` means past midnight.
    pub to: String,
    /// What it is doing then, shown in the prompt.
    #[serde(default)]
    pub doing: String,
    /// Whether it sleeps: asleep it answers nobody.
    #[serde(default)]
    pub asleep: bool,
    /// Whether it may speak first when this part begins, where the settings allow that at all.
    #[serde(default)]
    pub opens: bool,
}

impl DailyRoutine {
    /// From when until when it is; none where that is no time of day.
    fn read_bounds(&self) -> Option<(NaiveTime, NaiveTime)> {
        Some((parse_clock(&self.from)?, parse_clock(&self.to)?))
    }

    /// Whether two parts of the day share a minute.
    pub fn overlaps(&self, other: &Self) -> bool {
        let (Some(one), Some(other)) = (self.read_bounds(), other.read_bounds()) else {
            return false;
        };
        is_between(other.0, one.0, one.1) || is_between(one.0, other.0, other.1)
    }
}

/// When the companion does what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonaSchedule {
    /// The IANA time zone it lives in.
    pub timezone: Tz,
    #[serde(default)]
    pub day: Vec<DailyRoutine>,
}

impl PersonaSchedule {
    /// The part of the day `now` falls into, by the clock of its time zone; the first that fits.
    pub fn find_routine(&self, now: Millis) -> Option<&DailyRoutine> {
        let time = DateTime::from_timestamp_millis(now)?
            .with_timezone(&self.timezone)
            .time();
        self.day.iter().find(|routine| {
            let bounds = routine.read_bounds();
            bounds.is_some_and(|(from, to)| is_between(time, from, to))
        })
    }

    /// When the sleep it is in at `now` ends; none while it is awake.
    pub fn find_wake_time(&self, now: Millis) -> Option<Millis> {
        let to = self
            .find_routine(now)
            .filter(|routine| routine.asleep)
            .and_then(|routine| parse_clock(&routine.to))?;
        find_next_time(now, to, self.timezone)
    }

    /// When the next part of the day begins, after `now`, in which it may speak first.
    pub fn find_next_opening(&self, now: Millis) -> Option<Millis> {
        let parts = self.day.iter().filter(|part| part.opens && !part.asleep);
        parts
            .filter_map(|part| find_next_start(now, parse_clock(&part.from)?, self.timezone))
            .min()
    }

    /// Whether it sleeps at `now`.
    pub fn is_asleep(&self, now: Millis) -> bool {
        self.find_routine(now).is_some_and(|routine| routine.asleep)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MemoryBlock {
    /// What belongs in it, in a few words; it stands beside the label, and is no part of the text.
    pub description: String,
    /// What it starts with.
    pub text: String,
    /// The most it may hold, in characters.
    pub limit: usize,
}

impl Default for MemoryBlock {
    fn default() -> Self {
        Self {
            description: String::new(),
            text: String::new(),
            limit: 600,
        }
    }
}

/// Who the companion is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Persona {
    /// Its name, as members see it.
    pub name: String,
    /// Other names it answers to.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The picture it shows where people can see one; its path is told from the persona's file.
    #[serde(default)]
    pub avatar: Option<PathBuf>,
    /// The language it writes in and its prompt is written in.
    #[serde(default)]
    pub language: Language,
    /// Who it is, in one or two sentences.
    #[serde(default)]
    pub identity: String,
    /// What it is like.
    #[serde(default)]
    pub personality: String,
    /// Where it comes from.
    #[serde(default)]
    pub background: String,
    /// How it talks.
    #[serde(default)]
    pub voice: PersonaVoice,
    /// What it likes to talk about: words, phrases, or `/regular expressions/`.
    #[serde(default)]
    pub interests: Vec<String>,
    /// What it would rather not talk about.
    #[serde(default)]
    pub dislikes: Vec<String>,
    /// How much it speaks unasked; the settings decide where it is absent.
    #[serde(default)]
    pub talkativeness: Option<Talkativeness>,
    /// When it sleeps and what it does by day.
    #[serde(default)]
    pub schedule: Option<PersonaSchedule>,
    /// The names of the skills it has; the settings decide where it is absent.
    #[serde(default)]
    pub skills: Option<Vec<String>>,
    /// The blocks of core memory it starts with, by label.
    #[serde(default)]
    pub core_memory: BTreeMap<String, MemoryBlock>,
    /// Files of what it knows of its world, told from the persona's file. An entry comes into the prompt when its keys
    /// are written.
    #[serde(default)]
    pub lore: Vec<PathBuf>,
    /// What these files hold; read by the settings.
    #[serde(skip)]
    pub lorebooks: Vec<Lorebook>,
    /// The zone of the machine's clock; found by the settings.
    #[serde(skip)]
    pub machine_zone: Option<Tz>,
}

impl Persona {
    /// What it is called, its name first.
    pub fn names(&self) -> Vec<String> {
        let names = std::iter::once(&self.name).chain(&self.aliases);
        names.cloned().collect()
    }

    /// The time zone it lives in: its schedule's, else the machine's; UTC where neither is known.
    pub fn timezone(&self) -> Tz {
        let of_schedule = self.schedule.as_ref().map(|schedule| schedule.timezone);
        of_schedule.or(self.machine_zone).unwrap_or(Tz::UTC)
    }
}
