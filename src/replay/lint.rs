//! How the companion sounds, counted: its lines against the room's, questions at the end, assistant phrases, repeated
//! openers. Judges by numbers only and never changes a line.

use std::collections::HashMap;
use std::fmt;

/// What assistants say and friends do not; lower case, straight apostrophes.
const ASSISTANT_PHRASES: &[&str] = &[
    "as an ai",
    "language model",
    "i'm here to help",
    "i am here to help",
    "happy to help",
    "glad to help",
    "how can i help",
    "how can i assist",
    "feel free to",
    "don't hesitate",
    "let me know if",
    "great question",
    "that's a great",
    "that sounds like a",
    "i understand how",
    "i understand that",
    "i hear you",
    "it's important to",
    "it's worth noting",
    "in conclusion",
    "absolutely!",
    "certainly!",
    "of course!",
    "i'd love to hear",
    "what about you?",
    "hope this helps",
    "hope that helps",
    "delve",
    "rest assured",
    "作为一个人工智能",
    "作为ai",
    "语言模型",
    "很高兴为您",
    "很高兴为你",
    "有什么可以帮",
    "我可以帮您",
    "请随时",
    "随时告诉我",
    "如果你有任何",
    "如果您有任何",
    "希望对你有帮助",
    "希望对您有帮助",
    "希望这能帮",
    "总的来说",
    "综上所述",
    "值得注意的是",
    "我理解你的",
    "我理解您的",
    "这是一个很好的问题",
    "好问题",
    "当然可以！",
    "您",
];

/// Lengths past this are counted as this, in characters.
const LONGEST: usize = 2_000;
/// An opener that starts at least so many lines is told.
const OPENER_TIMES: u32 = 3;
/// An opener is so many words, or characters of a script without spaces.
const OPENER_WORDS: usize = 2;

/// Counts a transcript.
#[derive(Clone, Debug)]
pub struct Lint {
    own: Lengths,
    room: Lengths,
    questions: u32,
    phrases: HashMap<&'static str, u32>,
    openers: HashMap<String, u32>,
}

impl Default for Lint {
    fn default() -> Self {
        let (own, room) = (Lengths::default(), Lengths::default());
        Self { own, room, questions: 0, phrases: HashMap::new(), openers: HashMap::new() }
    }
}

impl Lint {
    /// Somebody else's line.
    pub fn heard(&mut self, text: &str) {
        self.room.add(text);
    }

    /// A line of the companion.
    pub fn said(&mut self, text: &str) {
        self.own.add(text);
        let marks = |c: char| !c.is_alphanumeric() && !matches!(c, '?' | '？');
        if text.trim_end_matches(marks).ends_with(['?', '？', '吗', '呢']) {
            self.questions += 1;
        }
        let lower = text.to_lowercase().replace('’', "'");
        for phrase in ASSISTANT_PHRASES.iter().filter(|phrase| lower.contains(**phrase)) {
            *self.phrases.entry(phrase).or_default() += 1;
        }
        if let Some(opener) = opener(&lower) {
            *self.openers.entry(opener).or_default() += 1;
        }
    }

    /// What was counted.
    pub fn report(&self) -> LintReport {
        let mut repeated_openers: Vec<(String, u32)> =
            self.openers.iter().filter(|(_, times)| **times >= OPENER_TIMES).map(|(o, n)| (o.clone(), *n)).collect();
        repeated_openers.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let mut assistant_phrases: Vec<(String, u32)> =
            self.phrases.iter().map(|(phrase, times)| ((*phrase).to_owned(), *times)).collect();
        assistant_phrases.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        LintReport {
            lines: self.own.all,
            median_length: self.own.median(),
            room_lines: self.room.all,
            room_median_length: self.room.median(),
            question_share: f64::from(self.questions) / f64::from(self.own.all.max(1)),
            assistant_phrases,
            repeated_openers,
        }
    }
}

/// How the companion sounds.
#[derive(Clone, Debug, PartialEq)]
pub struct LintReport {
    /// Its lines.
    pub lines: u32,
    /// Their median length in characters.
    pub median_length: usize,
    /// The lines of others.
    pub room_lines: u32,
    /// Their median length in characters.
    pub room_median_length: usize,
    /// The share of its lines that end in a question, 0 … 1.
    pub question_share: f64,
    /// Assistant phrases and in how many lines they stand, most frequent first.
    pub assistant_phrases: Vec<(String, u32)>,
    /// How lines start and how many do, where at least three do, most frequent first.
    pub repeated_openers: Vec<(String, u32)>,
}

impl fmt::Display for LintReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (own, room) = (self.median_length, self.room_median_length);
        let times = own as f64 / room.max(1) as f64;
        writeln!(f, "lines               {:>6}", self.lines)?;
        writeln!(f, "median length       {own:>6}  characters; the room's is {room}, so {times:.1} times that")?;
        write!(f, "end in a question   {:>6.0} %", 100.0 * self.question_share)?;
        let list = |found: &[(String, u32)]| {
            let each: Vec<String> = found.iter().map(|(what, times)| format!("\"{what}\" {times}")).collect();
            if each.is_empty() { "none".into() } else { each.join(", ") }
        };
        write!(f, "\nassistant phrases   {}", list(&self.assistant_phrases))?;
        write!(f, "\nrepeated openers    {}", list(&self.repeated_openers))
    }
}

/// A histogram of line lengths.
#[derive(Clone, Debug)]
struct Lengths {
    counts: Vec<u32>,
    all: u32,
}

impl Default for Lengths {
    fn default() -> Self {
        Self { counts: vec![0; LONGEST + 1], all: 0 }
    }
}

impl Lengths {
    fn add(&mut self, text: &str) {
        let length = text.trim().chars().take(LONGEST).count();
        if let Some(count) = self.counts.get_mut(length) {
            *count += 1;
            self.all += 1;
        }
    }

    fn median(&self) -> usize {
        let mut below = 0;
        for (length, count) in self.counts.iter().enumerate() {
            below += count;
            if 2 * below >= self.all {
                return length;
            }
        }
        0
    }
}

/// The first words of a line, or its first two characters in a script without spaces.
fn opener(line: &str) -> Option<String> {
    let unspaced = crate::core::willingness::words::is_unspaced;
    let line = line.trim();
    let first = line.chars().next()?;
    if unspaced(first) {
        return Some(line.chars().take(OPENER_WORDS).collect());
    }
    let words: Vec<&str> = line
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty())
        .take(OPENER_WORDS)
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}
