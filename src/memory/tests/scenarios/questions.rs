//! The questions of the scenarios, and when an answer to one is right; the top of english_questions.txt says how they are
//! written.

use std::collections::HashMap;

use kith_core::chat::{ChannelId, Millis};
use kith_core::context::{RecalledMessage, RecalledTalk};

use super::guild::ScenarioGuild;
use super::story::parse_time;

/// A question of a scenario.
pub struct ScenarioQuestion {
    pub at: Millis,
    pub channel: ChannelId,
    /// Whether it was left aside while the ranking was changed.
    pub is_held_out: bool,
    pub kind: String,
    pub text: String,
    wanted: WantedAnswer,
}

/// What is to be shown, by the labels of lines.
enum WantedAnswer {
    AnyOf(Vec<String>),
    AllOf(Vec<String>),
    NewerFirst { newer: String, older: String },
    Without(Vec<String>),
    Nothing,
}

/// Where a line with a label stands: when it was said and what it says now.
pub type LabelledLines = HashMap<String, (Millis, String)>;

pub fn parse_questions(text: &str, guild: &ScenarioGuild) -> Vec<ScenarioQuestion> {
    let (mut at, mut channel) = (0, ChannelId::default());
    let mut is_held_out = false;
    let mut questions = Vec::new();
    for line in text.lines() {
        if let Some(section) = line.strip_prefix('[') {
            is_held_out = section == "held out]";
        } else if let Some(head) = line.strip_prefix("== ") {
            let [day, time, name] = head.split(' ').collect::<Vec<_>>()[..] else {
                panic!("when and where is `{line}`?");
            };
            (at, channel) = (parse_time(day, time), guild.channel(name));
        } else if !line.is_empty() && !line.starts_with('#') {
            let (kind, rest) = line.split_once(": ").unwrap();
            let (text, wanted) = rest.rsplit_once(" -> ").unwrap();
            questions.push(ScenarioQuestion {
                at,
                channel,
                is_held_out,
                kind: kind.into(),
                text: text.into(),
                wanted: WantedAnswer::parse(wanted),
            });
        }
    }
    questions
}

impl WantedAnswer {
    fn parse(text: &str) -> Self {
        let split = |sign: &str| text.split(sign).map(str::to_owned).collect::<Vec<_>>();
        if text == "nothing" {
            return Self::Nothing;
        }
        if text.starts_with('!') {
            let words = split(" / ").into_iter();
            return Self::Without(words.map(|words| words[1..].to_owned()).collect());
        }
        if let Some((newer, older)) = text.split_once(" > ") {
            let (newer, older) = (newer.into(), older.into());
            return Self::NewerFirst { newer, older };
        }
        if text.contains(" + ") {
            return Self::AllOf(split(" + "));
        }
        Self::AnyOf(split(" | "))
    }
}

impl ScenarioQuestion {
    /// Whether what is shown is what is wanted.
    pub fn is_answered_by(&self, shown: &[RecalledTalk], lines: &LabelledLines) -> bool {
        let is_line = |label: &str, line: &RecalledMessage| {
            let (at, text) = lines
                .get(label)
                .unwrap_or_else(|| panic!("no line is {label}"));
            line.at == *at && *line.text == **text
        };
        // Only hits are ranked; what is shown beside one counts as behind them all.
        let hit = |label: &str| shown.iter().position(|talk| is_line(label, &talk.hit));
        let beside = |label: &str| {
            let mut talks = shown.iter();
            talks.position(|talk| talk.lines().any(|line| is_line(label, line)))
        };
        let place = |label: &str| hit(label).or(beside(label).map(|place| shown.len() + place));
        match &self.wanted {
            WantedAnswer::AnyOf(labels) => labels.iter().any(|label| place(label).is_some()),
            WantedAnswer::AllOf(labels) => labels.iter().all(|label| place(label).is_some()),
            WantedAnswer::NewerFirst { newer, older } => {
                let older = place(older).unwrap_or(usize::MAX);
                place(newer).is_some_and(|newer| newer < older)
            }
            WantedAnswer::Without(words) => {
                let mut lines = shown.iter().flat_map(RecalledTalk::lines);
                lines.all(|line| words.iter().all(|words| !line.text.contains(&**words)))
            }
            WantedAnswer::Nothing => shown.is_empty(),
        }
    }
}
