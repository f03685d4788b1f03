//! Sessions: a channel's own settings, from a profile of the host's and from what the model asked for when it opened
//! them, and what they begin with. Plain data and the order of precedence; nothing here is kept, opened or sent.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::chat::{ChannelId, GuildId, MessageId, Millis, SessionId, TurnId};
use super::context::RecalledMessage;
use super::policy::ChannelPolicy;

/// The most lines of the talk it came from that a session begins with.
pub const MOST_LINES: u32 = 100;
/// The longest label, in characters: what Discord takes for a thread's name.
pub const LABEL_CHARACTERS: usize = 100;
/// The longest note on what a session is for, in characters.
pub const NOTE_CHARACTERS: usize = 4_000;
/// Before the number of lines in a setting.
const LAST: &str = "last:";

/// What a session begins with of the talk it came from. In a file `"none"`, `"inherit"`, `"last:20"`, `"people-only"` or
/// `"summary"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SessionStart {
    #[default]
    None,
    /// What was said there, as far as there is room.
    Inherit,
    /// So many of the newest lines.
    Last(u32),
    /// What people said, without the companion's own lines.
    PeopleOnly,
    /// What it came to, in a model's words.
    Summary,
}

impl fmt::Display for SessionStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Inherit => f.write_str("inherit"),
            Self::Last(lines) => write!(f, "{LAST}{lines}"),
            Self::PeopleOnly => f.write_str("people-only"),
            Self::Summary => f.write_str("summary"),
        }
    }
}

impl From<SessionStart> for String {
    fn from(start: SessionStart) -> Self {
        start.to_string()
    }
}

impl TryFrom<String> for SessionStart {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let lines = || {
            text.strip_prefix(LAST)?
                .parse()
                .ok()
                .filter(|lines| (1..=MOST_LINES).contains(lines))
        };
        match text.as_str() {
            "none" => Ok(Self::None),
            "inherit" => Ok(Self::Inherit),
            "people-only" => Ok(Self::PeopleOnly),
            "summary" => Ok(Self::Summary),
            _ => lines().map(Self::Last).ok_or_else(|| {
                format!(
                    "unknown variant `{text}`, expected one of `none`, `inherit`, `last:20`, `people-only`, `summary`"
                )
            }),
        }
    }
}

/// How a profile's system prompt and the model's come together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptMode {
    /// The profile's alone.
    Preset,
    /// The profile's, then the model's.
    #[default]
    Prepend,
    /// The model's, then the profile's.
    Append,
}

crate::setting_table! {
    /// What sessions may be opened as, by names of your own (docs/SESSIONS.md).
    #[derive(Eq)]
    pub struct SessionProfile {
        /// A template: the model fills what stands in `{{ }}`.
        #[setting(Printable, Example("\"You know {{ place }} well and help to plan a trip there.\""))]
        pub system_prompt: Option<String>,
        /// Whether the template comes before what the model writes, behind it (`"append"`) or in its place (`"preset"`).
        #[setting(Example("\"prepend\""))]
        pub mode: PromptMode,
        /// Another model; not set: that of where it is opened.
        #[setting(OneLine, Example("\"a-large-one\""))]
        pub model: Option<String>,
        /// The names of its tools and actions; not set: those of where it is opened.
        #[setting(ToolNames, Example("[\"send_message\", \"react\", \"stay_silent\", \"recall\"]"))]
        pub tools: Option<Vec<String>>,
        /// The names of the skills it may use; not set: all its channel has.
        #[setting(SkillNames, Example("[]"))]
        pub skills: Option<Vec<String>>,
        /// What it begins with: `"none"`, `"inherit"`, `"last:20"` (lines), `"people-only"` or `"summary"`; not set: what
        /// the model asks for.
        #[setting(Example("\"last:20\""))]
        pub context: Option<SessionStart>,
        /// What is told to the model that makes the summary; not set: the usual.
        #[setting(Printable)]
        pub summary_prompt: Option<String>,
        /// A program and its arguments: it is given the lines and answers with what the session begins with, whatever
        /// `context` says.
        #[setting(Program, Example("[\"python3\", \"./recap.py\"]"))]
        pub context_program: Vec<String>,
    }
}

crate::setting_values!(PromptMode, SessionStart);
/// What the model, or a person, asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionRequest {
    pub label: String,
    /// Whether a person asks, and not the model.
    pub is_by_person: bool,
    /// What it is for, in the words of who asks.
    pub system_prompt: Option<String>,
    /// What is said in it first.
    pub opening: Option<String>,
    /// Whether it begins with what was said.
    pub inherits: bool,
    pub profile: Option<String>,
    /// What stands in the profile's template.
    pub vars: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionRewording {
    pub label: Option<String>,
    /// What it is for from now on; empty for nothing.
    pub note: Option<String>,
}

/// A piece of a system prompt: whose words it holds says how far they are believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptPiece {
    /// The host's, with values of the model's.
    Host {
        template: String,
        /// What stands in it.
        vars: BTreeMap<String, String>,
    },
    /// The model's own: a note, and no rule.
    Model(String),
    /// A person's who looks after the place: a note as well.
    Person(String),
}

/// The settings of a session, as they were settled when it was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionConfig {
    pub profile: Option<String>,
    /// Its system prompt, in order.
    pub prompt: Vec<PromptPiece>,
    /// Another model.
    pub model: Option<String>,
    /// The names of its tools and actions; none for those of its channel.
    pub tools: Option<Vec<String>>,
    /// The names of its skills; none for all.
    pub skills: Option<Vec<String>>,
    pub start: SessionStart,
    /// The profile's own prompt for its summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_prompt: Option<String>,
    /// The program that makes its summary; empty where a model does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context_program: Vec<String>,
    /// When a person gave it another label or note; 0 where nobody did.
    #[serde(skip_serializing_if = "is_never")]
    pub worded: Millis,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands a field over by reference"
)]
fn is_never(at: &Millis) -> bool {
    *at == 0
}

/// A label on one line, as a thread may be called; none where it is empty or too long.
pub fn parse_label(text: &str) -> Option<String> {
    let label = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_fitting = !label.is_empty()
        && label.chars().count() <= LABEL_CHARACTERS
        && !label.contains(char::is_control);
    is_fitting.then_some(label)
}

impl SessionConfig {
    /// What it is for in the words of who opened it, without the host's.
    pub fn notes(&self) -> Vec<&str> {
        let pieces = self.prompt.iter();
        pieces
            .filter_map(|piece| match piece {
                PromptPiece::Host { .. } => None,
                PromptPiece::Model(text) | PromptPiece::Person(text) => Some(text.as_str()),
            })
            .collect()
    }

    /// A person says anew what it is for: the host's words stay, every note gives way. An empty one only goes.
    pub fn replace_note(&mut self, note: &str) {
        self.prompt
            .retain(|piece| matches!(piece, PromptPiece::Host { .. }));
        if !note.trim().is_empty() {
            self.prompt
                .push(PromptPiece::Person(note.trim().to_owned()));
        }
    }

    /// What a session is opened with: from its profile, else the model's request, else the session it is opened in.
    pub fn resolve(
        profile: Option<&SessionProfile>,
        request: &SessionRequest,
        parent: Option<&SessionConfig>,
    ) -> Self {
        let parent = parent.cloned().unwrap_or_default();
        let own = request
            .system_prompt
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty());
        let own = own.map(|text| match request.is_by_person {
            true => PromptPiece::Person(text.to_owned()),
            false => PromptPiece::Model(text.to_owned()),
        });
        let asked = if request.inherits {
            SessionStart::Inherit
        } else {
            SessionStart::None
        };
        let Some(profile) = profile else {
            let prompt = own.map_or(parent.prompt, |own| vec![own]);
            return Self {
                profile: None,
                prompt,
                start: asked,
                summary_prompt: None,
                context_program: Vec::new(),
                ..parent
            };
        };
        let operator = profile
            .system_prompt
            .clone()
            .map(|template| PromptPiece::Host {
                template,
                vars: request.vars.clone(),
            });
        let prompt = match (operator, own, profile.mode) {
            (None, None, _) => parent.prompt,
            (Some(operator), _, PromptMode::Preset) => vec![operator],
            (Some(operator), own, PromptMode::Prepend) => {
                std::iter::once(operator).chain(own).collect()
            }
            (operator, own, PromptMode::Append) => own.into_iter().chain(operator).collect(),
            (None, own, _) => own.into_iter().collect(),
        };
        Self {
            profile: request.profile.clone(),
            prompt,
            model: profile.model.clone().or(parent.model),
            tools: profile.tools.clone().or(parent.tools),
            skills: profile.skills.clone(),
            start: match profile.context_program.is_empty() {
                true => profile.context.unwrap_or(asked),
                // Kept and made anew as a summary is.
                false => SessionStart::Summary,
            },
            summary_prompt: profile.summary_prompt.clone(),
            context_program: profile.context_program.clone(),
            worded: 0,
        }
    }

    /// Puts it over its channel's policy. Tools are the driver's to choose. Without skills in a channel no session has any.
    pub fn apply_to_policy(&self, policy: &mut ChannelPolicy) {
        policy.model = self.model.clone().or_else(|| policy.model.take());
        if self.skills.is_some() && policy.skills.as_deref() != Some(&[]) {
            policy.skills.clone_from(&self.skills);
        }
    }
}

/// Where what a session begins with was said: it is read there each time it is shown, so that what is deleted is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionSource {
    pub channel: ChannelId,
    /// The newest message that is left out.
    pub after: Option<MessageId>,
    /// The newest message that counts.
    pub upto: MessageId,
}

impl SessionSource {
    pub fn contains(&self, channel: ChannelId, message: MessageId) -> bool {
        channel == self.channel
            && message <= self.upto
            && self.after.is_none_or(|after| message > after)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id; 0 before it is kept.
    pub id: SessionId,
    pub guild: GuildId,
    /// Its channel; none while that is being opened.
    pub channel: Option<ChannelId>,
    /// The channel it was asked for in.
    pub from: ChannelId,
    /// The channel its own hangs below.
    pub parent_channel: ChannelId,
    pub parent: Option<SessionId>,
    pub turn: TurnId,
    /// Messages up to this arrival number led to it, so that after a crash none of them asks for it again.
    pub cursor: u64,
    pub made: Millis,
    /// What it is called; empty where its words were erased.
    pub label: String,
    /// What is to be said in it first, until that is on its way.
    pub opening: Option<String>,
    pub config: SessionConfig,
    /// Where what it begins with was said, oldest first.
    pub sources: Vec<SessionSource>,
    /// What that came to, where it begins with a summary and one was made.
    pub summary: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionBackground {
    /// Its system prompt, templates filled.
    pub prompt: Vec<ShownPromptPiece>,
    /// The lines it begins with, oldest first.
    pub lines: Vec<RecalledMessage>,
    /// Or what they came to.
    pub summary: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownPromptPiece {
    /// The host's words, with what the model put into them already escaped.
    Host(String),
    Model(String),
    /// What a person who looks after the place wants kept in mind.
    Person(String),
}
