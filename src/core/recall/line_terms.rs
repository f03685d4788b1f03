//! What a line holds of a question's words.

use std::collections::{HashMap, HashSet};

use super::terms::visit_terms;

/// What a line holds of a question.
pub(super) struct LineTerms {
    /// How often each term of the question stands in it, and each character that is looked for alone.
    pub(super) counts: HashMap<String, u32>,
    /// How many terms it has, whatever they are.
    all: usize,
    /// How many of the characters that are looked for alone.
    singles: usize,
}

impl LineTerms {
    /// The terms of a text, of which these are wanted; nothing is kept of the others but their number.
    pub(super) fn count(text: &str, wanted: &HashSet<String>, singles: &[String]) -> Self {
        let (mut counts, mut all) = (HashMap::new(), 0);
        visit_terms(text, |term| {
            all += 1;
            if wanted.contains(term) {
                *counts.entry(term.to_owned()).or_default() += 1;
            }
        });
        let held = singles.iter().filter(|single| text.contains(&***single));
        let mut singles = 0;
        for single in held {
            counts.insert(single.clone(), 1);
            singles += 1;
        }
        Self {
            counts,
            all,
            singles,
        }
    }

    pub(super) fn count_all(&self) -> usize {
        self.all
    }

    /// How long the line is for a ranking: its terms, and once more the characters that are looked for alone.
    pub(super) fn length(&self) -> f64 {
        (self.all + self.singles) as f64
    }
}
