//! Which lines answer a question, best first: BM25 over the words, then what stands around them, who is asked about, how
//! much of the question a line holds, and when. Plain arithmetic over what was found; the store finds it.
//!
//! BM25 is Robertson and Zaragoza's (The Probabilistic Relevance Framework, 2009). All other numbers were chosen on four
//! long conversations (docs/MEMORY.md says how good they are, and on what).

use std::collections::{BTreeMap, HashMap, HashSet};

use super::line::{RankedLine, RecallLine};
use super::line_terms::LineTerms;
use super::newer::put_newer_first;
use super::score_parts::ScoreParts;
use super::terms::{extract_single_characters, extract_terms, has_meaning, is_cjk};
use super::time_range::TimeRange;
use super::time_words::{asks_about_past, asks_when, has_time, is_about_speaker, is_time};

use crate::chat::{ChannelId, HOUR, MINUTE, MessageId, Millis, UserId};

/// How fast a word that is said again stops to count more, and how much a long line counts less.
const SATURATION: f64 = 1.0;
const LENGTH: f64 = 0.3;
/// How much a line has of the lines around it, nearest first: an answer often holds none of the question's words.
pub const AROUND: [f64; 4] = [0.5, 0.25, 0.1, 0.05];
/// What a line that answers a question has besides, by its distance.
const ANSWERS: f64 = 0.3;
/// How much a line gains that is by who is asked about, or by who asks about themselves.
const SPEAKER: f64 = 2.2;
const ASKER: f64 = 1.3;
/// A line that holds a share of the question counts by this power of it; what nobody ever said counts as half a word.
const SHARE: f64 = 0.35;
const UNKNOWN: f64 = 0.5;
/// How much a character tells that is looked for alone, as a share of a word that is as rare.
const SINGLE: f64 = 0.5;
/// How much a talk gains in which the question's words were said again and again, by its best so many lines.
const TALK: f64 = 0.5;
const TALK_LINES: usize = 3;
/// Lines further apart are of two talks.
pub const TALK_GAP: Millis = 30 * MINUTE;
/// What a reply and what it answers have of each other's score, wherever they stand.
const REPLY: f64 = 0.5;
/// How much a talk gains in which the companion took part.
const OWN_PART: f64 = 1.05;
/// How much a word of time tells where the question speaks of a time that is over: it says when, not what.
const TIME_WORD: f64 = 0.3;
/// What a line has at least that the one person who is named said at the time the question speaks of, as a share of the best
/// line's own score: people ask what somebody did last week in words that were not said.
const SAID_THEN: f64 = 0.3;
/// How much a line gains that was said at the time the question speaks of, or in as long a time afterwards.
const IN_TIME: f64 = 1.8;
const SOON_AFTER: f64 = 1.3;
/// How much a line gains that was said just now; half of it after so long, a third after twice as long.
const RECENT: f64 = 0.5;
const RECENT_HALF: f64 = 6.0 * HOUR as f64;
/// How much a line gains that says when, where that is asked.
const SAYS_WHEN: f64 = 1.5;
/// A line that asks, and a line of a few words, answers less.
const ASKS: f64 = 0.9;
const SHORT: f64 = 0.8;
const SHORT_TERMS: usize = 4;

#[derive(Clone, Debug, Default)]
pub struct RecallQuery<'a> {
    pub text: &'a str,
    pub asker: Option<UserId>,
    /// In how many messages each of its terms stands.
    pub frequencies: HashMap<String, u64>,
    pub messages: u64,
    pub period: Option<TimeRange>,
    pub now: Option<Millis>,
}

/// Ranks the lines of stretches: lines that follow each other in one channel, oldest first.
pub fn rank_lines(asked: &RecallQuery<'_>, stretches: &[Vec<RecallLine<'_>>]) -> Vec<RankedLine> {
    let singles = find_single_characters(asked);
    let wanted: HashSet<String> = extract_terms(asked.text).into_iter().collect();
    let count = |line: &RecallLine<'_>| LineTerms::count(line.text, &wanted, &singles);
    let held: Vec<Vec<LineTerms>> = stretches
        .iter()
        .map(|lines| lines.iter().map(count).collect())
        .collect();
    let named = find_named_people(asked.text, stretches);
    let rarities = compute_rarities(asked, &named, &singles);
    let base = score_lines(&rarities, &held);
    // Where no line holds a word of the question, what was said then is all there is.
    let best = base.iter().flatten().copied().fold(0.0, f64::max).max(1.0);
    let is_short =
        |(stretch, place): (usize, usize)| held[stretch][place].count_all() < SHORT_TERMS;
    let mut ranked = rank_by_base(asked, stretches, &named, &base, SAID_THEN * best, is_short);
    // How it is now can be told only where it is known when that is.
    if asked.now.is_some() && !asks_about_past(&asked.text.to_lowercase()) {
        let is_of_anybody = named.people.is_empty();
        put_newer_first(&mut ranked, stretches, &rarities, &held, is_of_anybody);
    }
    ranked
}

/// The same by how alike a line is to the question in its meaning instead of by its words; what has no such score has 0.
pub fn rank_alike_lines(
    asked: &RecallQuery<'_>,
    stretches: &[Vec<RecallLine<'_>>],
    likeness: &HashMap<(ChannelId, MessageId), f64>,
) -> Vec<RankedLine> {
    let score = |line: &RecallLine<'_>| likeness.get(&(line.channel, line.id)).copied();
    let base: Vec<Vec<f64>> = stretches
        .iter()
        .map(|lines| {
            let scores = lines.iter().map(|line| score(line).unwrap_or_default());
            scores.collect()
        })
        .collect();
    let named = find_named_people(asked.text, stretches);
    let is_short = |(stretch, place): (usize, usize)| {
        extract_terms(stretches[stretch][place].text).len() < SHORT_TERMS
    };
    rank_by_base(asked, stretches, &named, &base, 0.0, is_short)
}

/// Ranks lines by what each is worth by itself, with what stands around it, who says it, and when. What the one person who is
/// named said at the time that is spoken of is worth `said_then` at least.
fn rank_by_base(
    asked: &RecallQuery<'_>,
    stretches: &[Vec<RecallLine<'_>>],
    named: &QuestionPeople,
    base: &[Vec<f64>],
    said_then: f64,
    is_short: impl Fn((usize, usize)) -> bool,
) -> Vec<RankedLine> {
    let person = named.only_person();
    let scores = spread_scores(base, stretches);
    let talks = compute_talk_shares(base, stretches);
    let lower = asked.text.to_lowercase();
    let asks_when = asks_when(&lower);
    let about_asker = asked.asker.filter(|_| is_about_speaker(&lower));
    let mut ranked = Vec::new();
    for (stretch, lines) in stretches.iter().enumerate() {
        for (place, line) in lines.iter().enumerate() {
            let (own, mut sum) = (base[stretch][place], scores[stretch][place]);
            let is_then = || asked.period.is_some_and(|period| period.contains(line.at));
            if person == Some(line.author) && is_then() {
                sum = sum.max(said_then);
            }
            if sum <= 0.0 {
                continue;
            }
            let talk = talks[stretch][place];
            let factor = |is_so: bool, factor: f64| if is_so { factor } else { 1.0 };
            let parts = ScoreParts {
                words: own,
                neighbours: sum - own,
                talk: 1.0 + TALK * talk.share,
                companion: factor(talk.is_joined, OWN_PART),
                time: weigh_time(asked, line.at),
                speaker: if person == Some(line.author) {
                    SPEAKER
                } else {
                    factor(about_asker == Some(line.author), ASKER)
                },
                says_when: factor(asks_when && has_time(line.text), SAYS_WHEN),
                asks: factor(is_question(line.text), ASKS),
                brevity: factor(is_short((stretch, place)), SHORT),
            };
            ranked.push(RankedLine {
                at: (stretch, place),
                score: parts.multiply(sum),
                parts: Some(parts),
            });
        }
    }
    let when = |ranked: &RankedLine| stretches[ranked.at.0][ranked.at.1].at;
    // What was said last counts where two fit as well.
    ranked.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| when(b).cmp(&when(a)))
    });
    ranked
}

/// A question without the names of those who wrote these lines: they say who, which is looked at beside the meaning, and a
/// model finds every line alike that calls somebody by name. A question of nothing else stays as it is.
pub fn remove_names(question: &str, stretches: &[Vec<RecallLine<'_>>]) -> String {
    let named = find_named_people(question, stretches);
    let is_name = |word: &&str| {
        let terms = extract_terms(word);
        !terms.is_empty() && terms.iter().all(|term| named.terms.contains(term))
    };
    let words = question.split_whitespace().filter(|word| !is_name(word));
    let left = words.collect::<Vec<_>>().join(" ");
    if has_meaning(&left) {
        left
    } else {
        question.to_owned()
    }
}

/// The characters of the question that are looked for alone, because nobody ever said a word that holds them.
fn find_single_characters(asked: &RecallQuery<'_>) -> Vec<String> {
    let is_said = |pair: &str| asked.frequencies.contains_key(pair);
    let mut singles = extract_single_characters(asked.text, is_said);
    singles.retain(|single| is_said(single));
    singles
}

fn weigh_time(asked: &RecallQuery<'_>, at: Millis) -> f64 {
    let in_time = match asked.period {
        Some(period) if period.contains(at) => IN_TIME,
        Some(period) if period.is_soon_after(at) => SOON_AFTER,
        _ => 1.0,
    };
    let recent = asked.now.map_or(0.0, |now| {
        RECENT * RECENT_HALF / (RECENT_HALF + (now - at).max(0) as f64)
    });
    in_time * (1.0 + recent)
}

#[derive(Debug, Default)]
pub(super) struct QuestionPeople {
    pub(super) people: HashSet<UserId>,
    pub(super) terms: HashSet<String>,
}

impl QuestionPeople {
    fn only_person(&self) -> Option<UserId> {
        let person = self.people.iter().next().copied();
        person.filter(|_| self.people.len() == 1)
    }
}

pub fn find_named_person(text: &str, stretches: &[Vec<RecallLine<'_>>]) -> Option<UserId> {
    find_named_people(text, stretches).only_person()
}

pub(super) fn find_named_people(
    question: &str,
    stretches: &[Vec<RecallLine<'_>>],
) -> QuestionPeople {
    let asked: HashSet<String> = extract_terms(question).into_iter().collect();
    let lower = question.to_lowercase();
    let mut named = QuestionPeople::default();
    let mut people: HashMap<UserId, &str> = HashMap::new();
    people.extend(
        stretches
            .iter()
            .flatten()
            .map(|line| (line.author, line.name)),
    );
    for (author, name) in people {
        if !may_be_named(name, &asked) {
            continue;
        }
        let of_name = extract_terms(name);
        let small = name.to_lowercase();
        let is_named = match small.chars().any(is_cjk) {
            true => lower.contains(&small),
            false => of_name.first().is_some_and(|first| asked.contains(first)),
        };
        if is_named {
            named.people.insert(author);
            named.terms.extend(of_name);
        }
    }
    named
}

/// Whether a name can be one of these terms at all: of the very many that cannot, nobody has to find the stems.
fn may_be_named(name: &str, asked: &HashSet<String>) -> bool {
    let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let begins = |word: &str| {
        let first = word.bytes().next().map(|byte| byte.to_ascii_lowercase());
        first.is_some() && asked.iter().any(|term| term.bytes().next() == first)
    };
    !name.is_ascii() || words.any(begins)
}

/// How rare each term of the question is, in an order that is the same every time: sums of such numbers depend on it. Names
/// are in half of all lines; they say who, not what.
fn compute_rarities(
    asked: &RecallQuery<'_>,
    named: &QuestionPeople,
    singles: &[String],
) -> Vec<(String, f64)> {
    let mut wanted = extract_terms(asked.text);
    if !singles.is_empty() {
        // What its characters are looked for instead of says nothing more.
        wanted.retain(|term| !term.starts_with(is_cjk) || asked.frequencies.contains_key(term));
    }
    if wanted.iter().any(|term| !named.terms.contains(term)) {
        wanted.retain(|term| !named.terms.contains(term));
    }
    let all = asked.messages as f64;
    let rarity = |term: &String| {
        let held = asked.frequencies.get(term).copied().unwrap_or_default() as f64;
        (1.0 + (all - held + 0.5).max(0.0) / (held + 0.5)).ln()
    };
    let weigh = |term: String| {
        let says_when = asked.period.is_some() && is_time(&term);
        let share = if says_when { TIME_WORD } else { 1.0 };
        let weight = share * rarity(&term);
        (term, weight)
    };
    let mut rarities: BTreeMap<String, f64> = wanted.into_iter().map(weigh).collect();
    for single in singles {
        let known = rarities.entry(single.clone()).or_default();
        *known = known.max(SINGLE * rarity(single));
    }
    rarities.into_iter().collect()
}

/// BM25 of each line by itself, weakened where much of the question is missing.
fn score_lines(rarities: &[(String, f64)], held: &[Vec<LineTerms>]) -> Vec<Vec<f64>> {
    let lengths = held.iter().flatten().map(LineTerms::length);
    let (sum, count) = lengths.fold((0.0, 0.0), |(sum, count), length| {
        (sum + length, count + 1.0)
    });
    let usual = if count > 0.0 && sum > 0.0 {
        sum / count
    } else {
        1.0
    };
    let is_said = |term: &String| {
        held.iter()
            .flatten()
            .any(|line| line.counts.contains_key(term))
    };
    let all: f64 = rarities
        .iter()
        .map(|(term, rarity)| {
            if is_said(term) {
                *rarity
            } else {
                UNKNOWN * rarity
            }
        })
        .sum();
    let score = |line: &LineTerms| {
        let length = line.length();
        let (mut score, mut share) = (0.0, 0.0);
        for (term, rarity) in rarities {
            let times = f64::from(line.counts.get(term).copied().unwrap_or_default());
            if times > 0.0 {
                let slowed = SATURATION * (1.0 - LENGTH + LENGTH * length / usual);
                score += rarity * times * (SATURATION + 1.0) / (times + slowed);
                share += rarity;
            }
        }
        if score > 0.0 {
            score * (share / all).powf(SHARE)
        } else {
            0.0
        }
    };
    held.iter()
        .map(|lines| lines.iter().map(score).collect())
        .collect()
}

/// Each line's own score with what it has of its neighbours in the same talk, and of what it answers or what answers it.
fn spread_scores(base: &[Vec<f64>], stretches: &[Vec<RecallLine<'_>>]) -> Vec<Vec<f64>> {
    let mut scores = base.to_vec();
    spread_over_replies(&mut scores, base, stretches);
    for (stretch, lines) in stretches.iter().enumerate() {
        for (from, score) in base[stretch]
            .iter()
            .enumerate()
            .filter(|(_, score)| **score > 0.0)
        {
            let asks = lines[from].text.contains(['?', '？']);
            for (step, share) in (1..).zip(AROUND) {
                let after = from + step;
                let before = from.checked_sub(step);
                for place in before
                    .into_iter()
                    .chain([after])
                    .filter(|place| *place < lines.len())
                {
                    let is_apart = (lines[place].at - lines[from].at).abs() > TALK_GAP;
                    if is_apart || is_reply(&lines[place], &lines[from]) {
                        continue;
                    }
                    let answers = asks && place > from && lines[place].author != lines[from].author;
                    let answers = if answers { ANSWERS / step as f64 } else { 0.0 };
                    scores[stretch][place] += (share + answers) * score;
                }
            }
        }
    }
    scores
}

fn is_reply(one: &RecallLine<'_>, other: &RecallLine<'_>) -> bool {
    one.channel == other.channel
        && (one.reply_to == Some(other.id) || other.reply_to == Some(one.id))
}

fn spread_over_replies(
    scores: &mut [Vec<f64>],
    base: &[Vec<f64>],
    stretches: &[Vec<RecallLine<'_>>],
) {
    let mut places = HashMap::new();
    for (stretch, lines) in stretches.iter().enumerate() {
        let of_lines = lines.iter().enumerate();
        places.extend(of_lines.map(|(place, line)| ((line.channel, line.id), (stretch, place))));
    }
    for (stretch, lines) in stretches.iter().enumerate() {
        for (place, line) in lines.iter().enumerate() {
            let Some(answered) = line.reply_to.and_then(|id| places.get(&(line.channel, id)))
            else {
                continue;
            };
            let asks = stretches[answered.0][answered.1].text.contains(['?', '？']);
            let answers = if asks { ANSWERS } else { 0.0 };
            scores[stretch][place] += (REPLY + answers) * base[answered.0][answered.1];
            scores[answered.0][answered.1] += REPLY * base[stretch][place];
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct TalkShare {
    /// How much of the question was said in it, 0 to 1.
    share: f64,
    is_joined: bool,
}

fn compute_talk_shares(
    base: &[Vec<f64>],
    stretches: &[Vec<RecallLine<'_>>],
) -> Vec<Vec<TalkShare>> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    for (stretch, lines) in stretches.iter().enumerate() {
        places.extend((0..lines.len()).map(|place| (stretch, place)));
    }
    let line = |at: &(usize, usize)| &stretches[at.0][at.1];
    places.sort_by_key(|at| (line(at).channel, line(at).at));
    let is_one = |a: &(usize, usize), b: &(usize, usize)| {
        line(a).channel == line(b).channel && line(b).at - line(a).at <= TALK_GAP
    };
    let mut shares: Vec<Vec<TalkShare>> = base
        .iter()
        .map(|lines| vec![TalkShare::default(); lines.len()])
        .collect();
    let mut most = 0.0_f64;
    for talk in places.chunk_by(is_one) {
        let mut best: Vec<f64> = talk.iter().map(|at| base[at.0][at.1]).collect();
        best.sort_by(|a, b| b.total_cmp(a));
        let sum: f64 = best.iter().take(TALK_LINES).sum();
        most = most.max(sum);
        let share = TalkShare {
            share: sum,
            is_joined: talk.iter().any(|at| line(at).is_own),
        };
        talk.iter().for_each(|at| shares[at.0][at.1] = share);
    }
    if most > 0.0 {
        let all = shares.iter_mut().flatten();
        all.for_each(|talk| talk.share /= most);
    }
    shares
}

pub(super) fn is_question(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？'])
}
