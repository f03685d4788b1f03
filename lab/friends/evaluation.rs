//! How good decisions in marked chats are, and how good they are in chats that were not learnt from.

use std::fmt;

use super::{FriendMark, LabeledLine, MarkedChat};
use crate::fitted_model::FittedModel;
use crate::logistic::{self, TrainingExample};
use crate::prior;
use crate::score::rank_scores;
use kith_core::chat::{Millis, SECOND};
use kith_core::talkativeness::{blend_thresholds, compute_joining_threshold};
use kith_core::willingness::{RoomKind, Weights};

/// A line that wants an answer is answered by speaking on it or on one of so many later lines of others, within this time.
const LATER_LINES: usize = 3;
const LATER: Millis = 120 * SECOND;
const PARTS: usize = 10;
pub const DEFAULT_LEVEL: f32 = 0.3;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct FriendMeasures {
    /// Scores of lines that do not address it, and whether a friend must speak there or must not.
    ranked: Vec<(f64, bool)>,
    must: CountedShare,
    unnamed_must: CountedShare,
    may: CountedShare,
    butt_in: CountedShare,
    lines: usize,
}

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct CountedShare(usize, usize);

impl CountedShare {
    fn count(&mut self, yes: bool) {
        (self.0, self.1) = (self.0 + usize::from(yes), self.1 + 1);
    }

    fn ratio(self) -> f64 {
        self.0 as f64 / self.1.max(1) as f64
    }
}

impl FriendMeasures {
    /// How well scores tell a line that does not address it and wants an answer from one that must have none.
    pub fn auc(&self) -> f64 {
        rank_scores(&self.ranked).auc.unwrap_or(f64::NAN)
    }

    /// On what share of the lines that want an answer it speaks.
    pub fn must_rate(&self) -> f64 {
        self.must.ratio()
    }

    /// The same where the line does not address it.
    pub fn unnamed_must_rate(&self) -> f64 {
        self.unnamed_must.ratio()
    }

    /// On what share of the lines that must have no answer it speaks.
    pub fn butt_in_rate(&self) -> f64 {
        self.butt_in.ratio()
    }

    /// The share of what it says that is no butting in.
    pub fn wanted_rate(&self) -> f64 {
        let wanted = self.must.0 + self.may.0;
        CountedShare(wanted, wanted + self.butt_in.0).ratio()
    }

    /// How often it speaks for each line of others.
    pub fn speak_rate(&self) -> f64 {
        CountedShare(self.must.0 + self.may.0 + self.butt_in.0, self.lines).ratio()
    }

    fn join(&mut self, other: FriendMeasures) {
        self.ranked.extend(other.ranked);
        self.lines += other.lines;
        let mine = [
            &mut self.must,
            &mut self.unnamed_must,
            &mut self.may,
            &mut self.butt_in,
        ];
        for (mine, other) in
            mine.into_iter()
                .zip([other.must, other.unnamed_must, other.may, other.butt_in])
        {
            *mine = CountedShare(mine.0 + other.0, mine.1 + other.1);
        }
    }
}

impl fmt::Display for FriendMeasures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares = [
            self.auc(),
            self.must_rate(),
            self.unnamed_must_rate(),
            self.butt_in_rate(),
            self.wanted_rate(),
            self.speak_rate(),
        ];
        shares
            .into_iter()
            .enumerate()
            .try_for_each(|(place, share)| {
                write!(f, "{}{share:.3}", if place == 0 { "" } else { "  " })
            })
    }
}

/// A chat as the companion hears it: nothing where it speaks itself.
pub type ChatSamples = Vec<Option<LabeledLine>>;

/// Judges what these weights decide in a chat, at a level of talkativeness.
pub fn judge_chat(chat: &ChatSamples, weights: &Weights, level: f32) -> FriendMeasures {
    let mut measures = FriendMeasures::default();
    let score = |moment: &LabeledLine| {
        if moment.passed {
            f32::NEG_INFINITY
        } else {
            let (values, mix) = (&moment.score.values, moment.score.mix);
            weights.logit(values, mix) + weights.restraint(values, mix)
        }
    };
    let speaks = |moment: &LabeledLine| {
        let threshold = blend_thresholds(
            moment.score.own_conversation_share(),
            level,
            compute_joining_threshold(level),
        );
        let restraint = weights.restraint(&moment.score.values, moment.score.mix);
        moment.score.address.is_some() || score(moment) >= threshold + restraint
    };
    let mut excused = Vec::new();
    for (place, moment) in chat.iter().enumerate() {
        let Some(moment) = moment else { continue };
        measures.lines += 1;
        let unnamed = moment.score.address.is_none();
        if unnamed && moment.mark != FriendMark::May {
            measures
                .ranked
                .push((f64::from(score(moment)), moment.mark == FriendMark::Must));
        }
        if moment.mark != FriendMark::Must {
            continue;
        }
        let window = chat.iter().enumerate().skip(place).take(1 + LATER_LINES);
        let window = window.map_while(|(place, later)| Some((place, later.as_ref()?)));
        let in_time = window.take_while(|(_, later)| later.score.at - moment.score.at <= LATER);
        let spoken = in_time
            .into_iter()
            .find(|(_, later)| speaks(later))
            .map(|(place, _)| place);
        measures.must.count(spoken.is_some());
        if unnamed {
            measures.unnamed_must.count(spoken.is_some());
        }
        excused.extend(spoken);
    }
    for (place, moment) in chat.iter().enumerate() {
        let Some(moment) = moment else { continue };
        let spoken = speaks(moment) && !excused.contains(&place);
        match moment.mark {
            FriendMark::Must => {}
            FriendMark::May => measures.may.count(spoken),
            FriendMark::MustNot => measures.butt_in.count(spoken),
        }
    }
    measures
}

pub fn judge_all(chats: &[MarkedChat], weights: &Weights, level: f32) -> FriendMeasures {
    let mut all = FriendMeasures::default();
    for chat in chats {
        all.join(judge_chat(&chat.collect_moments(weights), weights, level));
    }
    all
}

pub struct FriendsTrial {
    rows: Vec<(String, FriendMeasures)>,
}

/// Judges each chat with weights that were learnt from others: all chats in parts, then a language left out, then a size
/// of group. Links and the other kinds of room are those of `fitted`.
///
/// # Errors
/// What was learnt is no number.
pub fn run_trial(chats: &[MarkedChat], fitted: &FittedModel) -> anyhow::Result<FriendsTrial> {
    let links = fitted.to_weights()?;
    let heard: Vec<ChatSamples> = chats
        .iter()
        .map(|chat| chat.collect_moments(&links))
        .collect();
    let mut rows = Vec::new();
    let mut tried = |name: String, parts: &[Vec<bool>], level: f32| -> anyhow::Result<()> {
        let mut all = FriendMeasures::default();
        for held in parts {
            let learnt = heard
                .iter()
                .zip(held)
                .filter(|(_, held)| !**held)
                .flat_map(|(chat, _)| chat.iter().flatten());
            let learnt: Vec<TrainingExample<'_>> = learnt
                .filter(|moment| !moment.passed)
                .map(LabeledLine::to_example)
                .collect();
            let mut fitted = fitted.clone();
            fitted.willingness[RoomKind::Friends as usize] =
                logistic::fit(&learnt, &prior::willingness_prior());
            let weights = fitted.to_weights()?;
            for (chat, _) in heard.iter().zip(held).filter(|(_, held)| **held) {
                all.join(judge_chat(chat, &weights, level));
            }
        }
        rows.push((name, all));
        Ok(())
    };
    let parts = PARTS.min(chats.len());
    let by_chat: Vec<Vec<bool>> = (0..parts)
        .map(|part| {
            (0..chats.len())
                .map(|place| place % parts == part)
                .collect()
        })
        .collect();
    tried("by chat".to_owned(), &by_chat, DEFAULT_LEVEL)?;
    for level in [0.1, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] {
        tried(format!("by chat at {level}"), &by_chat, level)?;
    }
    let mut languages: Vec<&str> = chats.iter().map(|chat| chat.language.as_str()).collect();
    languages.sort_unstable();
    languages.dedup();
    for language in languages {
        let held = chats.iter().map(|chat| chat.language == language).collect();
        tried(format!("without {language}"), &[held], DEFAULT_LEVEL)?;
    }
    for (name, sizes) in [
        ("2 or 3 people", 0..=3),
        ("4 to 6 people", 4..=6),
        ("7 people and more", 7..=usize::MAX),
    ] {
        let held = chats
            .iter()
            .map(|chat| sizes.contains(&chat.people))
            .collect();
        tried(format!("without {name}"), &[held], DEFAULT_LEVEL)?;
    }
    Ok(FriendsTrial { rows })
}

impl fmt::Display for FriendsTrial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "chats of friends          auc    must   unnamed butt-in welcome calls a line"
        )?;
        self.rows
            .iter()
            .try_for_each(|(name, measures)| write!(f, "\n{name:<25} {measures}"))
    }
}
