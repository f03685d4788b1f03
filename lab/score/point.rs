//! Gold points with the decisions on them, as files hold them: `eval/SPLIT.points.jsonl`, the logs it names, and the
//! decisions of `kith replay --points`. Every error names file and line.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::hash::Hash;
use std::path::Path;

use anyhow::{Context, anyhow};
use indicatif::ProgressBar;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use kith_replay::log;

/// For how long somebody counts as the persona's partner, in seconds.
const PARTNER_LASTS: f64 = 300.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PointAddressee {
    #[serde(rename = "P")]
    Persona,
    Other,
    None,
}

#[derive(Clone, Debug, PartialEq)]
pub struct GoldPoint {
    /// When it was written, in seconds.
    pub time: f64,
    /// 1: the persona soon answers something that is there; 0: it does not; -1: not scored.
    pub y: i8,
    /// Whether the persona's next turn answers this very message.
    pub trig: bool,
    /// The turn it belongs to: the number of that turn's first message.
    pub turn: Option<i64>,
    pub addressed: PointAddressee,
    /// Whether the persona talked with its author within the last five minutes.
    pub partner: bool,
    pub score: f64,
    pub speak: bool,
    /// The willingness when the message came in; the same as the score where nobody waited for its author.
    pub at_arrival: f64,
    /// The number of its burst in the part: lines its author wrote on after, and the last of them. None where it stands
    /// alone.
    pub burst: Option<usize>,
}

impl GoldPoint {
    /// The label "soon": none where it is not scored.
    pub fn soon_label(&self) -> Option<bool> {
        (self.y >= 0).then_some(self.y == 1)
    }

    /// The label "trigger": none where the persona soon speaks, but on something else.
    pub fn trigger_label(&self) -> Option<bool> {
        if self.trig {
            Some(true)
        } else {
            (self.y == 0).then_some(false)
        }
    }

    pub fn is_left_alone(&self) -> bool {
        self.y == 0 && !self.trig
    }
}

/// The points of one persona in one log, in the log's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoldPart {
    pub points: Vec<GoldPoint>,
    /// When the persona itself wrote, in seconds.
    pub own: Vec<f64>,
}

#[derive(Deserialize)]
struct PointLine {
    f: String,
    p: String,
    id: String,
    y: i8,
    trig: u8,
    turn: Option<String>,
    addr: PointAddressee,
}

#[derive(Deserialize)]
struct DecidedLine {
    f: String,
    p: String,
    id: String,
    score: f64,
    speak: bool,
    #[serde(default)]
    why: LineReasons,
}

#[derive(Default, Deserialize)]
struct LineReasons {
    at_arrival: Option<f64>,
    #[serde(default)]
    wrote_on: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct PointDecision {
    pub score: f64,
    pub speak: bool,
    /// The willingness when the message came in.
    pub at_arrival: f64,
    /// Whether its author wrote on, so that the next line of theirs is decided on instead.
    pub wrote_on: bool,
}

/// Tells which lines are one burst, line by line in a part's order.
#[derive(Default)]
pub struct BurstCounter<A> {
    open: HashMap<A, (usize, f64)>,
    count: usize,
}

/// Who wrote on did so within this time, in seconds.
const WRITES_ON_WITHIN: f64 = 60.0;

impl<A: Hash + Eq> BurstCounter<A> {
    /// The burst of an author's next line; none where it stands alone.
    pub fn assign_burst(&mut self, author: A, time: f64, wrote_on: bool) -> Option<usize> {
        let open = self
            .open
            .remove(&author)
            .filter(|(_, at)| time - at <= WRITES_ON_WITHIN);
        if open.is_none() && !wrote_on {
            return None;
        }
        let burst = open.map_or(self.count, |(burst, _)| burst);
        self.count = self.count.max(burst + 1);
        if wrote_on {
            self.open.insert(author, (burst, time));
        }
        Some(burst)
    }
}

#[derive(Deserialize)]
struct Person {
    file: String,
    persona: String,
    rank: u32,
}

pub type Decisions = HashMap<(String, String, String), PointDecision>;

/// Reads the points of a split with the decisions on them. A point nobody decided on has score 0 and is silence. With
/// `first_only`, only the most replying persona of each log counts.
///
/// # Errors
/// A file that cannot be read or a line that is not what it should be: which, and what is expected.
pub fn read_decided_points(
    root: &Path,
    split: &str,
    decisions: &Path,
    first_only: bool,
) -> anyhow::Result<Vec<GoldPart>> {
    let decided: Vec<DecidedLine> = read_lines(
        decisions,
        "not a decision: expected f, p, id, score and speak, as `kith replay --out` writes them",
    )?;
    let decide_line = |DecidedLine {
                           f,
                           p,
                           id,
                           score,
                           speak,
                           why,
                       }: DecidedLine| {
        let at_arrival = why.at_arrival.unwrap_or(score);
        (
            (f, p, id),
            PointDecision {
                score,
                speak,
                at_arrival,
                wrote_on: why.wrote_on,
            },
        )
    };
    let decided = decided.into_iter().map(decide_line).collect();
    apply_decisions(
        &root.join(format!("eval/{split}.points.jsonl")),
        root,
        &decided,
        first_only,
    )
}

/// The same for a file of points and decisions at hand.
///
/// # Errors
/// As [`read_decided_points`].
pub fn apply_decisions(
    points: &Path,
    root: &Path,
    decided: &Decisions,
    first_only: bool,
) -> anyhow::Result<Vec<GoldPart>> {
    let mut lines: Vec<PointLine> = read_lines(
        points,
        "not a gold point: expected f, p, id, y, trig, turn and addr",
    )?;
    if first_only {
        let first = read_first_personas(root)?;
        lines.retain(|line| first.contains(&(line.f.clone(), line.p.clone())));
    }
    let mut order: Vec<(String, String)> = Vec::new();
    let mut grouped: HashMap<(String, String), Vec<PointLine>> = HashMap::new();
    for line in lines {
        let key = (line.f.clone(), line.p.clone());
        if !grouped.contains_key(&key) {
            order.push(key.clone());
        }
        grouped.entry(key).or_default().push(line);
    }
    let mut known: HashMap<String, Chat> = HashMap::new();
    let mut parts = Vec::with_capacity(order.len());
    for key in order {
        let (file, persona) = &key;
        if !known.contains_key(file) {
            known.insert(file.clone(), Chat::read(&root.join(file))?);
        }
        let (Some(chat), Some(lines)) = (known.get(file), grouped.remove(&key)) else {
            continue;
        };
        let (times, own) = chat.index_messages(persona);
        let mut bursts = BurstCounter::default();
        let point = |line: PointLine| {
            let place = *times.get(line.id.as_str()).ok_or_else(|| {
                anyhow!(
                    "{file}: message {}, which is a gold point of {persona}, is not there",
                    line.id
                )
            })?;
            build_point(file, line, place, decided, &mut bursts)
        };
        parts.push(GoldPart {
            points: lines
                .into_iter()
                .map(point)
                .collect::<anyhow::Result<_>>()?,
            own,
        });
    }
    Ok(parts)
}

/// The file and persona of everybody who is the first persona of a file.
fn read_first_personas(root: &Path) -> anyhow::Result<HashSet<(String, String)>> {
    let path = root.join("eval/personas.json");
    let text =
        fs::read_to_string(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let people: Vec<Person> = serde_json::from_str(&text).with_context(|| {
        format!(
            "{}: not a list of personas with file, persona and rank",
            path.display()
        )
    })?;
    Ok(people
        .into_iter()
        .filter(|person| person.rank == 1)
        .map(|person| (person.file, person.persona))
        .collect())
}

fn build_point<'a>(
    file: &str,
    line: PointLine,
    (time, partner, author): MessagePlace<'a>,
    decided: &Decisions,
    bursts: &mut BurstCounter<&'a str>,
) -> anyhow::Result<GoldPoint> {
    let turn = line.turn.as_deref().map(str::parse).transpose();
    let turn =
        turn.with_context(|| format!("{file}: the turn of the point {} has no number", line.id))?;
    let decision = decided
        .get(&(line.f, line.p, line.id))
        .copied()
        .unwrap_or_default();
    Ok(GoldPoint {
        time,
        y: line.y,
        trig: line.trig != 0,
        turn,
        addressed: line.addr,
        partner,
        score: decision.score,
        speak: decision.speak,
        at_arrival: decision.at_arrival,
        burst: bursts.assign_burst(author, time, decision.wrote_on),
    })
}

fn read_lines<T: DeserializeOwned>(path: &Path, expected: &str) -> anyhow::Result<Vec<T>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str(line)
            .with_context(|| format!("{}:{}: {expected}", path.display(), number + 1))
    };
    lines.map(read).collect()
}

struct Chat(Vec<ChatMessage>);

struct ChatMessage {
    id: String,
    author: String,
    time: f64,
    mentions: Vec<String>,
}

impl Chat {
    fn read(path: &Path) -> anyhow::Result<Chat> {
        let mut said = Vec::new();
        log::read_log(path, &ProgressBar::hidden(), &mut |message| {
            let time = message.at as f64 / 1_000.0;
            said.push(ChatMessage {
                id: message.id,
                author: message.author.id,
                time,
                mentions: message.mentions,
            });
            Ok(())
        })?;
        Ok(Chat(said))
    }

    /// Each message's time, whether its author was the persona's partner then, and that author; and when the persona
    /// wrote.
    fn index_messages(&self, persona: &str) -> (HashMap<&str, MessagePlace<'_>>, Vec<f64>) {
        let (mut times, mut own) = (HashMap::new(), Vec::new());
        let mut partners = TalkPartners::default();
        for ChatMessage {
            id,
            author,
            time,
            mentions,
        } in &self.0
        {
            let mine = author == persona;
            if mine {
                own.push(*time);
                partners.record_own_line(mentions.iter().map(String::as_str), *time);
            }
            let near = !mine && partners.is_partner(author, *time);
            partners.previous = Some(author).filter(|_| !mine).map(String::as_str);
            times.insert(id.as_str(), (*time, near, author.as_str()));
        }
        (times, own)
    }
}

/// A message's time, whether its author was the persona's partner then, and that author.
type MessagePlace<'a> = (f64, bool, &'a str);

/// With whom a persona talked, by what it mentions or, where it mentions nobody, who wrote right before.
#[derive(Default)]
pub struct TalkPartners<'a> {
    seen: HashMap<&'a str, f64>,
    /// Who wrote the line before, unless it was the persona.
    pub previous: Option<&'a str>,
}

impl<'a> TalkPartners<'a> {
    pub fn record_own_line(&mut self, mentions: impl Iterator<Item = &'a str>, time: f64) {
        let mut nobody = true;
        for other in mentions {
            self.seen.insert(other, time);
            nobody = false;
        }
        if let Some(previous) = self.previous.filter(|_| nobody) {
            self.seen.insert(previous, time);
        }
    }

    pub fn is_partner(&self, author: &str, time: f64) -> bool {
        self.seen
            .get(author)
            .is_some_and(|since| time - since <= PARTNER_LASTS)
    }
}
