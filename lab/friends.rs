//! Chats of friends in which people marked when a good friend would speak, and what can be learnt from them.
//!
//! A chat is a text file: a head `# channel | persona | language | start`, then a line a message, `+SECONDS Name: text`,
//! behind it ` ## MARK reason` where a human wrote it. `M`: a friend must speak now, `y`: may, `n`: must not. `¶` is a line
//! break. The persona is `personas/NAME.toml` beside the chats; its lines are the companion's own past.

pub mod evaluation;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use chrono::DateTime;

use super::logistic::TrainingExample;
use kith_core::chat::{
    Author, AuthorKind, ChannelId, ChannelKind, Message, MessageId, Millis, SECOND, UserId,
};
use kith_core::persona::Persona;
use kith_core::willingness::{AddressMatcher, ChannelFeatures, Weights, WillingnessScore};

/// What counts as right where speaking and silence are both fine, and how much such a line weighs beside the others: it
/// says little, but most lines are such.
const MAY_TARGET: f64 = 0.3;
const MAY_WEIGHT: f64 = 0.35;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FriendMark {
    Must,
    May,
    MustNot,
}

#[derive(Clone, Debug)]
pub struct MarkedChat {
    /// The file's name without its ending.
    pub name: String,
    /// `en` or `zh`.
    pub language: String,
    /// How many people write beside the companion.
    pub people: usize,
    persona: Persona,
    messages: Vec<(Message, Option<FriendMark>)>,
}

/// A line of somebody else in a chat, as the companion sees it.
pub struct LabeledLine {
    pub score: WillingnessScore,
    /// A 1 and the signals.
    pub signals: Vec<f64>,
    pub mark: FriendMark,
    /// Whether its author wrote on within their habitual pause: nothing is decided on it.
    pub passed: bool,
}

impl LabeledLine {
    pub fn to_example(&self) -> TrainingExample<'_> {
        let (right, weight) = match self.mark {
            FriendMark::Must => (1.0, 1.0),
            FriendMark::May => (MAY_TARGET, MAY_WEIGHT),
            FriendMark::MustNot => (0.0, 1.0),
        };
        TrainingExample {
            seen: &self.signals,
            right,
            weight,
        }
    }
}

const ME: UserId = UserId(1);

/// Reads all chats of a folder, by name.
///
/// # Errors
/// A file that cannot be read or is not of the form above: which line, and what is expected.
pub fn read_chats(folder: &Path) -> anyhow::Result<Vec<MarkedChat>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("{}: cannot be read", folder.display()))?;
    let files = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .collect();
    files.sort();
    if files.is_empty() {
        bail!(
            "{}: there are no chats in it (files that end in .txt)",
            folder.display()
        );
    }
    files.iter().map(|file| read_chat(folder, file)).collect()
}

fn read_chat(folder: &Path, file: &Path) -> anyhow::Result<MarkedChat> {
    let text =
        fs::read_to_string(file).with_context(|| format!("{}: cannot be read", file.display()))?;
    let mut lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let head = lines.next().map_or("", |(_, line)| line);
    let parts: Vec<&str> = head
        .trim_start_matches(['#', ' '])
        .split('|')
        .map(str::trim)
        .collect();
    let [_, persona, language, start] = parts[..] else {
        bail!(
            "{}:1: expected `# channel | persona | language | start`",
            file.display()
        );
    };
    let start = DateTime::parse_from_rfc3339(start).map_err(|_| {
        anyhow!(
            "{}:1: `{start}` is no time such as 2026-01-31T18:00:00Z",
            file.display()
        )
    })?;
    let persona_file = folder.join("personas").join(format!("{persona}.toml"));
    let persona: Persona = fs::read_to_string(&persona_file)
        .map_err(anyhow::Error::from)
        .and_then(|text| Ok(toml::from_str(&text)?))
        .with_context(|| format!("{}: not a persona", persona_file.display()))?;
    let mut people = vec![persona.name.clone()];
    let mut at = start.timestamp_millis();
    let mut messages = Vec::new();
    for (number, line) in lines {
        let (seconds, name, text, mark) = parse_line(line).ok_or_else(|| {
            anyhow!(
                "{}:{}: expected `+SECONDS Name: text ## MARK`",
                file.display(),
                number + 1
            )
        })?;
        at += seconds * SECOND;
        let author = assign_person_id(&mut people, name);
        let message = build_message(messages.len() as u64 + 1, at, author, name, text);
        messages.push((message, mark));
    }
    for (message, _) in &mut messages {
        message.mentions = find_mentions(&people, &message.text);
    }
    let name = file
        .file_stem()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    Ok(MarkedChat {
        name,
        language: language.to_owned(),
        people: people.len() - 1,
        persona,
        messages,
    })
}

fn assign_person_id(people: &mut Vec<String>, name: &str) -> UserId {
    let known = people.iter().position(|known| known == name);
    let place = known.unwrap_or_else(|| {
        people.push(name.to_owned());
        people.len() - 1
    });
    UserId(place as u64 + 1)
}

fn build_message(arrival: u64, at: Millis, author: UserId, name: &str, text: &str) -> Message {
    let kind = if author == ME {
        AuthorKind::Companion
    } else {
        AuthorKind::Person
    };
    Message {
        id: MessageId(arrival),
        channel: ChannelId(1),
        arrival,
        at,
        author: Author {
            id: author,
            name: Arc::from(name),
            kind,
        },
        text: Arc::from(text.replace('¶', "\n")),
        reply_to: None,
        mentions: Vec::new(),
    }
}

fn find_mentions(people: &[String], text: &str) -> Vec<UserId> {
    let mentioned = people
        .iter()
        .enumerate()
        .filter(|(_, name)| text.contains(&format!("@{name}")));
    mentioned
        .map(|(place, _)| UserId(place as u64 + 1))
        .collect()
}

fn parse_line(line: &str) -> Option<(i64, &str, &str, Option<FriendMark>)> {
    let (seconds, rest) = line.strip_prefix('+')?.split_once(' ')?;
    let colon = rest.find([':', '：'])?;
    let (name, rest) = rest.split_at(colon);
    let rest = rest.trim_start_matches([':', '：']).trim_start();
    let (text, mark) = match rest.rsplit_once(" ## ") {
        Some((text, mark)) => (text, mark.chars().next()),
        None => (rest, None),
    };
    let mark = match mark {
        None => None,
        Some('M') => Some(FriendMark::Must),
        Some('y') => Some(FriendMark::May),
        Some('n') => Some(FriendMark::MustNot),
        Some(_) => return None,
    };
    Some((seconds.parse().ok()?, name, text, mark))
}

impl MarkedChat {
    /// The same chat where every pause is so many times as long.
    pub fn retimed(&self, factor: i64) -> MarkedChat {
        let mut chat = self.clone();
        let start = chat.messages.first().map_or(0, |(message, _)| message.at);
        for (message, _) in &mut chat.messages {
            message.at = start + (message.at - start) * factor;
        }
        chat
    }

    /// The lines of the chat, seen with these weights; nothing where the companion itself speaks. A line without a mark is
    /// one where either is fine.
    pub fn collect_moments(&self, weights: &Weights) -> Vec<Option<LabeledLine>> {
        let names: Vec<String> = std::iter::once(self.persona.name.clone())
            .chain(self.persona.aliases.clone())
            .collect();
        let listener = AddressMatcher::new(ME, &names, &self.persona, ChannelKind::Group);
        let mut sense = ChannelFeatures::default();
        let mut heard = Vec::with_capacity(self.messages.len());
        for (place, (message, mark)) in self.messages.iter().enumerate() {
            if message.author.id == ME {
                sense.record_own_message(message, weights);
                heard.push(None);
                continue;
            }
            let score = sense.score_message(message, &listener, weights);
            let signals = std::iter::once(1.0)
                .chain(score.values.iter().map(|value| f64::from(*value)))
                .collect();
            let passed = self.has_follow_up(place, sense.find_author_wait(message.author.id));
            heard.push(Some(LabeledLine {
                score,
                signals,
                mark: mark.unwrap_or(FriendMark::May),
                passed,
            }));
        }
        heard
    }

    /// Whether the author of a message writes again within a time, before the companion does.
    fn has_follow_up(&self, place: usize, within: Millis) -> bool {
        let Some((message, _)) = self.messages.get(place) else {
            return false;
        };
        let mut later = self
            .messages
            .iter()
            .skip(place + 1)
            .map(|(message, _)| message);
        let next = later.find(|next| next.author.id == message.author.id || next.author.id == ME);
        next.is_some_and(|next| {
            next.author.id == message.author.id && next.at - message.at <= within
        })
    }
}
