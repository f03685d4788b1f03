//! What comes to mind by itself: which of the lines that were found have so much in common with what is being said that
//! nobody has to ask for them. How well a line fits means the same whatever is said, so that there can be a threshold:
//! rather nothing than the wrong thing.
//!
//! All numbers were chosen on made-up and recorded chats (docs/MEMORY.md says on which, and how good they are).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::line::{RankedLine, RecallLine};
use super::rank::{find_named_people, is_question};
use super::terms::{extract_all_terms, extract_telling_terms, extract_terms, is_cjk};
use super::time_range::TimeRange;
use super::time_words::is_about_speaker;
use crate::chat::{MINUTE, MessageId, Millis, UserId};

/// A word brings a line to mind alone if it is at least so rare: 1 stands in one message of all, 0.5 in the root of them.
/// No more lines may fit as well than such a word stands in.
const ALONE: f64 = 0.93;
/// Several words do if what their rarities are above that of a common word comes to this.
const TOGETHER: f64 = 0.6;
const COMMON: f64 = 0.5;
/// A young channel counts as if so many more messages had been said in it.
const UNSEEN: f64 = 330.0;
/// A pair of characters that overlaps the one before it adds so much: both are often one word.
const OVERLAP: f64 = 0.4;
/// Lines that hold so much of what a line has in common with what is being said fit as well.
const AS_WELL: f64 = 0.85;
/// What a word counts that stands beside the line and not in it.
const BESIDE: f64 = 0.6;
/// What counts as beside, in lines and time.
const REACH: usize = 2;
const NEAR: Millis = 10 * MINUTE;
/// How much who said it counts, as the rarity of a word: who is named now, or speaks now.
const PERSON: f64 = 0.1;
/// A line that holds a share of the telling words fits by this power of it. What nobody ever said does not count.
const SHARE: f64 = 0.2;
/// What somebody says of themselves comes to mind sooner, what was asked later.
const ABOUT_SELF: f64 = 1.22;
pub(super) const ASKS: f64 = 0.85;
/// What was said at the time that is spoken of comes to mind sooner.
const IN_TIME: f64 = 1.3;
/// A line of hardly any words brings less to mind, and comes to mind less. The other is measured in telling words.
const FEW_WORDS: f64 = 0.8;
pub(super) const SUBSTANCE: f64 = 2.0;
/// A line that has so much in common with one of the newest only says it again.
const RESTATED: f64 = 0.38;
/// What each line before the newest counts less.
const OLDER: f64 = 0.9;

/// One of the newest lines, of which something may come to mind.
#[derive(Clone, Debug, PartialEq)]
pub struct RecallCue {
    pub author: UserId,
    pub text: Arc<str>,
    /// The message it was typed as an answer to, where the prompt does not show it.
    pub answers: Option<MessageId>,
    pub period: Option<TimeRange>,
}

/// What is being said, and what is known of its words.
#[derive(Clone, Debug, Default)]
pub struct CueQuery<'a> {
    /// The newest lines, newest first.
    pub cues: &'a [RecallCue],
    /// What the companion is called: its names tell nothing.
    pub names: &'a [String],
    /// In how many messages that are not on show each term stands.
    pub frequencies: HashMap<String, u64>,
    pub messages: u64,
}

struct CueTerm {
    term: String,
    /// 0 to 1.
    rarity: f64,
    /// What it adds beside other words, as a share of its rarity.
    addition: f64,
}

struct WeighedCue {
    terms: Vec<CueTerm>,
    /// All that a line can have in common with it.
    all: f64,
    /// The people it is by or names.
    people: HashSet<UserId>,
    period: Option<TimeRange>,
    weight: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct SharedWords {
    rarest: f64,
    /// What all the words come to.
    sum: f64,
    /// The same of what their rarities are above that of a common word.
    above_common: f64,
}

/// The lines that come to mind, best first; their scores are 1 and more.
pub fn find_associations(
    asked: &CueQuery<'_>,
    stretches: &[Vec<RecallLine<'_>>],
) -> Vec<RankedLine> {
    let terms: Vec<Vec<HashSet<String>>> = stretches
        .iter()
        .map(|lines| lines.iter().map(|line| to_set(extract_terms(line.text))))
        .map(Iterator::collect)
        .collect();
    let messages = asked.messages as f64 + UNSEEN;
    let mut best: HashMap<(usize, usize), f64> = HashMap::new();
    let mut weight = 1.0;
    for cue in asked.cues {
        let weighed = WeighedCue::new(cue, weight, asked, stretches);
        for (at, score) in weighed.rate_lines(stretches, &terms, messages) {
            let known = best.entry(at).or_default();
            *known = known.max(score);
        }
        weight *= OLDER;
    }
    let line = |at: (usize, usize)| &stretches[at.0][at.1];
    let mut found: Vec<RankedLine> = best
        .into_iter()
        .map(|(at, score)| {
            let is_thin = score >= 1.0 && measure_substance(line(at).text) < SUBSTANCE;
            let score = if is_thin { FEW_WORDS * score } else { score };
            let parts = None;
            RankedLine { at, score, parts }
        })
        .filter(|ranked| ranked.score >= 1.0)
        .collect();
    found.retain(|ranked| {
        let mut cues = asked.cues.iter();
        !cues.any(|cue| is_restated(&cue.text, line(ranked.at).text))
    });
    found.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then_with(|| line(b.at).at.cmp(&line(a.at).at))
    });
    found
}

impl WeighedCue {
    fn new(
        cue: &RecallCue,
        weight: f64,
        asked: &CueQuery<'_>,
        stretches: &[Vec<RecallLine<'_>>],
    ) -> Self {
        let mut named = find_named_people(&cue.text, stretches);
        named.people.insert(cue.author);
        let own = asked.names.iter().flat_map(|name| extract_terms(name));
        named.terms.extend(own);
        let all = asked.messages as f64 + UNSEEN;
        let mut terms: Vec<CueTerm> = Vec::new();
        for telling in extract_telling_terms(&cue.text) {
            let held = asked.frequencies.get(&telling.term).copied();
            let held = held.unwrap_or_default() as f64;
            if held == 0.0 || named.terms.contains(&telling.term) {
                continue;
            }
            let first = telling.term.chars().next().filter(|c| is_cjk(*c));
            let overlaps = terms
                .last()
                .is_some_and(|last| first.is_some() && last.term.chars().nth(1) == first);
            terms.push(CueTerm {
                rarity: telling.weight * ((all / (held + 0.5)).ln() / all.ln()).clamp(0.0, 1.0),
                addition: if overlaps { OVERLAP } else { 1.0 },
                term: telling.term,
            });
        }
        let few = if has_few_words(&cue.text) {
            FEW_WORDS
        } else {
            1.0
        };
        Self {
            all: terms.iter().map(|term| term.addition * term.rarity).sum(),
            terms,
            people: named.people,
            period: cue.period,
            weight: few * weight,
        }
    }

    /// How well each line fits that holds a word of the cue.
    fn rate_lines(
        &self,
        stretches: &[Vec<RecallLine<'_>>],
        terms: &[Vec<HashSet<String>>],
        messages: f64,
    ) -> Vec<((usize, usize), f64)> {
        let mut shared = Vec::new();
        for (stretch, lines) in stretches.iter().enumerate() {
            for place in 0..lines.len() {
                let words = self.find_shared_words(lines, &terms[stretch], place);
                if words.rarest > 0.0 {
                    shared.push(((stretch, place), words));
                }
            }
        }
        let mut sums: Vec<f64> = shared.iter().map(|(_, words)| words.sum).collect();
        sums.sort_by(f64::total_cmp);
        let rate = |(at, words): &((usize, usize), SharedWords)| {
            let less_good = sums.partition_point(|sum| *sum < AS_WELL * words.sum);
            let as_good = (sums.len() - less_good) as f64;
            let distinct = (messages / (as_good + 0.5)).ln() / messages.ln();
            (*at, self.rate(&stretches[at.0][at.1], words, distinct))
        };
        shared.iter().map(rate).collect()
    }

    /// What a line has in common with the cue, with what stands beside it.
    fn find_shared_words(
        &self,
        lines: &[RecallLine<'_>],
        terms: &[HashSet<String>],
        place: usize,
    ) -> SharedWords {
        let is_beside = |term: &str| {
            let mut around = place.saturating_sub(REACH)..(place + REACH + 1).min(lines.len());
            around.any(|other| {
                let pause = (lines[other].at - lines[place].at).abs();
                pause <= NEAR && terms[other].contains(term)
            })
        };
        let mut shared = SharedWords::default();
        for CueTerm {
            term,
            rarity,
            addition,
        } in &self.terms
        {
            let share = if terms[place].contains(term) {
                shared.rarest = shared.rarest.max(*rarity);
                *addition
            } else if is_beside(term) {
                BESIDE * addition
            } else {
                continue;
            };
            shared.sum += share * rarity;
            shared.above_common += share * (rarity - COMMON).max(0.0);
        }
        shared
    }

    /// How well a line fits of which it is known how few others fit as well: 1 and more comes to mind.
    fn rate(&self, line: &RecallLine<'_>, shared: &SharedWords, distinct: f64) -> f64 {
        let by_person = if self.people.contains(&line.author) {
            PERSON
        } else {
            0.0
        };
        let alone = (shared.rarest + by_person) / ALONE;
        let together = (shared.above_common + by_person) / TOGETHER;
        let most = (distinct + by_person) / ALONE;
        let share = (shared.sum / self.all).min(1.0).powf(SHARE);
        let mut fit = alone.max(together).min(most) * share * self.weight;
        if is_about_speaker(&line.text.to_lowercase()) {
            fit *= ABOUT_SELF;
        }
        if is_question(line.text) {
            fit *= ASKS;
        }
        if self.period.is_some_and(|period| period.contains(line.at)) {
            fit *= IN_TIME;
        }
        fit
    }
}

/// Whether one line says again what another says, in hardly other words. A question never says again what it asks about.
pub(super) fn is_restated(one: &str, other: &str) -> bool {
    let terms = [one, other].map(|text| to_set(extract_all_terms(text)));
    let shared = terms[0].intersection(&terms[1]).count() as f64;
    let all = terms[0].union(&terms[1]).count() as f64;
    is_question(one) == is_question(other) && shared >= RESTATED * all
}

fn to_set(terms: Vec<String>) -> HashSet<String> {
    terms.into_iter().collect()
}

/// How much a line tells, in telling words.
pub(super) fn measure_substance(text: &str) -> f64 {
    let telling = extract_telling_terms(text).into_iter();
    telling.map(|telling| telling.weight).sum()
}

/// Whether a line has two words at most, or four characters of a script without spaces.
pub(super) fn has_few_words(text: &str) -> bool {
    let wide = text.chars().filter(|c| is_cjk(*c)).count();
    let words = text.split_whitespace().count();
    wide <= 4 && (wide > 0 || words <= 2)
}
