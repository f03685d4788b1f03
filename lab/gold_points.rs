//! Gold decision points: for the people who answer most in a log, after which messages of others they spoke, and which
//! they answered. The rules and constants are the replay data's protocol (docs/WEIGHTS.md), fixed before anything was
//! learnt.

use std::collections::BTreeSet;

use super::corpus::{ChatLog, LogLine};
use super::score::{
    BurstCounter, GoldPart, GoldPoint, PointAddressee, PointDecision, TalkPartners,
};
use kith_core::chat::UserId;

/// "Soon" is within so many messages of others …
const SOON_MESSAGES: usize = 5;
/// … or so many seconds …
const SOON: f64 = 60.0;
/// … but never later than this, in seconds.
const SOON_AT_MOST: f64 = 300.0;
/// What is answered counts as recent within so many messages …
const RECENT_MESSAGES: usize = 20;
/// … or so many seconds.
const RECENT: f64 = 180.0;
/// Lines of one person closer than this are one session, in seconds.
const SESSION_GAP: f64 = 1_200.0;
/// A session reaches so far beyond its lines, in seconds.
const SESSION_REACH: f64 = 180.0;
/// Who answers less often than this is nobody to learn from.
const LEAST_TURNS: usize = 8;
/// How many people of a log are learnt from; one where only the next speaker is known.
const PERSONAS: usize = 3;
/// Among how many of the most talkative they are looked for.
const TALKATIVE: usize = 20;

#[derive(Clone, Debug)]
pub struct GoldPersona {
    pub id: UserId,
    pub names: Vec<String>,
    /// The gold points, by the message's place in the log.
    pub points: Vec<(usize, GoldPoint)>,
    /// When they wrote, in seconds.
    pub own: Vec<f64>,
}

impl GoldPersona {
    /// The points with the decisions `decide` makes on the messages at their places.
    pub fn apply_decisions(
        &self,
        log: &ChatLog,
        mut decide: impl FnMut(usize) -> PointDecision,
    ) -> GoldPart {
        let mut bursts = BurstCounter::default();
        let point = |(place, point): &(usize, GoldPoint)| {
            let PointDecision {
                score,
                speak,
                at_arrival,
                wrote_on,
            } = decide(*place);
            let author = log.lines.get(*place).map(LogLine::author);
            let burst = bursts.assign_burst(author, point.time, wrote_on);
            GoldPoint {
                score,
                speak,
                at_arrival,
                burst,
                ..point.clone()
            }
        };
        GoldPart {
            points: self.points.iter().map(point).collect(),
            own: self.own.clone(),
        }
    }
}

/// The people of a log who answer most, the most answering first.
pub fn select_personas(log: &ChatLog) -> Vec<GoldPersona> {
    let mut counts: Vec<(UserId, usize)> = Vec::new();
    for line in log
        .lines
        .iter()
        .filter(|line| line.is_annotated() && !line.bot)
    {
        match counts.iter_mut().find(|(id, _)| *id == line.author()) {
            Some((_, count)) => *count += 1,
            None => counts.push((line.author(), 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut found = Vec::new();
    for (id, _) in counts.into_iter().take(TALKATIVE) {
        if !log.person_id(id).chars().any(char::is_alphanumeric) {
            continue;
        }
        let turns = collect_turns(log, id);
        let answers = turns
            .iter()
            .filter(|turn| {
                turn.kind
                    == if log.linked {
                        LineKind::Reply
                    } else {
                        LineKind::Any
                    }
            })
            .count();
        if answers >= LEAST_TURNS {
            found.push((answers, id, turns));
        }
    }
    found.sort_by(|a, b| {
        b.0.cmp(&a.0)
            .then_with(|| log.person_id(a.1).cmp(log.person_id(b.1)))
    });
    found.truncate(if log.linked { PERSONAS } else { 1 });
    found
        .into_iter()
        .map(|(_, id, turns)| build_persona(log, id, &turns))
        .collect()
}

/// Somebody of a log, however little they answer.
pub fn find_persona(log: &ChatLog, id: UserId) -> GoldPersona {
    build_persona(log, id, &collect_turns(log, id))
}

fn build_persona(log: &ChatLog, id: UserId, turns: &[Turn]) -> GoldPersona {
    GoldPersona {
        id,
        names: log.collect_names(id),
        points: collect_points(log, id, turns),
        own: log
            .lines
            .iter()
            .filter(|line| line.author() == id)
            .map(|line| line.time)
            .collect(),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum LineKind {
    Reply,
    /// It answers something long ago, goes on, or opens something.
    Other,
    Any,
}

struct Turn {
    first: usize,
    time: f64,
    kind: LineKind,
    /// The recent lines of others it answers.
    answers: BTreeSet<usize>,
}

fn collect_turns(log: &ChatLog, id: UserId) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut before: Option<&LogLine> = None;
    for (place, line) in log.lines.iter().enumerate() {
        let goes_on = before
            .is_some_and(|before| before.author() == id && line.time - before.time < SESSION_GAP);
        before = Some(line);
        if line.author() != id {
            continue;
        }
        if !goes_on {
            let kind = if log.linked && line.is_annotated() {
                LineKind::Other
            } else {
                LineKind::Any
            };
            turns.push(Turn {
                first: place,
                time: line.time,
                kind,
                answers: BTreeSet::new(),
            });
        }
        let Some(turn) = turns.last_mut() else {
            continue;
        };
        for target in line.answers() {
            let Some(answered) = log
                .lines
                .get(*target)
                .filter(|answered| answered.author() != id)
            else {
                continue;
            };
            let near = turn.first.saturating_sub(*target) <= RECENT_MESSAGES
                || turn.time - answered.time <= RECENT;
            if *target < turn.first && near {
                turn.answers.insert(*target);
                if turn.kind == LineKind::Other {
                    turn.kind = LineKind::Reply;
                }
            }
        }
    }
    turns
}

/// When a person was there, in seconds.
fn collect_sessions(log: &ChatLog, id: UserId) -> Vec<(f64, f64)> {
    let mut sessions: Vec<(f64, f64)> = Vec::new();
    for line in log.lines.iter().filter(|line| line.author() == id) {
        match sessions
            .last_mut()
            .filter(|(_, last)| line.time - *last <= SESSION_GAP)
        {
            Some((_, last)) => *last = line.time,
            None => sessions.push((line.time, line.time)),
        }
    }
    sessions
        .into_iter()
        .map(|(from, to)| (from - SESSION_REACH, to + SESSION_REACH))
        .collect()
}

fn collect_points(log: &ChatLog, id: UserId, turns: &[Turn]) -> Vec<(usize, GoldPoint)> {
    let sessions = collect_sessions(log, id);
    let end = log.lines.last().map_or(0.0, |line| line.time);
    let mut points = Vec::new();
    let mut partners = TalkPartners::default();
    for (place, line) in log.lines.iter().enumerate() {
        let LogLine {
            message, time, bot, ..
        } = line;
        let mine = line.author() == id;
        if mine {
            partners.record_own_line(
                message.mentions.iter().map(|other| log.person_id(*other)),
                *time,
            );
        }
        let partner = !mine && partners.is_partner(log.person_id(line.author()), *time);
        partners.previous = (!mine).then(|| log.person_id(line.author()));
        let there = sessions
            .iter()
            .any(|(from, to)| (*from..=*to).contains(time));
        if mine || *bot || !line.is_annotated() || !there {
            continue;
        }
        let next = turns.iter().find(|turn| turn.first > place);
        let (y, trig, turn) = label_point(log, id, place, next, end);
        // What is answered late belongs to that turn as well.
        let turn = turn
            .or_else(|| next.filter(|_| trig))
            .and_then(|turn| log.lines.get(turn.first));
        let addressed = if message.mentions.contains(&id) {
            PointAddressee::Persona
        } else if message.mentions.is_empty() {
            PointAddressee::None
        } else {
            PointAddressee::Other
        };
        let turn = turn.map(|first| first.number);
        let undecided = GoldPoint {
            score: 0.0,
            speak: false,
            at_arrival: 0.0,
            burst: None,
            time: *time,
            y,
            trig,
            turn,
            addressed,
            partner,
        };
        points.push((place, undecided));
    }
    points
}

/// Whether the person soon answers something, whether it is this message, and with which turn.
fn label_point<'a>(
    log: &ChatLog,
    id: UserId,
    place: usize,
    next: Option<&'a Turn>,
    end: f64,
) -> (i8, bool, Option<&'a Turn>) {
    let time = log.lines.get(place).map_or(0.0, |line| line.time);
    let Some(next) = next else {
        // Where the log ends right after, nobody knows.
        return (if end - time < SOON { -1 } else { 0 }, false, None);
    };
    let later = next.time - time;
    if !log.linked {
        let is_next = next.first == place + 1 && later <= SOON_AT_MOST;
        return (i8::from(is_next), is_next, Some(next).filter(|_| is_next));
    }
    let between = log.lines.get(place + 1..next.first).unwrap_or_default();
    let between = between.iter().filter(|line| line.author() != id).count();
    let soon = (between <= SOON_MESSAGES || later <= SOON) && later <= SOON_AT_MOST;
    if next.kind != LineKind::Reply {
        return (if soon { -1 } else { 0 }, false, None);
    }
    let answers = soon && next.answers.iter().any(|target| *target <= place);
    (
        i8::from(answers),
        next.answers.contains(&place),
        Some(next).filter(|_| answers),
    )
}
