//! A log through the real senses in simulated time: what a companion in a person's place sees of each message, and what
//! the links see of the lines before it. What the person wrote is the companion's own past.

use super::corpus::{ChatLog, GoldLabel, LogLine};
use super::gold_points::GoldPersona;
use super::reply_choice::ReplyChoice;
use super::score::{GoldPart, PointDecision};
use kith_core::chat::{ChannelKind, MessageId, UserId};
use kith_core::talkativeness::{blend_thresholds, compute_joining_threshold};
use kith_core::willingness::{AddressMatcher, ChannelFeatures, Weights, WillingnessScore};

const TALKATIVENESS: f32 = 0.5;
const NOBODY: UserId = UserId(u64::MAX);

/// Hears a log in a person's place. `each` gets the place of every message of others, its score, and the senses after
/// it.
pub fn play_log(
    log: &ChatLog,
    persona: &GoldPersona,
    weights: &Weights,
    mut each: impl FnMut(usize, &WillingnessScore, &ChannelFeatures),
) {
    let nature = kith_core::persona::Persona::default();
    let listener = AddressMatcher::new(persona.id, &persona.names, &nature, ChannelKind::Group);
    let mut sense = ChannelFeatures::default();
    for (place, line) in log.lines.iter().enumerate() {
        if line.author() == persona.id {
            sense.record_own_message(&line.message, weights);
        } else {
            let score = sense.score_message(&line.message, &listener, weights);
            each(place, &score, &sense);
        }
    }
}

/// Whether the author of a message writes again before the persona does and before they have been quiet for as long as
/// they usually are.
pub fn has_follow_up(log: &ChatLog, place: usize, me: UserId, sense: &ChannelFeatures) -> bool {
    let Some(line) = log.lines.get(place) else {
        return false;
    };
    let next = log
        .lines
        .iter()
        .skip(place + 1)
        .find(|next| next.author() == line.author() || next.author() == me);
    let soon =
        |next: &LogLine| next.message.at - line.message.at <= sense.find_author_wait(line.author());
    next.is_some_and(|next| next.author() == line.author() && soon(next))
}

/// The persona's points with what the companion would decide on them.
pub fn decide_points(log: &ChatLog, persona: &GoldPersona, weights: &Weights) -> GoldPart {
    let mut decisions = vec![PointDecision::default(); log.lines.len()];
    play_log(log, persona, weights, |place, score, sense| {
        let speak = score.address.is_some()
            || score.logit - score.restraint
                >= blend_thresholds(
                    score.own_conversation_share(),
                    TALKATIVENESS,
                    compute_joining_threshold(TALKATIVENESS),
                );
        let score = f64::from(score.probability);
        let wrote_on = has_follow_up(log, place, persona.id, sense);
        decisions[place] = PointDecision {
            score,
            speak,
            at_arrival: score,
            wrote_on,
        };
    });
    persona.apply_decisions(log, |place| decisions[place])
}

/// What links see of every annotated message of a log whose answered lines they remember, or that answers nothing.
pub fn collect_choices(log: &ChatLog, weights: &Weights) -> Vec<ReplyChoice> {
    let mut choices = Vec::new();
    walk_log(log, weights, |sense, place| {
        let GoldLabel::Answers { places, lost } = &log.lines[place].gold else {
            return;
        };
        let right: Vec<MessageId> = places
            .iter()
            .map(|place| log.lines[*place].message.id)
            .collect();
        let mut choice = ReplyChoice::default();
        sense.for_each_clues(&log.lines[place].message, &build_outsider(), |id, clues| {
            if right.contains(&id) {
                choice.right.push(choice.lines.len());
            }
            choice.lines.push(*clues);
        });
        if !choice.right.is_empty() || places.is_empty() && *lost == 0 {
            choices.push(choice);
        }
    });
    choices
}

/// The lines somebody who only reads along takes each annotated message to answer; its own place where it opens
/// something new. By the messages' places.
pub fn guess_links(log: &ChatLog, weights: &Weights) -> Vec<(usize, usize)> {
    let mut guesses = Vec::new();
    let mut sense = ChannelFeatures::default();
    let listener = build_outsider();
    for (place, line) in log.lines.iter().enumerate() {
        if line.is_annotated() {
            let mut best = (f64::from(weights.opening), None);
            sense.for_each_clues(&line.message, &listener, |id, clues| {
                let sum: f64 = clues
                    .iter()
                    .zip(weights.clues())
                    .map(|(value, weight)| f64::from(value * weight))
                    .sum();
                if sum > best.0 {
                    best = (sum, Some(id));
                }
            });
            // Messages are numbered from 1 by their places.
            let answered = best.1.and_then(|id| usize::try_from(id.0 - 1).ok());
            guesses.push((place, answered.unwrap_or(place)));
        }
        sense.score_message(&line.message, &listener, weights);
    }
    guesses
}

fn walk_log(log: &ChatLog, weights: &Weights, mut each: impl FnMut(&ChannelFeatures, usize)) {
    let mut sense = ChannelFeatures::default();
    let listener = build_outsider();
    for (place, line) in log.lines.iter().enumerate() {
        each(&sense, place);
        sense.score_message(&line.message, &listener, weights);
    }
}

/// Somebody who only reads along.
fn build_outsider() -> AddressMatcher {
    AddressMatcher::new(
        NOBODY,
        &[],
        &kith_core::persona::Persona::default(),
        ChannelKind::Group,
    )
}
