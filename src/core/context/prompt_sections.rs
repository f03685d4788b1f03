//! The sections of a prompt, and what they take of it.

use serde::{Deserialize, Serialize};

use super::working_memory::QUOTE;
use super::{HistoryPiece, OthersLine};
use crate::protocol::AnswerShape;
use crate::report::PromptPart;

/// A part of the prompt: escaped text and its estimated size. Empty where there is nothing to show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PromptSection {
    /// The text, without a line end at its end.
    pub text: String,
    pub tokens: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionCut {
    pub section: &'static str,
    /// How many of its items are left out or shortened.
    pub items: u32,
}

/// The parts of a prompt, most stable first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PromptSections {
    /// The companion's name as its lines show it.
    pub name: String,
    /// Whom a small model is told to answer; empty where nobody spoke to it.
    pub asker: String,
    /// What the channel's session is for.
    pub session: PromptSection,
    pub core_memory: PromptSection,
    pub channel: PromptSection,
    /// What was said before that, in short.
    pub summary: PromptSection,
    /// What the session begins with.
    pub taken: PromptSection,
    pub history: PromptSection,
    /// Whose words the history's are, in its order, where the companion's are messages of their own.
    pub pieces: Vec<HistoryPiece>,
    /// The lines of others in the history, for models that refuse what one of them says.
    #[serde(skip)]
    pub others: Vec<OthersLine>,
    /// What the history says of pictures and files, and what is kept in its place.
    #[serde(skip)]
    pub descriptions: Vec<(String, String)>,
    /// Who was heard lately.
    pub members: PromptSection,
    pub lore: PromptSection,
    pub recalled: PromptSection,
    /// The short ids of the conversation that is being joined.
    pub conversation: PromptSection,
    pub plan: PromptSection,
    /// This turn so far.
    pub working: PromptSection,
    /// Unsent lines and notes.
    pub notes: PromptSection,
    /// Time and reason for waking.
    pub now: PromptSection,
    pub cut: Vec<SectionCut>,
    pub shape: AnswerShape,
}

impl PromptSections {
    /// A prompt of these sections as it is kept: what was said of its pictures and files is in memory only.
    pub fn strip_descriptions(&self, prompt: String) -> String {
        let strip = |kept: String, (shown, bare): &(String, String)| kept.replace(shown, bare);
        self.descriptions.iter().fold(prompt, strip)
    }

    /// The sizes of a prompt of `whole` tokens for people, in its order; parts with nothing to show are left out.
    pub fn measure_parts(&self, whole: u32) -> Vec<PromptPart> {
        let list = self.sections();
        let fixed = whole.saturating_sub(list.iter().map(|(_, section)| section.tokens).sum());
        let sizes = list.iter().map(|(name, section)| (*name, section.tokens));
        std::iter::once(("fixed", fixed))
            .chain(sizes)
            .map(|(name, tokens)| {
                let left_out = self
                    .cut
                    .iter()
                    .find(|cut| cut.section == name)
                    .map_or(0, |cut| cut.items);
                PromptPart {
                    name: name.to_owned(),
                    tokens,
                    left_out,
                }
            })
            .filter(|part| part.tokens > 0 || part.left_out > 0)
            .collect()
    }

    /// The lines that may repeat what others wrote, without marks of quotation. The host's words of a session have none.
    pub fn list_others_lines(&self) -> impl Iterator<Item = &str> {
        let of_host = ["session", "plan", "working"];
        let sections = self.sections().into_iter();
        let others = sections.filter(move |(name, _)| !of_host.contains(name));
        let lines = others.flat_map(|(_, section)| section.text.lines());
        let session = self.session.text.lines();
        session
            .filter(|line| line.starts_with(QUOTE))
            .chain(lines)
            .map(|line| line.strip_prefix(QUOTE).unwrap_or(line))
    }

    /// The sections by name, in the order of the prompt.
    pub fn sections(&self) -> [(&'static str, &PromptSection); 14] {
        [
            ("session", &self.session),
            ("core_memory", &self.core_memory),
            ("channel", &self.channel),
            ("summary", &self.summary),
            ("taken", &self.taken),
            ("history", &self.history),
            ("members", &self.members),
            ("lore", &self.lore),
            ("recalled", &self.recalled),
            ("conversation", &self.conversation),
            ("plan", &self.plan),
            ("working", &self.working),
            ("notes", &self.notes),
            ("now", &self.now),
        ]
    }
}
