//! One name in one line: what stands before and after it, and so what it is used for. What counts as a cue is the
//! languages' own business.

use super::cues::{AddressCues, SpacedCues, UnspacedCues};
use super::{NameUse, char_width, is_comma, is_mark, is_stop};
use crate::word::{is_ordinary, is_unspaced};

pub struct NamePosition<'a> {
    pub cues: &'a AddressCues,
    pub name: &'a str,
    pub line: &'a str,
    pub before: &'a str,
    pub after: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Nothing but marks and emoji.
    End,
    /// A comma or a colon.
    Comma,
    /// The end of a sentence, and then more.
    Stop,
    /// A space, where the script puts none between words: a comma that was not typed.
    Gap,
    More,
}

impl<'a> NamePosition<'a> {
    fn spaced(&self) -> &'a SpacedCues {
        &self.cues.spaced
    }

    fn unspaced(&self) -> &'a UnspacedCues {
        &self.cues.unspaced
    }

    /// It is a part of somebody else's name, "Juno K", "@阿柚子 ", or all that is asked is who bears it.
    pub fn is_of_another(&self) -> bool {
        let run = self.before.rsplit(char::is_whitespace).next();
        let is_in_handle = run.is_some_and(|run| run.starts_with(['@', '＠']));
        self.spaced().is_initial(self.after)
            || is_in_handle && !self.has_at_sign()
            || self.has_at_sign() && self.unspaced().is_handle_end(self.after)
            || self.next_part() == Next::End
                && (self.spaced().asks_who.contains(self.clause())
                    || self.unspaced().asks_who.contains(self.segment()))
    }

    pub fn everyday_use(&self) -> NameUse {
        let set_off = self.after.starts_with(is_comma) && !self.is_list_start();
        let starts = self.before.trim().is_empty() && (set_off || self.is_spoken_to());
        let call = (self.has_at_sign() || starts || self.is_surely_last()) && !self.is_quoted();
        if call {
            NameUse::Vocative
        } else {
            NameUse::Absent
        }
    }

    /// Hardly anybody types the comma in Chinese. What speaks to somebody right after an everyday word stands for it …
    fn is_spoken_to(&self) -> bool {
        self.unspaced().may_open(self.name)
            && self.unspaced().is_addressing(self.tail().trim_start())
    }

    /// … and what can only be followed by a call, right before one that ends the line.
    fn is_surely_last(&self) -> bool {
        let apart = self.before.ends_with(char::is_whitespace);
        self.unspaced().may_open(self.name)
            && !apart
            && self.next_part() == Next::End
            && self.unspaced().is_sure_call_ending(self.segment())
    }

    pub fn plain_use(&self) -> NameUse {
        let call = if self.is_quoted() {
            false
        } else if self.has_at_sign() || self.is_hailed() {
            true
        } else {
            !self.is_in_list()
                && (self.is_opening_call()
                    || self.is_greeted()
                    || self.is_closing_call()
                    || self.is_asked_through())
        };
        if call {
            NameUse::Vocative
        } else {
            NameUse::Named
        }
    }

    pub fn pet_name_use(&self) -> NameUse {
        let call = !self.is_quoted()
            && (self.has_at_sign()
                || self.is_hailed()
                || self.is_asked_through()
                || self.is_opening_alone()
                || self.is_sure_ending());
        if call {
            NameUse::Vocative
        } else {
            NameUse::Absent
        }
    }

    /// It opens the line and is all of it, set off, or followed by what speaks to somebody …
    fn is_opening_alone(&self) -> bool {
        self.before.trim().is_empty()
            && match self.next_part() {
                Next::Comma => !self.is_list_start(),
                _ if self.name.chars().nth(1).is_none() => {
                    self.unspaced().is_turning_to(self.tail().trim_start())
                }
                Next::End | Next::Stop => true,
                Next::Gap => {
                    self.has_addressing_tail() || self.tail().contains(&self.unspaced().you[..])
                }
                Next::More => self.has_addressing_tail() || self.is_repeated(),
            }
    }

    /// … or ends it behind a greeting or what can only be followed by a call.
    pub fn is_sure_ending(&self) -> bool {
        if self.is_unspaced() {
            return self.is_surely_last()
                || self.next_part() == Next::End && self.unspaced().hails.contains(self.segment());
        }
        self.next_part() == Next::End && self.is_greeted()
    }

    /// "让阿柚推荐", "let Juno pick": who hears it is asked through everybody.
    fn is_asked_through(&self) -> bool {
        self.unspaced()
            .is_asked_through(self.segment(), self.tail())
            || self.after.starts_with(' ')
                && self.spaced().is_asked_through(self.clause(), self.tail())
    }

    pub fn has_at_sign(&self) -> bool {
        self.before.ends_with('@') || self.before.ends_with('＠')
    }

    /// It stands within quotation marks in a line that says more: somebody else's words.
    fn is_quoted(&self) -> bool {
        const MARKS: [(char, char); 5] = [
            ('“', '”'),
            ('「', '」'),
            ('『', '』'),
            ('‘', '’'),
            ('"', '"'),
        ];
        MARKS.iter().any(|(open, close)| {
            let Some((outside, inside)) = self.before.rsplit_once(*open) else {
                return false;
            };
            let Some((_, beyond)) = self.after.split_once(*close) else {
                return false;
            };
            let opened = if open == close {
                outside.matches(*open).count() % 2 == 0
            } else {
                !inside.contains(*close)
            };
            opened
                && (outside.chars().any(char::is_alphanumeric)
                    || beyond.chars().any(char::is_alphanumeric))
        })
    }

    /// The part of the sentence before the name.
    fn clause(&self) -> &'a str {
        let from = self
            .before
            .rfind(is_stop)
            .map_or(0, |at| at + char_width(self.before, at));
        self.before
            .get(from..)
            .unwrap_or_default()
            .trim_matches(|c: char| c.is_whitespace() || is_mark(c))
    }

    /// The part of that after its last comma, typed or not.
    fn segment(&self) -> &'a str {
        let clause = self.clause().trim_end_matches([',', '，']);
        let mut from = clause
            .rfind([',', '，', '、'])
            .map_or(0, |at| at + char_width(clause, at));
        if self.is_unspaced() {
            from = from.max(clause.rfind(' ').map_or(0, |at| at + 1));
        }
        clause.get(from..).unwrap_or_default().trim()
    }

    fn is_unspaced(&self) -> bool {
        self.name.chars().next_back().is_some_and(is_unspaced)
    }

    /// What follows, after particles and titles.
    fn tail(&self) -> &'a str {
        self.unspaced().strip_title(self.after)
    }

    fn next_part(&self) -> Next {
        let tail = self.tail();
        let first = tail.trim_start().chars().next();
        let without_manner = |said: &'a str, manner: &str| {
            let before = said.strip_suffix(manner);
            before.and_then(|before| before.strip_suffix(' '))
        };
        let said = self
            .spaced()
            .manners
            .iter()
            .fold(tail.trim_end(), |said, manner| {
                without_manner(said, manner).unwrap_or(said)
            });
        let said = self
            .spaced()
            .faces
            .iter()
            .fold(said, |said, face| said.strip_suffix(face).unwrap_or(said));
        if !said.chars().any(char::is_alphanumeric) {
            Next::End
        } else if first.is_some_and(is_comma) {
            Next::Comma
        } else if first.is_some_and(|c| is_stop(c) || matches!(c, '-' | '–' | '—')) {
            Next::Stop
        } else if tail.starts_with(char::is_whitespace)
            && (self.is_unspaced() || first.is_some_and(is_unspaced))
        {
            Next::Gap
        } else {
            Next::More
        }
    }

    fn is_opening_call(&self) -> bool {
        let starts = self.clause().is_empty() && !self.has_comma_before();
        if !starts
            && !self.unspaced().is_opener(self.segment())
            && !self.spaced().is_opener(self.clause())
        {
            return false;
        }
        match self.next_part() {
            Next::End | Next::Stop => starts,
            Next::Comma => !self.is_list_start(),
            Next::Gap => {
                self.has_addressing_tail()
                    || !self.unspaced().is_telling_of_owner(self.tail())
                        && (starts || self.unspaced().is_reaching_owner(self.tail()))
            }
            Next::More => self.has_addressing_tail() || starts && self.is_repeated(),
        }
    }

    /// "Mia mia mia": said again at once.
    fn is_repeated(&self) -> bool {
        self.after
            .trim_start()
            .get(..self.name.len())
            .is_some_and(|next| next.eq_ignore_ascii_case(self.name))
    }

    fn has_addressing_tail(&self) -> bool {
        let tail = self.tail().trim_start();
        self.unspaced().is_addressing(tail)
            || self.after.starts_with(char::is_whitespace) && self.spaced().is_addressing(tail)
    }

    /// A greeting stands right before the name, whatever follows: "hi Mia and Tom".
    pub fn is_hailed(&self) -> bool {
        let part = self
            .clause()
            .rsplit([',', '，'])
            .next()
            .unwrap_or_default()
            .trim();
        !self.has_comma_before() && self.spaced().greets.contains(part)
    }

    /// A greeting, thanks or an exclamation stands before the name.
    fn is_greeted(&self) -> bool {
        if self.has_comma_before() {
            return false;
        }
        let clause = self.clause();
        let part = clause.rsplit([',', '，']).next().unwrap_or_default().trim();
        let ends = self.next_part() != Next::More;
        let greeted = [
            self.segment(),
            part,
            part.rsplit(' ').next().unwrap_or_default(),
        ];
        if let Some(greeting) = greeted
            .into_iter()
            .find(|greeting| self.unspaced().greets.contains(greeting))
        {
            return ends
                || self.has_addressing_tail()
                || self.unspaced().has_thanks_reason(greeting, self.tail());
        }
        (ends || self.has_addressing_tail()) && self.spaced().closes.contains(part)
    }

    /// It ends a question behind a comma, and is no more of a list: "are you in, Mia?".
    pub fn is_asked_last(&self) -> bool {
        self.before.trim_end().ends_with(is_comma)
            && self.next_part() == Next::End
            && self.line.contains(['?', '？'])
            && !self.is_list_continued()
    }

    /// The name closes the sentence as a call, or stands between commas.
    fn is_closing_call(&self) -> bool {
        let next = self.next_part();
        if self.has_comma_before() {
            return match next {
                Next::End | Next::Comma | Next::Stop => {
                    self.line.contains(['?', '？']) || !self.is_list_continued()
                }
                Next::Gap => {
                    self.has_addressing_tail() || self.unspaced().is_reaching_owner(self.tail())
                }
                Next::More => self.unspaced().is_addressing(self.tail()),
            };
        }
        match next {
            Next::End | Next::Stop => {
                self.unspaced().is_call_ending(self.segment())
                    || self.spaced().is_call_ending(self.clause())
            }
            Next::Gap => self.unspaced().is_call_ending(self.segment()),
            Next::Comma => {
                self.unspaced().has_thanks(self.segment())
                    || self.spaced().has_thanks(self.clause())
            }
            Next::More => false,
        }
    }

    /// A comma before the name, or a space that stands for one.
    fn has_comma_before(&self) -> bool {
        let before = self.before.trim_end();
        before.ends_with([',', '，'])
            || before.len() < self.before.len()
                && self.name.chars().next().is_some_and(is_unspaced)
                && before.chars().next_back().is_some_and(is_unspaced)
                && !self.unspaced().can_take_name(self.segment())
                && !self.unspaced().greets.contains(self.segment())
    }

    /// The name stands in a list joined by words: "Tom and Mia", "小明和小雨".
    fn is_in_list(&self) -> bool {
        let before = self.before.trim_end();
        if before.ends_with(&self.unspaced().joins[..])
            || self
                .after
                .trim_start()
                .starts_with(&self.unspaced().joins[..])
        {
            return true;
        }
        let joined =
            |word: Option<&str>| word.is_some_and(|word| self.spaced().joins.contains(word));
        let spaced = |text: &str| text.starts_with(' ');
        let mut listed = super::split_words(self.clause());
        joined(listed.next_back()) && listed.next().is_some() && !before.ends_with([',', '，'])
            || spaced(self.after) && joined(self.after.split_whitespace().next())
    }

    /// "Mia, Tom and I went": after the comma stands another name, and then a word that joins.
    fn is_list_start(&self) -> bool {
        let rest = self.after.trim_start_matches([',', '，', ' ']);
        let mut words = rest.split_whitespace();
        let (first, second) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        self.after.starts_with([',', '，'])
            && first.chars().next().is_some_and(char::is_uppercase)
            && (first.ends_with(',') || self.spaced().joins.contains(second))
    }

    /// "I saw Anna, Mia": before the comma stands another name.
    fn is_list_continued(&self) -> bool {
        let before = self.before.trim_end().trim_end_matches([',', '，']);
        let segment = before.rsplit([',', '，']).next().unwrap_or_default().trim();
        let mut words = segment.split_whitespace();
        let last = words.next_back().unwrap_or_default();
        let capital =
            last.chars().next().is_some_and(char::is_uppercase) && last.chars().count() > 1;
        capital
            && !is_ordinary(last)
            && (words.next().is_some() || before.contains(','))
            && last.is_ascii()
    }
}
