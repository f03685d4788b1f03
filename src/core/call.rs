//! What a model can ask for: calls, and the tools they name. All output protocols end in the same [`ToolCall`]s.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::redactor::Redactor;
use super::schema::Schema;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The tool's name, as the registry spells it where it is known.
    pub name: String,
    /// Its parameters, by name. XML gives text; [`Schema::check`] turns it into the declared types.
    pub params: Map<String, Value>,
}

impl ToolCall {
    pub fn new_message(text: &str) -> Self {
        Self {
            name: "send_message".into(),
            params: Map::from_iter([("text".to_owned(), text.into())]),
        }
    }

    /// `name=value` for each parameter.
    pub fn list_params(&self) -> String {
        let show = |(name, value): (&String, &Value)| match value {
            Value::String(text) => format!("{name}={text} "),
            value => format!("{name}={value} "),
        };
        self.params.iter().map(show).collect()
    }
}

/// What running a call means for the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// Asks for information; its result comes back in the next round.
    #[default]
    Tool,
    /// Changes something nobody sees; no round of its own, and not speech.
    Quiet,
    /// People see it; ends the turn.
    Visible,
}

/// Hints about a tool, as the Model Context Protocol names them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolAnnotations {
    /// What people are shown instead of the name; empty for the name.
    pub title: String,
    /// It changes nothing: calls of such tools that stand together may run at the same time.
    pub read_only: bool,
    /// Doing it twice is doing it once: it may be tried again.
    pub idempotent: bool,
}

impl ToolAnnotations {
    /// Whether a call may be made again where nobody knows what became of it.
    pub fn may_be_repeated(&self) -> bool {
        self.read_only || self.idempotent
    }
}

/// When the model is told of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolExposure {
    #[default]
    Always,
    /// Once `find_tools` has found it, to the end of the turn.
    Found,
    /// Once the skill of this name is active, to the end of the turn; once any is, where there is no name.
    Skill(String),
}

/// What the core, the protocols and the prompt need to know of a tool. The code behind it lives in `tools/`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolSpec {
    /// snake_case, unique.
    pub name: String,
    pub kind: ToolKind,
    pub annotations: ToolAnnotations,
    pub offer: ToolExposure,
    /// One line for the model, in the language of the prompt.
    pub description: String,
    pub schema: Schema,
    /// The parameter that the text of an XML element fills.
    pub primary: Option<String>,
    /// What the server it comes from says of all of its tools, as one safe line; empty for nothing.
    pub server_note: String,
}

/// In the details of a result: the call was denied.
const DENIED: &str = "denied";

/// What a call would do, for a person to approve or drop before anything is done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CallPreview {
    /// What people are shown, in the tool's own words; empty where the parameters say enough.
    pub preview: String,
    /// What the tool is called with once somebody approved it; none for what it was called with now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<Map<String, Value>>,
}

/// Text that prompts show as it is: signatures of tools, the host's files. Nothing that people or servers say becomes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TrustedText(Arc<String>);

impl TrustedText {
    /// Vouches for a text. Lints allow it only where the reason is given.
    pub fn vouch(text: impl Into<String>) -> Self {
        Self(Arc::new(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn redact(&self, redactor: &Redactor) -> Self {
        Self(Arc::new(redactor.redact(&self.0).into_owned()))
    }

    /// Keeps this many characters at most; answers how many it has then.
    pub fn truncate(&mut self, characters: usize) -> usize {
        if let Some((end, _)) = self.0.char_indices().nth(characters) {
            Arc::make_mut(&mut self.0).truncate(end);
        }
        self.0.chars().count()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// What the model reads first in the next round, as it is.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub guide: TrustedText,
    /// What it reads behind that, quoted.
    pub content: String,
    /// More for people (inspector, log), never for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Whether it failed in a way the model can mend.
    pub is_error: bool,
    /// Whether nothing has happened yet: it waits until a person has approved it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_pending: bool,
    /// Whether the turn is to end here, with nothing more said.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends_turn: bool,
    /// Pictures that came with it, as files, for a model that can see. They last as long as the turn.
    #[serde(skip)]
    pub pictures: Option<Arc<Vec<Arc<[u8]>>>>,
    /// The names of tools that are on offer from here to the end of the turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<String>,
}

fn is_empty(text: &TrustedText) -> bool {
    text.0.is_empty()
}

/// The key of a result's details under which stands what people are shown of the call.
pub const RENDERED: &str = "rendered";

impl ToolResult {
    /// What people are shown of the call in the place of parameters and content, where its tool says so.
    pub fn display_text(&self) -> Option<&str> {
        self.details
            .as_ref()?
            .get(RENDERED)?
            .as_str()
            .filter(|text| !text.trim().is_empty())
    }

    pub fn text(&self) -> Cow<'_, str> {
        match (self.guide.as_str(), self.content.as_str()) {
            ("", content) => content.into(),
            (guide, "") => guide.into(),
            (guide, content) => format!("{guide}\n{content}").into(),
        }
    }

    pub fn ok(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            ..Self::default()
        }
    }

    pub fn error(content: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::ok(content)
        }
    }

    /// It was not run: not allowed, or ran too often. People are told that much even where no text is shown.
    pub fn denied(content: impl Into<String>) -> Self {
        Self {
            details: Some(json!({ DENIED: true })),
            ..Self::error(content)
        }
    }

    pub fn is_denied(&self) -> bool {
        self.is_error
            && self
                .details
                .as_ref()
                .is_some_and(|details| details[DENIED] == true)
    }

    /// Nothing has happened yet: it waits until a person has approved it.
    pub fn pending(content: impl Into<String>) -> Self {
        Self {
            is_pending: true,
            ..Self::ok(content)
        }
    }

    /// The same, with what a person is to approve or drop.
    pub fn asks(preview: CallPreview) -> Self {
        let details = serde_json::to_value(preview).ok();
        Self {
            details,
            ..Self::pending("not done: a person has to approve it first")
        }
    }

    /// What a person is to approve or drop, of a result that waits for that; or what is wrong with its details.
    pub fn preview(&self) -> Option<Result<CallPreview, String>> {
        let details = self
            .details
            .clone()
            .unwrap_or_else(|| Value::Object(Map::new()));
        self.is_pending
            .then(|| serde_json::from_value(details).map_err(|error| error.to_string()))
    }
}
