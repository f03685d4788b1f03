//! The names of everything that had to be mended to read an answer. Stable: reports and tests hold on to them.

use std::fmt;

use serde::{Serialize, Serializer};

/// One kind of fault that was mended, or text that had to be given up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Repair {
    /// Bytes that are not UTF-8 became U+FFFD.
    BadUtf8,
    /// XML where JSON was asked for, or the other way round.
    OtherProtocol,
    /// A call outside `<turn>`, or outside the list of actions.
    MissingRoot,
    /// More than one `<turn>` or JSON document.
    SeveralRoots,
    /// Calls in a second place of one document. They were left out.
    SecondList,
    /// Text before, between or after the structure.
    Prose,
    /// A Markdown code fence around the structure.
    Fence,
    /// Text of a think block whose start tag was never written.
    StrayThinkEnd,
    /// A think block whose end tag was never written.
    MissingThinkEnd,
    /// Thoughts inside a parameter. They were taken out.
    LeakedThought,
    /// A model's special token inside a parameter. It was taken out.
    LeakedToken,
    /// Text of an element whose text parameter is there already. It was left out.
    DroppedText,
    /// An optional parameter whose value says that there is none, or that is no value of its type. It was left out.
    DroppedValue,
    /// The same call once more. It was left out.
    Repeated,
    /// A call that holds the name of a parameter in its place, as a prompt shows it. It was left out.
    Placeholder,
    /// What was written behind the end of the answer. It was left out.
    BehindEnd,
    /// XML that is not well formed: end tags, quotes, a bare `<` or `&`, signs of full width. Comments are left out.
    XmlSyntax,
    /// An element or object around the calls that the protocol does not have.
    Wrapper,
    /// A call written as `<action name="…">`, `<invoke …>`, `<function=…>` or the like.
    GenericCall,
    /// A provider's own tool-call syntax.
    ProviderSyntax,
    JsonInXml,
    XmlInJson,
    /// The answer or a part of it was encoded twice: JSON in a JSON string, XML with its brackets as entities.
    DoubleEncoding,
    /// JSON that is none as it stands: quotes, commas, brackets, bare keys, comments, literals of another language.
    JsonSyntax,
    /// A backslash or a reference in a parameter that was meant for a machine. It was resolved.
    LeakedEscape,
    /// Parameters beside the name instead of below `params`, or below a differently named key.
    ParamsPlace,
    /// A parameter name in another spelling.
    ParamName,
    /// A key of the protocol in another spelling.
    KeyName,
    /// A tool name in another spelling: what was written, and what was meant.
    ToolName(String, String),
    /// A tool that is not known here. Its call is kept.
    UnknownTool(String),
    /// The answer ended inside a call. That call is dropped: half a message is nothing the companion said.
    TruncatedCall,
    /// The answer ended before its structure was closed.
    TruncatedTail,
    /// Something that looked like a call and could not be read as one.
    UnreadableCall,
}

impl Repair {
    /// The stable snake_case name, without what it is about: the variant's own.
    pub fn name(&self) -> String {
        let debug = format!("{self:?}");
        let mut name = String::with_capacity(debug.len() + 4);
        for c in debug.chars().take_while(|c| c.is_alphanumeric()) {
            if c.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.extend(c.to_lowercase());
        }
        name
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ToolName(wrote, meant) => write!(f, "tool_name: {wrote} -> {meant}"),
            Self::UnknownTool(name) => write!(f, "unknown_tool: {name}"),
            _ => f.write_str(&self.name()),
        }
    }
}

impl Serialize for Repair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// How many different repairs one answer names; a longer list tells nobody more.
const MOST_REPAIRS: usize = 48;

/// The repairs of one answer, each named once, in the order they were needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Repairs(Vec<Repair>);

impl Repairs {
    pub(super) fn add(&mut self, repair: Repair) {
        if self.0.len() < MOST_REPAIRS && !self.0.contains(&repair) {
            self.0.push(repair);
        }
    }

    pub(super) fn extend(&mut self, others: Repairs) {
        others.0.into_iter().for_each(|repair| self.add(repair));
    }

    pub(super) fn into_vec(self) -> Vec<Repair> {
        self.0
    }
}
