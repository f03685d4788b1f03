//! What happens in the guild of the scenarios, read from the log files, with small talk put between.

use kith_core::chat::{Author, ChannelId, DAY, HOUR, MINUTE, Millis};

use super::guild::ScenarioGuild;
use crate::chatter::SmallTalk;

/// Something that happens at a time.
pub struct StoryStep {
    pub at: Millis,
    pub deed: StoryDeed,
}

/// What happens.
pub enum StoryDeed {
    Say {
        author: Author,
        channel: ChannelId,
        text: String,
        label: Option<String>,
        /// The label of the line it answers.
        answers: Option<String>,
    },
    Edit {
        label: String,
        text: String,
    },
    Delete {
        label: String,
    },
    Forget {
        name: String,
    },
    OptOut {
        name: String,
    },
}

/// Reads `2026-03-02 18:02`.
pub fn parse_time(day: &str, time: &str) -> Millis {
    let text = format!("{day}T{time}:00Z");
    let read = chrono::DateTime::parse_from_rfc3339(&text);
    read.unwrap_or_else(|_| panic!("{text} is no time"))
        .timestamp_millis()
}

/// Reads a log; the top of english_log.txt says how it is written.
pub fn parse_log(text: &str, guild: &ScenarioGuild) -> Vec<StoryStep> {
    let (mut day, mut channel) = ("", ChannelId::default());
    let mut steps = Vec::new();
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("== ") {
            let name;
            (day, name) = head.split_once(' ').unwrap();
            channel = guild.channel(name);
        } else if !line.is_empty() && !line.starts_with('#') {
            let (time, rest) = line.split_once(' ').unwrap();
            let at = parse_time(day, time);
            let deed = parse_deed(rest, channel, guild);
            steps.push(StoryStep { at, deed });
        }
    }
    steps
}

fn parse_deed(line: &str, channel: ChannelId, guild: &ScenarioGuild) -> StoryDeed {
    let (head, text) = line.split_once(": ").unwrap_or((line, ""));
    match head.split(' ').collect::<Vec<_>>()[..] {
        ["edit", label] => StoryDeed::Edit {
            label: label.into(),
            text: text.into(),
        },
        ["delete", label] => StoryDeed::Delete {
            label: label.into(),
        },
        ["forget", name] => StoryDeed::Forget { name: name.into() },
        ["optout", name] => StoryDeed::OptOut { name: name.into() },
        [name, ref answered @ ..] => {
            let labelled = text
                .strip_suffix('}')
                .and_then(|text| text.split_once(" {"));
            let answers = answered.last().map(|label| (*label).to_owned());
            StoryDeed::Say {
                author: guild.person(name).clone(),
                channel,
                text: labelled.map_or(text, |(text, _)| text).into(),
                label: labelled.map(|(_, label)| label.into()),
                answers,
            }
        }
        [] => panic!("what happens in `{line}`?"),
    }
}

/// Small talk of so many days: bursts of some lines in the open channels, at hours that differ from day to day.
pub fn talk_small(
    small_talk: &SmallTalk,
    speakers: &[Author],
    channels: &[ChannelId],
    (first, days): (Millis, u64),
) -> Vec<StoryStep> {
    const BURSTS: u64 = 2;
    const LINES: u64 = 5;
    let mut steps = Vec::new();
    for burst in 0..days * BURSTS {
        let begins = first
            + (burst / BURSTS) as Millis * DAY
            + (7 + 8 * (burst % BURSTS) as Millis + (burst * 5 % 7) as Millis) * HOUR
            + (burst * 17 % 60) as Millis * MINUTE;
        let channel = channels[(burst * 3 / 2) as usize % channels.len()];
        for line in 0..LINES {
            let number = burst * LINES + line;
            let deed = StoryDeed::Say {
                author: speakers[(number * 7 + number / 3) as usize % speakers.len()].clone(),
                channel,
                text: small_talk.line(number),
                label: None,
                answers: None,
            };
            let at = begins + line as Millis * MINUTE;
            steps.push(StoryStep { at, deed });
        }
    }
    steps
}
