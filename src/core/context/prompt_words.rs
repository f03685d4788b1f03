//! Moments as a prompt shows them, and the words of a prompt that the guard over what models write has to know.

use std::sync::LazyLock;

use chrono::{DateTime, Datelike, Timelike, Utc};
use chrono_tz::Tz;
use kith_language::{LocalizedMessage, prompt};

use crate::chat::Millis;
use crate::persona::Language;

/// What stands in a pattern where a prompt has a value.
const VALUE: &str = "{}";

/// `[14:05]` with the date.
pub(super) fn format_dated_mark(at: DateTime<Tz>, language: Language) -> String {
    let mark = prompt::date_mark(
        at.day(),
        at.month(),
        format_clock(at),
        at.weekday().number_from_monday(),
    );
    format!("[{}]", mark.in_language(language))
}

pub(super) fn format_full_time(at: DateTime<Tz>) -> LocalizedMessage {
    prompt::full_time(
        at.day(),
        at.month(),
        format_clock(at),
        at.weekday().number_from_monday(),
        at.year().to_string(),
    )
}

fn format_clock(at: DateTime<Tz>) -> String {
    format!("{:02}:{:02}", at.hour(), at.minute())
}

/// The words of a language that stand around what a prompt shows; `{}` are where values stand.
#[derive(Clone, Debug)]
pub struct PromptWords {
    /// What the companion is doing now.
    pub doing: String,
    /// Which moment it is.
    pub time: String,
    /// Everything that is long enough to be known again in an answer.
    pub patterns: Vec<String>,
}

/// The words of a prompt that no message should hold: for the guard over what models write.
pub fn prompt_words(language: Language) -> &'static PromptWords {
    static WORDS: LazyLock<[PromptWords; Language::ALL.len()]> =
        LazyLock::new(|| Language::ALL.map(collect_prompt_words));
    &WORDS[language.index()]
}

fn collect_prompt_words(language: Language) -> PromptWords {
    let patterns = [
        prompt::direct_channel(),
        prompt::gap(),
        prompt::direct(VALUE, VALUE),
        prompt::mention(VALUE, VALUE),
        prompt::reply(VALUE, VALUE),
        prompt::call_by_name(VALUE, VALUE),
        prompt::alone(VALUE, VALUE),
        prompt::says_to_you(VALUE, VALUE, VALUE),
        prompt::says(VALUE, VALUE, VALUE),
        prompt::deleted_address(),
        prompt::also(VALUE),
        prompt::unasked(VALUE, VALUE),
        prompt::unasked_plainly(),
        prompt::waited(VALUE),
        prompt::own_note(VALUE),
        prompt::remind(VALUE, VALUE),
        prompt::remind_all(VALUE),
        prompt::lull(VALUE),
        prompt::opening(),
        prompt::not_obliged(),
        prompt::last_spoke(VALUE),
        prompt::you_thought(),
        prompt::called_tool(VALUE, VALUE),
        prompt::you_said(),
        prompt::unreadable(),
        prompt::unread(VALUE),
        prompt::go_on(),
        prompt::left_out(VALUE),
        prompt::todo_reminder(),
        prompt::unsent(),
        prompt::on_their_way(),
    ];
    PromptWords {
        doing: prompt::doing_now(VALUE).in_language(language),
        time: prompt::time_now(VALUE).in_language(language),
        patterns: patterns.map(|pattern| pattern.in_language(language)).into(),
    }
}

pub(super) fn to_local_time(at: Millis, zone: Tz) -> DateTime<Tz> {
    DateTime::<Utc>::from_timestamp_millis(at)
        .unwrap_or_default()
        .with_timezone(&zone)
}

/// `[14:05]`.
pub(super) fn format_time_mark(at: DateTime<Tz>) -> String {
    format!("[{}]", format_clock(at))
}
