//! Takes an erased text as a whole out of what was written around it. Pure; knows no table.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::message_links::split_at_message_links;
use crate::recall::is_cjk;

/// How everything begins that stands where something was erased.
pub const MARK: &str = "[erased: ";
/// What stands in its place.
pub const ERASED: &str = "[erased: a message that was deleted or edited]";

/// The prompt may show the beginning of a long message only; so many letters and digits of it give it away.
pub(super) const TELLING_LETTERS: usize = 40;
/// A text shorter than this, in letters and digits, counts only where it stands as words of its own.
pub(super) const WORDS_OF_ITS_OWN: usize = 8;
/// A text of fewer letters and digits is no quote when somebody else says it; an unspaced script's character is three.
const A_QUOTE: usize = 18;
const CJK_WEIGHT: usize = 3;
/// Texts are looked up by so many letters.
const START: usize = 6;
/// How the context writes characters that could be taken for markup.
pub(super) const ENTITIES: &[&str] = &[
    "&lt;", "&gt;", "&amp;", "&quot;", "&apos;", "&#39;", "&#34;", "&#10;",
];

/// The forms in which a text may be shown: as it is, and what stands around its links, which a prompt writes otherwise.
pub fn list_forms(text: &str) -> impl Iterator<Item = &str> {
    let around = split_at_message_links(text).filter(|piece| piece.len() < text.len());
    std::iter::once(text).chain(around)
}

/// A text to be taken out, in all of its forms.
pub struct ErasedPassage(Vec<PassageForm>);

impl ErasedPassage {
    /// None if the text gives nothing away: it is empty or mere punctuation.
    pub fn new(text: &str) -> Option<Self> {
        let forms: Vec<_> = list_forms(text).filter_map(PassageForm::new).collect();
        (!forms.is_empty()).then_some(Self(forms))
    }

    /// Whether a string may show the text: a quick look beforehand.
    pub fn may_be_in(&self, string: &str) -> bool {
        self.0.iter().any(|form| string.contains(form.hint()))
    }

    /// `string` without the text; none if it does not hold it.
    pub fn redact(&self, string: &str) -> Option<String> {
        self.0.iter().fold(None, |redacted, form| {
            let now = redacted.as_deref().unwrap_or(string);
            form.redact(now).or(redacted)
        })
    }
}

/// Only letters and digits are compared, so that escaping and line breaks do not hide it.
struct PassageForm {
    text: String,
    letters: Vec<(usize, char)>,
    /// Whether it names somebody: a prompt calls the second of a name "@Anna 2".
    is_named: bool,
}

impl PassageForm {
    fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let letters = collect_letters(text, &[]);
        (!letters.is_empty() || !text.is_ascii()).then(|| Self {
            text: text.into(),
            letters,
            is_named: text.contains('@'),
        })
    }

    /// A piece of it that everything that shows it holds byte for byte.
    fn hint(&self) -> &str {
        let needed_letters: usize = TELLING_LETTERS.min(self.letters.len());
        let mut seen = 0;
        let end = self
            .text
            .char_indices()
            .find(|(_, c)| {
                seen += usize::from(c.is_alphanumeric());
                seen > needed_letters
            })
            .map_or(self.text.len(), |(index, _)| index);
        let is_end = |c: char| !c.is_alphanumeric() || self.is_named && is_cjk(c);
        let runs = self.text[..end].split(is_end);
        runs.max_by_key(|run| run.len())
            .filter(|run| !run.is_empty())
            .unwrap_or(if self.is_named { "@" } else { &self.text })
    }

    fn redact(&self, string: &str) -> Option<String> {
        if self.letters.is_empty() {
            return string
                .contains(&self.text)
                .then(|| string.replace(&self.text, ERASED));
        }
        // What was escaped is read as it was; what merely looks escaped is found the second time.
        let unescaped = self.redact_letters(string, &collect_letters(string, ENTITIES));
        let string = unescaped.as_deref().unwrap_or(string);
        self.redact_letters(string, &collect_letters(string, &[]))
            .or(unescaped)
    }

    fn redact_letters(&self, string: &str, letters: &[(usize, char)]) -> Option<String> {
        let needed_letters = TELLING_LETTERS.min(self.letters.len());
        replace_found(string, letters, |from| {
            let (same, count) = self.count_shown(&letters[from..]);
            (same >= needed_letters && self.is_standalone(string, letters, from, count))
                .then_some(count)
        })
    }

    /// How many of its letters are there from the beginning, and how many these are with the numbers behind names.
    fn count_shown(&self, letters: &[(usize, char)]) -> (usize, usize) {
        let (mut same, mut count) = (0, 0);
        while let (Some(wanted), Some(shown)) = (self.letters.get(same..), letters.get(count..))
            && !wanted.is_empty()
            && !shown.is_empty()
        {
            let begins_word = count > 0 && !is_same_word(&letters[count - 1], &shown[0]);
            let number = || {
                let word = first_word(shown);
                let is_number = word.iter().all(|(_, c)| c.is_ascii_digit());
                (is_number && !is_alike(word, first_word(wanted))).then_some(word.len())
            };
            if self.is_named
                && begins_word
                && let Some(length) = number()
            {
                count += length;
            } else if wanted[0].1 == shown[0].1 {
                (same, count) = (same + 1, count + 1);
            } else {
                break;
            }
        }
        (same, count)
    }

    fn is_standalone(
        &self,
        string: &str,
        letters: &[(usize, char)],
        from: usize,
        count: usize,
    ) -> bool {
        if self.letters.len() >= WORDS_OF_ITS_OWN {
            return true;
        }
        let (last, c) = letters[from + count - 1];
        let before = string[..letters[from].0].chars().next_back();
        let after = string[last + c.len_utf8()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    }
}

/// Whether who repeats a text quotes it: a short one is anybody's words.
pub fn is_quote(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    let weights = letters.map(|c| if is_cjk(c) { CJK_WEIGHT } else { 1 });
    weights.sum::<usize>() >= A_QUOTE
}

/// Many texts of one person, to be taken out of what others wrote later. Short ones are anybody's words and stay.
#[derive(Default)]
pub struct ErasedPassages {
    /// How the texts begin: whatever begins otherwise is passed over at once.
    starts: HashSet<[char; START]>,
    /// The part of each text that gives it away, with what may follow.
    texts: HashMap<Vec<char>, Vec<Vec<char>>>,
    /// How long these parts are.
    lengths: BTreeSet<usize>,
}

impl ErasedPassages {
    pub fn add(&mut self, text: &str) {
        list_forms(text).for_each(|form| self.add_form(form));
    }

    fn add_form(&mut self, text: &str) {
        let mut letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        let Some(start) = letters.first_chunk().filter(|_| is_quote(text)) else {
            return;
        };
        self.starts.insert(*start);
        let rest = letters.split_off(TELLING_LETTERS.min(letters.len()));
        self.lengths.insert(letters.len());
        self.texts.entry(letters).or_default().push(rest);
    }

    /// `string` without these texts; none if it holds none of them.
    pub fn redact(&self, string: &str) -> Option<String> {
        let letters = collect_letters(string, &[]);
        let plain: Vec<char> = letters.iter().map(|(_, c)| *c).collect();
        replace_found(string, &letters, |from| {
            let plain = &plain[from..];
            plain
                .first_chunk()
                .filter(|start| self.starts.contains(*start))?;
            let fits = self
                .lengths
                .iter()
                .rev()
                .copied()
                .filter(|length| *length <= plain.len());
            fits.filter_map(|length| {
                let rests = self.texts.get(&plain[..length])?;
                rests
                    .iter()
                    .map(|rest| length + count_common(&letters[from + length..], rest))
                    .max()
            })
            .max()
        })
    }
}

/// `string` without what begins at a letter for which `found` answers how many letters are to go; none if none does.
fn replace_found(
    string: &str,
    letters: &[(usize, char)],
    found: impl Fn(usize) -> Option<usize>,
) -> Option<String> {
    let mut out = String::new();
    let (mut from, mut kept) = (0, 0);
    while from < letters.len() {
        let Some(count) = found(from).filter(|count| *count > 0) else {
            from += 1;
            continue;
        };
        // Half a word would be left of what nobody knows any more.
        let count = count - 1 + first_word(&letters[from + count - 1..]).len();
        let (last, c) = letters[from + count - 1];
        out.push_str(&string[kept..letters[from].0]);
        out.push_str(ERASED);
        kept = last + c.len_utf8();
        from += count;
    }
    (kept > 0).then(|| out + &string[kept..])
}

/// The letters of the word that the first belongs to.
fn first_word(letters: &[(usize, char)]) -> &[(usize, char)] {
    letters.chunk_by(is_same_word).next().unwrap_or_default()
}

fn is_same_word((at, c): &(usize, char), (next, after): &(usize, char)) -> bool {
    at + c.len_utf8() == *next && !is_cjk(*c) && !is_cjk(*after)
}

fn is_alike(a: &[(usize, char)], b: &[(usize, char)]) -> bool {
    a.iter().map(|(_, c)| c).eq(b.iter().map(|(_, c)| c))
}

/// How many letters are the same from the beginning.
fn count_common(letters: &[(usize, char)], wanted: &[char]) -> usize {
    letters
        .iter()
        .zip(wanted)
        .take_while(|((_, c), wanted)| c == *wanted)
        .count()
}

/// The letters and digits of a string with their places, `skip` left out.
fn collect_letters(string: &str, skip: &[&str]) -> Vec<(usize, char)> {
    let mut letters = Vec::new();
    let mut past = 0;
    for (index, c) in string.char_indices() {
        if index < past {
            continue;
        }
        if c == '&'
            && let Some(entity) = skip
                .iter()
                .find(|entity| string[index..].starts_with(**entity))
        {
            past = index + entity.len();
        } else if c.is_alphanumeric() {
            letters.push((index, c));
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(text: &str, string: &str) -> Option<String> {
        ErasedPassage::new(text)?.redact(string)
    }

    #[test]
    fn an_escaped_or_wrapped_text_is_found() {
        let prompt = "12 Anna: a &lt;b&gt; &amp; the\n  tangerine!\n13 Bob: ok";
        assert_eq!(
            redacted("a <b> & the tangerine!", prompt).as_deref(),
            Some(&*format!("12 Anna: {ERASED}!\n13 Bob: ok"))
        );
    }

    #[test]
    fn the_beginning_of_a_long_text_is_enough() {
        let text =
            "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
        let shown = format!("> {}…\nnext", &text[..60]);
        assert_eq!(
            redacted(text, &shown).as_deref(),
            Some(&*format!("> {ERASED}…\nnext"))
        );
    }

    #[test]
    fn a_short_text_is_only_taken_where_it_stands_alone() {
        assert_eq!(
            redacted("hi", "this is 12 Anna: hi").as_deref(),
            Some(&*format!("this is 12 Anna: {ERASED}"))
        );
        assert_eq!(redacted("hi", "this while"), None);
        assert_eq!(redacted("?", "what?"), None);
        assert_eq!(
            redacted("👀", "12 Anna: 👀").as_deref(),
            Some(&*format!("12 Anna: {ERASED}"))
        );
    }

    #[test]
    fn the_hint_stands_in_every_string_that_shows_the_text() {
        assert_eq!(
            PassageForm::new("a <b> & the tangerine!")
                .as_ref()
                .map(PassageForm::hint),
            Some("tangerine")
        );
        assert_eq!(
            PassageForm::new("👀 👀").as_ref().map(PassageForm::hint),
            Some("👀 👀")
        );
    }
    #[test]
    fn of_many_texts_the_longer_ones_are_found_wherever_they_stand() {
        let mut texts = ErasedPassages::default();
        for text in [
            "good morning",
            "I am going home right now",
            "I am going home right now, and then to bed",
            "我今天去看木琴演出",
        ] {
            texts.add(text);
        }
        let redacted = |string| texts.redact(string);
        assert_eq!(redacted("good morning!"), None);
        assert_eq!(
            redacted("so \"I am going home right now\"?").as_deref(),
            Some(&*format!("so \"{ERASED}\"?"))
        );
        let longer = redacted("you said: I am going home right now and then to bed.");
        assert_eq!(longer.as_deref(), Some(&*format!("you said: {ERASED}.")));
        assert_eq!(
            redacted("你说我今天去看木琴演出！").as_deref(),
            Some(&*format!("你说{ERASED}！"))
        );
    }
}
