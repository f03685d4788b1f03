//! What is looked for in the full-text index, before an engine words it.

use kith_core::chat::ChannelId;

pub(super) struct TextQuery {
    pub terms: Vec<QueryTerm>,
    /// Whether any of them will do; else all have to be there.
    pub is_any: bool,
    /// Only there, where that makes it faster; whoever asks looks at each message's channel all the same.
    pub channels: Vec<ChannelId>,
}

pub(super) struct QueryTerm {
    pub text: String,
    /// Whether the last of them may go on.
    pub is_start: bool,
}

impl TextQuery {
    /// As SQLite's index reads it. What a person types is always quoted and never syntax.
    pub fn to_fts5(&self) -> String {
        let term = |term: &QueryTerm| {
            let text = term.text.replace(is_query_syntax, " ");
            format!("\"{text}\"{}", if term.is_start { "*" } else { "" })
        };
        let terms: Vec<String> = self.terms.iter().map(term).collect();
        let terms = terms.join(if self.is_any { " OR " } else { " AND " });
        if self.channels.is_empty() {
            return format!("text : ({terms})");
        }
        let scopes = self.channels.iter().map(|channel| format_scope(*channel));
        let scopes: Vec<String> = scopes.collect();
        format!("text : ({terms}) AND scope : ({})", scopes.join(" OR "))
    }
}

pub(super) fn format_scope(channel: ChannelId) -> String {
    channel.0.to_string()
}

fn is_query_syntax(c: char) -> bool {
    c == '"' || c.is_control()
}
