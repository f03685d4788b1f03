//! Whether an answer tells a member's line again as its own: the words they share, in their order, whatever a small model
//! puts around them. Joining in ("me too"), asking back, speaking to its author, naming them and quoting are answers.

use std::ops::Range;
use std::sync::LazyLock;

use kith_language::{WordSet, word_lists, word_table};

use super::message_shape::{DialogueCue, MessageShape};
use super::recall::extract_telling_terms;
use super::similarity::{extract_letters, letter_count};
use super::word::is_unspaced;

/// Told again is a line of whose letters so many hundredths come back, with no more beside them than they are.
const TOLD: usize = 80;
/// Shorter news may be everybody's: "tired", "i promise". In letters, a wide one counts as two.
const SHORTEST: usize = 8;
/// Words that tell no more than this are everybody's: "i don't know".
const EVERYBODYS: f64 = 0.5;
/// The most letters of an "I" put in front of a line that left it out.
const SELF: usize = 3;
/// The most words of a text that are compared.
const WORDS: usize = 80;
/// The most clauses of an answer that are looked at.
const CLAUSES: usize = 12;
/// Around a quotation, as friends do it.
const QUOTATION_SIGNS: [char; 9] = ['"', '“', '”', '„', '«', '「', '『', '《', '>'];

word_table! {
    struct EchoWords {
        choices: WordSet,
        choices_within: Vec<&'static str>,
        joins: WordSet,
        joins_within: Vec<&'static str>,
        negations: WordSet,
    }
}

static ECHO: LazyLock<EchoWords> = LazyLock::new(|| EchoWords::from_lists(word_lists("echo")));

/// A line that an answer may tell again.
#[derive(Clone, Copy, Debug)]
pub struct MemberLine<'a> {
    /// What it says, without the companion's name around it.
    pub text: &'a str,
    pub author: &'a str,
    pub is_answered: bool,
    /// From so many letters on even what is not told in the first person is theirs.
    pub shortest: usize,
}

pub fn is_echo(answer: &str, line: &MemberLine<'_>) -> bool {
    let (words, clauses) = (split_words(line.text), split_clauses(answer));
    if names(answer, line.author)
        || answer.contains(QUOTATION_SIGNS)
        || has_word(answer, &ECHO.joins, &ECHO.joins_within)
        || asks_back(
            line.text,
            clauses.iter().map(|clause| &answer[clause.text.clone()]),
        )
    {
        return false;
    }
    (0..clauses.len()).any(|from| {
        (from..clauses.len()).any(|to| {
            let part = &answer[clauses[from].text.start..clauses[to].text.end];
            // What is asked, and of whom, the whole sentence says.
            let sentence = &answer[clauses[from].sentence..find_sentence_end(&clauses, to)];
            repeats(line, &words, part, sentence)
        })
    })
}

/// Whether a name stands in a text, as whole words.
fn names(text: &str, name: &str) -> bool {
    // "anna's"
    let split = |text: &str| split_words(&text.replace(['\'', '’'], " "));
    let (text, name) = (split(text), split(name));
    !name.is_empty() && text.windows(name.len()).any(|words| words == name)
}

/// Whether something that is more than a greeting, and no beginning of the line, stands before what asks, where the line
/// asks "you": that is answered, then asked back.
fn asks_back<'a>(line: &str, clauses: impl Iterator<Item = &'a str>) -> bool {
    let asked = MessageShape::from_text(line);
    let line = extract_letters(line);
    let answers = |clause: &str, shape: &MessageShape| {
        let said = extract_letters(clause);
        let is_slight = shape.greeting || shape.cues.has(DialogueCue::Slight);
        !is_slight && !said.is_empty() && !line.starts_with(&said)
    };
    asked.question
        && asked.you
        && clauses
            .map(|clause| (clause, MessageShape::from_text(clause)))
            .take_while(|(_, shape)| !shape.question && !shape.you)
            .any(|(clause, shape)| answers(clause, &shape))
}

/// Whether a part of an answer is the line, in a sentence that does the same as the line does.
fn repeats(line: &MemberLine<'_>, words: &[String], part: &str, sentence: &str) -> bool {
    let part_words = split_words(part);
    let shared = count_shared_letters(words, &part_words);
    let rest = count_letters(&part_words) - shared;
    let whole = count_letters(words);
    if shared == 0 || shared * 100 < whole * TOLD || rest > shared {
        return false;
    }
    let is_negated = |words: &[String]| words.iter().any(|word| ECHO.negations.contains(word));
    let (told, terms) = (
        extract_telling_terms(part),
        extract_telling_terms(line.text),
    );
    let is_told = |term: &str| told.iter().any(|other| other.term == term);
    if is_negated(words) != is_negated(&part_words)
        || terms
            .iter()
            .any(|term| term.weight >= EVERYBODYS && !is_told(&term.term))
    {
        return false;
    }
    let (asked, said) = (
        MessageShape::from_text(line.text),
        MessageShape::from_text(sentence),
    );
    let is_question = asked.question || is_choice(line.text);
    if is_question != (said.question || is_choice(sentence)) || said.you && !asked.you {
        return false;
    }
    let is_same = words == part_words;
    let is_retold = shared == whole && rest <= SELF && shared >= SHORTEST;
    let is_theirs = if is_question {
        line.is_answered && (is_same || shared >= SHORTEST)
    } else {
        let is_telling = shared >= SHORTEST && terms.iter().any(|term| term.weight > EVERYBODYS);
        let is_news = said.personal && !said.you;
        is_news && (is_telling || line.is_answered && (is_same || is_retold))
    };
    is_theirs || shared >= line.shortest
}

/// Whether a text lets somebody choose: "tea or coffee", also without a mark that asks.
fn is_choice(text: &str) -> bool {
    has_word(text, &ECHO.choices, &ECHO.choices_within)
}

fn has_word(text: &str, words: &WordSet, within: &[&str]) -> bool {
    let text = text.to_lowercase();
    let mut written = text.split(|c: char| !c.is_alphanumeric());
    written.any(|word| words.contains(word)) || within.iter().any(|word| text.contains(word))
}

/// The words of a text in small letters, without apostrophes; characters one by one where the script has no spaces.
fn split_words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in text.chars().filter(|c| !matches!(c, '\'' | '’')) {
        match words.last_mut() {
            Some(word) if c.is_alphanumeric() && !is_unspaced(c) => word.extend(c.to_lowercase()),
            _ if is_unspaced(c) => words.extend([c.into(), String::new()]),
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words.truncate(WORDS);
    words
}

fn count_letters(words: &[String]) -> usize {
    words.iter().map(|word| letter_count(word)).sum()
}

/// The letters of the words that stand in both, in the same order: the heaviest common subsequence.
fn count_shared_letters(a: &[String], b: &[String]) -> usize {
    let mut best = vec![0; b.len() + 1];
    for word in a {
        let (mut diagonal, weight) = (0, letter_count(word));
        for (at, other) in b.iter().enumerate() {
            let above = best[at + 1];
            let joined = if word == other { diagonal + weight } else { 0 };
            best[at + 1] = above.max(best[at]).max(joined);
            diagonal = above;
        }
    }
    best[b.len()]
}

/// A stretch between commas and stops.
struct Clause {
    text: Range<usize>,
    sentence: usize,
}

fn split_clauses(text: &str) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let (mut from, mut sentence) = (0, 0);
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let end = at + c.len_utf8();
        let is_stop = matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '\n');
        let is_border = is_stop || matches!(c, ',' | ';' | '，' | '；' | '、');
        // "3.5" and "1,000" are one.
        let goes_on = matches!(c, '.' | ',')
            && letters
                .peek()
                .is_some_and(|(_, next)| next.is_alphanumeric());
        if is_border && !goes_on && clauses.len() + 1 < CLAUSES {
            clauses.push(Clause {
                text: from..end,
                sentence,
            });
            from = end;
            sentence = if is_stop { end } else { sentence };
        }
    }
    clauses.push(Clause {
        text: from..text.len(),
        sentence,
    });
    clauses
}

fn find_sentence_end(clauses: &[Clause], at: usize) -> usize {
    let of_sentence = |clause: &&Clause| clause.sentence == clauses[at].sentence;
    let last = clauses.iter().rfind(of_sentence);
    last.map_or(0, |clause| clause.text.end)
}
