//! How it stands between the companion and a channel, in a few words: when it last spoke there, how that went lately, and
//! how well it knows who writes. From counts, without a model. It changes with every prompt, so it stands at the end.

use super::words::{ContextWords, fill_pattern};
use crate::chat::{DAY, HOUR, MINUTE, Millis, UserId};
use crate::willingness::Acquaintance;

/// A silence shorter than this can be seen in the history.
const SILENT: Millis = 10 * MINUTE;
/// Who is known for less than this was only just met.
const JUST_MET: Millis = DAY;
/// From how many of its lines to somebody on, older ones counting less, they talk often.
const OFTEN: f32 = 10.0;
/// So many people are told of, to keep it to one short line.
const TOLD: usize = 2;

/// How the last hours or days went, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecentReception {
    /// It was asked for quiet.
    Quieted,
    /// They would rather it kept quiet.
    Unwelcome,
    /// Nobody took up what it said last.
    Ignored,
    /// A good talk is going on.
    GoodTalk,
    /// They like it here.
    Welcome,
}

/// How it stands between the companion and a channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChannelRapport {
    /// How long ago it last spoke there.
    pub silent_for: Option<Millis>,
    /// How that went, where there is anything to tell.
    pub recent_feedback: Option<RecentReception>,
    /// The people it knows there.
    pub people: Vec<Acquaintance>,
}

impl ChannelRapport {
    /// When it last spoke and how that went; empty where there is nothing to tell.
    pub(super) fn describe_rapport(&self, words: &ContextWords) -> String {
        let silent = self.silent_for.filter(|silent| *silent >= SILENT);
        let silent =
            silent.map(|silent| fill_pattern(words.last_spoke, &[&format_duration(silent, words)]));
        let feedback = self.recent_feedback.map(|lately| {
            let [quieted, unwelcome, ignored, good_talk, welcome] = words.recent_feedback;
            let text = match lately {
                RecentReception::Quieted => quieted,
                RecentReception::Unwelcome => unwelcome,
                RecentReception::Ignored => ignored,
                RecentReception::GoodTalk => good_talk,
                RecentReception::Welcome => welcome,
            };
            text.to_owned()
        });
        silent
            .into_iter()
            .chain(feedback)
            .collect::<Vec<_>>()
            .join(words.between_sentences)
    }

    /// What is known of somebody, behind their name; empty where that is nothing.
    fn describe_person(&self, id: UserId, words: &ContextWords) -> String {
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
                vec![fill_pattern(
                    words.known_for,
                    &[&format_duration(known_for, words)],
                )]
            }
            Some(_) if self.people.iter().any(is_old) => vec![words.just_met.to_owned()],
            _ => Vec::new(),
        };
        if known.talks >= OFTEN {
            facts.push(words.talks_often.to_owned());
        }
        if facts.is_empty() {
            String::new()
        } else {
            fill_pattern(words.known, &[&facts.join(words.list_comma)])
        }
    }

    /// What is told of the first people of a list, each behind a name.
    pub(super) fn describe_acquaintances<'a>(
        &'a self,
        words: &'a ContextWords,
    ) -> impl FnMut(UserId) -> String + 'a {
        let mut left = TOLD;
        move |id| {
            let description = if left > 0 {
                self.describe_person(id, words)
            } else {
                String::new()
            };
            left -= usize::from(!description.is_empty());
            description
        }
    }
}

/// About so long, in the largest unit of which there are two.
fn format_duration(time: Millis, words: &ContextWords) -> String {
    let units = [MINUTE, HOUR, DAY, 7 * DAY, 30 * DAY];
    let place = units.iter().rposition(|unit| time >= 2 * unit).unwrap_or(0);
    let unit = units.get(place).copied().unwrap_or(MINUTE);
    fill_pattern(
        words.spans.get(place).copied().unwrap_or_default(),
        &[&(time / unit).to_string()],
    )
}
