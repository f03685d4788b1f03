//! How it stands between the companion and a channel, in a few words: when it last spoke there, how that went lately, and
//! how well it knows who writes. From counts, without a model. It changes with every prompt, so it stands at the end.

use super::escape;
use crate::chat::{DAY, HOUR, MINUTE, Millis, UserId};
use crate::willingness::Acquaintance;
use kith_language::{Language, LocalizedMessage, prompt};

/// A silence shorter than this can be seen in the history.
const SILENT: Millis = 10 * MINUTE;
/// Its energy is low below the first, and full from the second on.
const TIRED: f32 = 0.4;
const RESTED: f32 = 0.8;
/// Who is known for less than this was only just met.
const JUST_MET: Millis = DAY;
/// From how many of its lines to somebody on, older ones counting less, they talk often.
const OFTEN: f32 = 10.0;
/// So many people are told of, to keep it to one short line.
const TOLD: usize = 2;

/// How the last hours or days went, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecentReception {
    Quieted,
    /// They would rather it kept quiet.
    Unwelcome,
    /// Nobody took up what it said last.
    Ignored,
    GoodTalk,
    /// They like it here.
    Welcome,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChannelRapport {
    /// Its energy after what it said, 0 … 1; None where that is not known.
    pub energy: Option<f32>,
    pub silent_for: Option<Millis>,
    pub recent_feedback: Option<RecentReception>,
    pub people: Vec<Acquaintance>,
    /// What several people there say again and again, as they write it.
    pub expressions: Vec<String>,
}

impl ChannelRapport {
    /// Its energy, when it last spoke, how that went and how that feels, and how they talk; empty where there is nothing to
    /// tell.
    pub(super) fn describe_rapport(&self, language: Language) -> String {
        let silent = self.silent_for.filter(|silent| *silent >= SILENT);
        let silent =
            silent.map(|silent| prompt::last_spoke(format_duration(silent)).in_language(language));
        let feedback = self.recent_feedback.map(|lately| {
            let text = match lately {
                RecentReception::Quieted => prompt::lately_quieted(),
                RecentReception::Unwelcome => prompt::lately_unwelcome(),
                RecentReception::Ignored => prompt::lately_ignored(),
                RecentReception::GoodTalk => prompt::lately_good_talk(),
                RecentReception::Welcome => prompt::lately_welcome(),
            };
            text.in_language(language)
        });
        let energy = self.energy.map(|energy| {
            let text = match energy {
                ..TIRED => prompt::energy_low(),
                ..RESTED => prompt::energy_middle(),
                _ => prompt::energy_full(),
            };
            text.in_language(language)
        });
        energy
            .into_iter()
            .chain(silent)
            .chain(feedback)
            .chain(self.describe_expressions(language))
            .collect::<Vec<_>>()
            .join(&prompt::sentence_separator().in_language(language))
    }

    /// What they often say, on one line; None where nothing stands out.
    fn describe_expressions(&self, language: Language) -> Option<String> {
        let shown = self.expressions.iter().map(|expression| {
            let mut safe = String::new();
            escape::escape_line(&mut safe, expression, &|_| None);
            safe
        });
        let list = shown
            .collect::<Vec<_>>()
            .join(&prompt::fact_separator().in_language(language));
        (!list.is_empty()).then(|| prompt::often_said(list).in_language(language))
    }

    /// What is known of somebody, behind their name; empty where that is nothing.
    fn describe_person(&self, id: UserId, language: Language) -> String {
        let Some(known) = self.people.iter().find(|known| known.id == id) else {
            return String::new();
        };
        // Where everybody is new nobody is.
        let is_old = |known: &Acquaintance| {
            known
                .known_for
                .is_none_or(|known_for| known_for >= 2 * JUST_MET)
        };
        let mut facts = match known.known_for {
            Some(known_for) if known_for >= JUST_MET => {
                vec![prompt::known_for(format_duration(known_for)).in_language(language)]
            }
            Some(_) if self.people.iter().any(is_old) => {
                vec![prompt::just_met().in_language(language)]
            }
            _ => Vec::new(),
        };
        if known.talks >= OFTEN {
            facts.push(prompt::talks_often().in_language(language));
        }
        if facts.is_empty() {
            String::new()
        } else {
            prompt::known_person(facts.join(&prompt::fact_separator().in_language(language)))
                .in_language(language)
        }
    }

    /// What is told of the first people of a list, each behind a name.
    pub(super) fn describe_acquaintances<'a>(
        &'a self,
        language: Language,
    ) -> impl FnMut(UserId) -> String + 'a {
        let mut left = TOLD;
        move |id| {
            let description = if left > 0 {
                self.describe_person(id, language)
            } else {
                String::new()
            };
            left -= usize::from(!description.is_empty());
            description
        }
    }
}

/// About so long, in the largest unit of which there are two.
pub(super) fn format_duration(time: Millis) -> LocalizedMessage {
    match time {
        time if time >= 60 * DAY => prompt::about_months(time / (30 * DAY)),
        time if time >= 14 * DAY => prompt::about_weeks(time / (7 * DAY)),
        time if time >= 2 * DAY => prompt::about_days(time / DAY),
        time if time >= 2 * HOUR => prompt::about_hours(time / HOUR),
        time => prompt::about_minutes(time / MINUTE),
    }
}
