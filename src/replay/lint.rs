//! How the companion sounds, counted: its lines against the room's, and the faults typical of models. It judges what the
//! model wrote, also what a guard then held back, by numbers only, and never changes a line.

use std::collections::{HashMap, HashSet};
use std::fmt;

use kith_core::answer_split::split_messages;
use kith_core::report::TurnReport;
use kith_core::style;

/// Lengths past this are counted as this, in characters.
const LONGEST: usize = 2_000;
/// An opener that starts at least so many lines is told.
const OPENER_TIMES: u32 = 3;
/// An opener is so many words, or characters of a script without spaces.
const OPENER_WORDS: usize = 2;
/// More messages than this in one turn are a flood.
const FLOOD: usize = 3;
/// Replies to so many lines in one turn answer everybody.
const EVERYBODY: usize = 3;
/// A line that asks after so many that did, one right after the other, is a question too many.
const ASKED: u32 = 2;
/// A line longer than this share of the room's lines is over-long.
const LONG_SHARE: f64 = 0.9;

#[derive(Clone, Debug, Default)]
pub struct StyleLint {
    own: LengthHistogram,
    room: LengthHistogram,
    turns: u32,
    floods: u32,
    everybody: u32,
    questions: u32,
    /// How many lines up to the newest end in a question, one after the other.
    question_run: u32,
    excess_questions: u32,
    copies: HashMap<String, u32>,
    phrases: HashMap<&'static str, u32>,
    narrations: HashMap<String, u32>,
    openers: HashMap<String, u32>,
}

impl StyleLint {
    pub fn count_room_line(&mut self, text: &str) {
        self.room.add(text);
    }

    /// What the model wrote in a turn; `is_copied` knows the prompt's own words.
    pub fn add_turn(&mut self, report: &TurnReport, is_copied: impl Fn(&str) -> bool) {
        let calls = report
            .rounds
            .iter()
            .flat_map(|round| &round.calls)
            .map(|done| &done.call);
        let params = calls
            .filter(|call| call.name == "send_message")
            .map(|call| &call.params);
        let mut lines = 0;
        let mut answered = HashSet::new();
        for params in params {
            for line in split_messages(
                params
                    .get("text")
                    .and_then(|text| text.as_str())
                    .unwrap_or_default(),
            ) {
                self.count_own_line(&line);
                lines += 1;
                if is_copied(&line) {
                    *self.copies.entry(line).or_default() += 1;
                }
            }
            answered.extend(params.get("reply_to").map(ToString::to_string));
        }
        self.turns += u32::from(lines > 0);
        self.floods += u32::from(lines > FLOOD);
        self.everybody += u32::from(answered.len() >= EVERYBODY);
    }

    pub fn count_own_line(&mut self, text: &str) {
        self.own.add(text);
        let asks = style::ends_in_question(text);
        self.questions += u32::from(asks);
        self.excess_questions += u32::from(asks && self.question_run >= ASKED);
        self.question_run = if asks { self.question_run + 1 } else { 0 };
        for phrase in style::find_assistant_phrases(text) {
            *self.phrases.entry(phrase).or_default() += 1;
        }
        if let Some(narration) = style::find_narration(text) {
            *self.narrations.entry(narration.to_owned()).or_default() += 1;
        }
        if let Some(opener) = find_opener(&text.to_lowercase()) {
            *self.openers.entry(opener).or_default() += 1;
        }
    }

    pub fn report(&self) -> LintReport {
        let long = self.room.quantile(LONG_SHARE);
        let share = |part: u32| f64::from(part) / f64::from(self.own.all.max(1));
        LintReport {
            lines: self.own.all,
            turns: self.turns,
            floods: self.floods,
            everybody: self.everybody,
            median_length: self.own.quantile(0.5),
            room_lines: self.room.all,
            room_median_length: self.room.quantile(0.5),
            long,
            long_share: share(self.own.count_above(long)),
            question_share: share(self.questions),
            excess_questions: self.excess_questions,
            copies: rank_counts(&self.copies, 1),
            assistant_phrases: rank_counts(&self.phrases, 1),
            narrations: rank_counts(&self.narrations, 1),
            repeated_openers: rank_counts(&self.openers, OPENER_TIMES),
        }
    }
}

/// What was counted at least so often, most frequent first.
fn rank_counts<T: ToString>(counted: &HashMap<T, u32>, least: u32) -> Vec<(String, u32)> {
    let often = counted.iter().filter(|(_, times)| **times >= least);
    let mut ranked: Vec<(String, u32)> = often
        .map(|(what, times)| (what.to_string(), *times))
        .collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    ranked
}

#[derive(Clone, Debug, PartialEq)]
pub struct LintReport {
    pub lines: u32,
    /// The turns in which it wrote any.
    pub turns: u32,
    /// The turns with more than three of them.
    pub floods: u32,
    /// The turns with replies to three or more lines.
    pub everybody: u32,
    /// Their median length in characters.
    pub median_length: usize,
    pub room_lines: u32,
    /// Their median length in characters.
    pub room_median_length: usize,
    /// Nine in ten of the others' lines are not longer than this, in characters.
    pub long: usize,
    /// The share of its lines that are, 0 … 1.
    pub long_share: f64,
    /// The share of its lines that end in a question, 0 … 1.
    pub question_share: f64,
    /// Its lines that do after two in a row that did.
    pub excess_questions: u32,
    /// Lines that are the prompt's own, most frequent first.
    pub copies: Vec<(String, u32)>,
    /// Assistant phrases and in how many lines they stand, most frequent first.
    pub assistant_phrases: Vec<(String, u32)>,
    /// Actions told between asterisks, most frequent first.
    pub narrations: Vec<(String, u32)>,
    /// How lines start and how many do, where at least three do, most frequent first.
    pub repeated_openers: Vec<(String, u32)>,
}

impl fmt::Display for LintReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (own, room) = (self.median_length, self.room_median_length);
        let times = own as f64 / room.max(1) as f64;
        writeln!(
            f,
            "lines               {:>6}  in {} turns",
            self.lines, self.turns
        )?;
        writeln!(
            f,
            "floods              {:>6}  turns of more than {FLOOD} lines",
            self.floods
        )?;
        writeln!(
            f,
            "answers everybody   {:>6}  turns with replies to {EVERYBODY} lines or more",
            self.everybody
        )?;
        writeln!(
            f,
            "median length       {own:>6}  characters; the room's is {room}, so {times:.1} times that"
        )?;
        let (long, long_share) = (self.long, 100.0 * self.long_share);
        writeln!(
            f,
            "over-long           {long_share:>6.0} %  over {long} characters; of the room's lines 10 % are"
        )?;
        writeln!(
            f,
            "end in a question   {:>6.0} %",
            100.0 * self.question_share
        )?;
        write!(
            f,
            "asks on and on      {:>6}  lines that end in one after {ASKED} in a row that did",
            self.excess_questions
        )?;
        let list = |found: &[(String, u32)]| {
            let each: Vec<String> = found
                .iter()
                .map(|(what, times)| format!("\"{what}\" {times}"))
                .collect();
            if each.is_empty() {
                "none".into()
            } else {
                each.join(", ")
            }
        };
        write!(f, "\nthe prompt's lines  {}", list(&self.copies))?;
        write!(f, "\nassistant phrases   {}", list(&self.assistant_phrases))?;
        write!(f, "\nnarrated actions    {}", list(&self.narrations))?;
        write!(f, "\nrepeated openers    {}", list(&self.repeated_openers))
    }
}

#[derive(Clone, Debug)]
struct LengthHistogram {
    counts: Vec<u32>,
    all: u32,
}

impl Default for LengthHistogram {
    fn default() -> Self {
        Self {
            counts: vec![0; LONGEST + 1],
            all: 0,
        }
    }
}

impl LengthHistogram {
    fn add(&mut self, text: &str) {
        let length = text.trim().chars().take(LONGEST).count();
        if let Some(count) = self.counts.get_mut(length) {
            *count += 1;
            self.all += 1;
        }
    }

    /// The length that this share of the lines does not exceed.
    fn quantile(&self, share: f64) -> usize {
        let mut below = 0;
        for (length, count) in self.counts.iter().enumerate() {
            below += count;
            if f64::from(below) >= share * f64::from(self.all) {
                return length;
            }
        }
        0
    }

    fn count_above(&self, length: usize) -> u32 {
        self.counts.iter().skip(length + 1).sum()
    }
}

/// The first words of a line, or its first two characters in a script without spaces.
fn find_opener(line: &str) -> Option<String> {
    let unspaced = kith_core::word::is_unspaced;
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
