//! How a language with spaces between words shows that a name is called. Its words stand in the lists.

use kith_language::WordSet;

use super::cues::SpacedCues;
use super::split_words;

/// The most words of a choice between two things.
const MOST_OF_A_CHOICE: usize = 5;

impl SpacedCues {
    /// Whether what follows a name speaks to its owner: "Mia can you", "Mia please".
    pub fn is_addressing(&self, tail: &str) -> bool {
        let mut words = split_words(tail);
        let (first, second) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        self.is_asking_owner(tail)
            || self.asks_about.contains(first) && self.asked_about.contains(second)
            || self.after_first.contains(first)
            || self.asks_shortly.contains(first) && tail.trim_end().ends_with('?')
            || self.asks_which.contains(first)
                && !second.is_empty()
                && (tail.trim_end().ends_with('?') || self.asks_somebody(tail))
            || self.me.contains(second) && self.is_asking_verb(first)
            || self.short_after.contains(first)
                && (second.is_empty() || self.short_after.contains(second))
            || self.commands.contains(first)
                && (second.is_empty() || self.command_objects.contains(second))
            || self.tells.contains(first) && self.told_of.contains(second)
            || self.be.contains(first) && self.be_asked.contains(second)
            || self.is_choice(tail)
    }

    /// Whether it begins as a question does that asks somebody: "are you", which stands behind no verb.
    pub fn is_asking_owner(&self, tail: &str) -> bool {
        let mut words = split_words(tail);
        let mut is_next = |list: &WordSet| words.next().is_some_and(|word| list.contains(word));
        is_next(&self.asks) && is_next(&self.asked)
    }

    /// Whether somewhere in it somebody is asked: "which one would you pick".
    fn asks_somebody(&self, tail: &str) -> bool {
        let words: Vec<&str> = split_words(tail).collect();
        words.windows(2).any(|pair| match pair {
            [verb, who] => self.asks.contains(verb) && self.asked.contains(who),
            _ => false,
        })
    }

    /// Whether it asks to choose, in few words: "tea or coffee", but not "or Ben", "left or stayed", "ate or what".
    fn is_choice(&self, tail: &str) -> bool {
        let few: Vec<&str> = split_words(tail).take(MOST_OF_A_CHOICE + 1).collect();
        let is_done = |word: &str| {
            self.past_ends.is_suffix_of(word)
                || self.did.contains(word)
                || self.belongs.contains(word)
        };
        match few[..] {
            [first, or, second, ..] if few.len() <= MOST_OF_A_CHOICE => {
                self.or.contains(or)
                    && !is_done(first)
                    && !is_done(second)
                    && !self.no_choice.contains(second)
            }
            _ => false,
        }
    }

    /// Whether a verb before "me" is one of asking: "back me up", but not "told me", "helped me", "helps me".
    fn is_asking_verb(&self, verb: &str) -> bool {
        !self.did.contains(verb)
            && !self.past_ends.is_suffix_of(verb)
            && (!self.present_ends.is_suffix_of(verb) || self.stem_ends.is_suffix_of(verb))
    }

    /// Whether these words begin with thanks, so that a name behind them is thanked: "thanks for yesterday".
    pub fn has_thanks(&self, clause: &str) -> bool {
        split_words(clause)
            .next()
            .is_some_and(|word| self.thanks.contains(word))
    }

    /// Whether everybody is told to let the person speak or choose: "ok let Mia pick", but not "who let Mia drive".
    pub fn is_asked_through(&self, clause: &str, tail: &str) -> bool {
        let mut before = split_words(clause).rev();
        before.next().is_some_and(|word| self.lets.contains(word))
            && before.all(|word| self.openers.contains(word) || self.before_let.contains(word))
            && split_words(tail)
                .next()
                .is_some_and(|word| self.asked_through.contains(word))
    }

    /// Whether these words only open what is said: "ok but", "wait so".
    pub fn is_opener(&self, clause: &str) -> bool {
        let mut words = split_words(clause).peekable();
        words.peek().is_some() && words.all(|word| self.openers.contains(word))
    }

    /// Whether a name at the very end is called by the words before: "how are you", but not "have you seen".
    pub fn is_call_ending(&self, clause: &str) -> bool {
        let mut words = split_words(clause).rev();
        let (Some(last), before) = (words.next(), words.next()) else {
            return false;
        };
        if self.before_last.contains(last) {
            return true;
        }
        // Of other alphabets' words too little is known.
        let Some(before) = before.filter(|_| last.is_ascii()) else {
            return false;
        };
        let points = self.points.contains(last) && self.belongs.contains(before);
        !points
            && !self.belongs.contains(last)
            && (self.owns.contains(before) || !self.can_take_name(last))
    }

    fn can_take_name(&self, word: &str) -> bool {
        let known = |word: &str| self.takes_name.contains(word);
        let is_form = |inflection: &str| {
            let (ending, mended) = inflection.split_once(' ').unwrap_or((inflection, ""));
            word.strip_suffix(ending).is_some_and(|verb| {
                known(verb) || !mended.is_empty() && known(&format!("{verb}{mended}"))
            })
        };
        known(word) || self.inflections.iter().any(is_form)
    }

    /// Whether the first word behind a name is the initial of a longer one: a letter that is no word by itself.
    pub fn is_initial(&self, after: &str) -> bool {
        let mut chars = after.chars();
        let (gap, letter, next) = (chars.next(), chars.next(), chars.next());
        gap == Some(' ')
            && letter.is_some_and(|letter| {
                letter.is_ascii_alphabetic()
                    && !self.single_letters.contains(&letter.to_ascii_lowercase())
            })
            && !next.is_some_and(|next| next.is_alphanumeric() || matches!(next, '\'' | '’'))
    }

    /// A greeting without what may stand behind it: "hi all".
    pub fn strip_greeting_end<'a>(&self, greeting: &'a str) -> &'a str {
        self.greeting_ends
            .iter()
            .find_map(|end| greeting.strip_suffix(end)?.strip_suffix(' '))
            .unwrap_or(greeting)
    }
}
