//! How a group talks: words, phrases and emoji that several of its people use again and again and that are rare elsewhere.
//! Counted from what is stored at this moment and kept nowhere, so that whatever is erased is counted no more; nobody's name
//! stands beside them, and what fewer than three people say is none of the group's.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::chat::{DAY, Millis, UserId};
use crate::recall::{extract_terms, is_cjk, split_by_kind};
use crate::sensitive_topics::is_sensitive;
use crate::word::is_ordinary;

/// So many people have to use an expression.
const PEOPLE: usize = 3;
/// On so many days; a picture on fewer.
const DAYS: usize = 3;
const PICTURE_DAYS: usize = 2;
/// After so long a use counts half.
const HALF_LIFE: f64 = 30.0;
/// The longest phrase, in words, and in characters of a script without spaces.
const PHRASE_WORDS: usize = 4;
const PHRASE_CHARACTERS: usize = 4;
/// An expression stands in so many times as large a share of lines here as elsewhere.
const TIMES_AS_OFTEN: f64 = 4.0;
/// Below so many lines from elsewhere nobody knows which words are rare there.
const LINES_ELSEWHERE: usize = 500;
/// The most expressions that are told, and the most characters they take together.
const MOST: usize = 4;
const MOST_CHARACTERS: usize = 40;

#[derive(Clone, Debug, PartialEq)]
pub struct SampleLine {
    pub author: UserId,
    pub at: Millis,
    pub text: String,
}

#[derive(Default)]
struct ExpressionUse {
    /// The days on which it was used, each with how many people did.
    days: BTreeMap<Millis, BTreeSet<UserId>>,
    lines: usize,
}

impl ExpressionUse {
    fn count_people(&self) -> usize {
        self.days.values().flatten().collect::<BTreeSet<_>>().len()
    }

    /// How much it is used: a person counts once a day, and less the longer ago.
    fn weigh(&self, today: Millis) -> f64 {
        let weights = self.days.iter().map(|(day, people)| {
            let age = (today - day).max(0) as f64;
            people.len() as f64 * 0.5_f64.powf(age / HALF_LIFE)
        });
        weights.sum()
    }
}

/// The expressions of a group, the most used first. `names` are those of people, which are no expressions.
pub fn find_group_expressions(
    lines: &[SampleLine],
    elsewhere: &[String],
    names: &[String],
    now: Millis,
) -> Vec<String> {
    let mut uses: HashMap<String, ExpressionUse> = HashMap::new();
    for line in lines {
        for expression in list_expressions(&line.text) {
            let known = uses.entry(expression).or_default();
            known
                .days
                .entry(line.at / DAY)
                .or_default()
                .insert(line.author);
            known.lines += 1;
        }
    }
    uses.retain(|expression, known| {
        let days = if is_word_like(expression) {
            DAYS
        } else {
            PICTURE_DAYS
        };
        known.days.len() >= days && known.count_people() >= PEOPLE
    });
    if uses.is_empty() {
        return Vec::new();
    }
    let mut away: HashMap<&str, usize> = HashMap::new();
    for text in elsewhere {
        for expression in list_expressions(text) {
            if let Some((known, _)) = uses.get_key_value(&expression) {
                *away.entry(known).or_default() += 1;
            }
        }
    }
    let names: BTreeSet<String> = names.iter().flat_map(|name| extract_terms(name)).collect();
    let mut found: Vec<(f64, &str)> = uses
        .iter()
        .filter(|(expression, known)| {
            let here = known.lines as f64 / lines.len() as f64;
            let there = away.get(expression.as_str()).copied().unwrap_or(0) as f64
                / elsewhere.len().max(1) as f64;
            here >= TIMES_AS_OFTEN * there && is_telling(expression, elsewhere.len(), &names)
        })
        .map(|(expression, known)| (known.weigh(now / DAY), expression.as_str()))
        .collect();
    found.sort_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then(b.1.len().cmp(&a.1.len()))
            .then(a.1.cmp(b.1))
    });
    choose_expressions(found.into_iter().map(|(_, expression)| expression))
}

/// The first of these that fit, none of them a part of another.
fn choose_expressions<'a>(found: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut chosen: Vec<String> = Vec::new();
    let mut characters = 0;
    for expression in found {
        let is_part = chosen
            .iter()
            .any(|known| known.contains(expression) || expression.contains(known.as_str()));
        let length = expression.chars().count();
        if !is_part && characters + length <= MOST_CHARACTERS {
            characters += length;
            chosen.push(expression.to_owned());
        }
        if chosen.len() == MOST {
            break;
        }
    }
    chosen
}

/// Whether it may be told: no everyday words, nobody's name, no number and nothing sensitive.
fn is_telling(expression: &str, lines_elsewhere: usize, names: &BTreeSet<String>) -> bool {
    if !is_word_like(expression) {
        return true;
    }
    let terms = extract_terms(expression);
    let is_phrase = expression.contains(' ');
    let has_own_word = expression.split(' ').any(|word| !is_ordinary(word));
    let is_known_rare = lines_elsewhere >= LINES_ELSEWHERE || is_phrase && has_own_word;
    is_known_rare
        && !terms.is_empty()
        && !terms.iter().any(|term| names.contains(term))
        && !expression.chars().any(char::is_numeric)
        && (is_phrase || !is_ordinary(expression))
        && !is_sensitive(expression)
}

fn is_word_like(expression: &str) -> bool {
    expression.starts_with(char::is_alphanumeric)
}

/// The words, phrases and pictures of a line, each once. Links have none.
fn list_expressions(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut words: Vec<String> = Vec::new();
    for piece in text
        .to_lowercase()
        .split_whitespace()
        .filter(|piece| !piece.contains("://"))
    {
        let name = piece.trim_matches(':');
        let is_name = name.len() > 1 && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_name && piece.len() == name.len() + 2 {
            found.insert(piece.to_owned());
            continue;
        }
        found.extend(
            piece
                .chars()
                .filter(|c| is_pictograph(*c))
                .map(String::from),
        );
        for run in piece.split(|c: char| !c.is_alphanumeric() && c != '\'') {
            for word in split_by_kind(run, is_cjk) {
                if word.starts_with(is_cjk) {
                    let characters: Vec<char> = word.chars().collect();
                    for length in 2..=PHRASE_CHARACTERS {
                        let parts = characters
                            .windows(length)
                            .map(|part| part.iter().collect::<String>());
                        found.extend(parts);
                    }
                } else {
                    words.push(word.to_owned());
                }
            }
        }
    }
    for length in 1..=PHRASE_WORDS {
        let phrases = words.windows(length).map(|phrase| phrase.join(" "));
        found.extend(phrases.filter(|phrase| phrase.chars().count() > 1));
    }
    found
}

fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27BF}' | '\u{1F300}'..='\u{1F5FF}' | '\u{1F600}'..='\u{1F64F}'
        | '\u{1F680}'..='\u{1F6FF}' | '\u{1F900}'..='\u{1FAFF}')
        && !matches!(c, '\u{1F3FB}'..='\u{1F3FF}')
}
