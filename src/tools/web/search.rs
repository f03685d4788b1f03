//! `web_search`: asks the search the host has configured, SearXNG or Brave, and answers with titles, addresses and
//! snippets.

use kith_language::{LocalizedMessage, tool_descriptions, web};
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Method, StatusCode, Url};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::client::{TextKind, WebRequest};
use super::fetch::shorten_line;
use super::{SearchKind, SearchSettings, page};
use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};

/// The tool's name: it is offered only where a search is configured.
pub const WEB_SEARCH: &str = "web_search";

const MOST_BYTES: usize = 2 << 20;
/// How long it may take; the tool's own limit is a little more, so that the reason is told.
const LONGEST: Duration = Duration::from_secs(10);
const RESULTS: usize = 6;
/// How much of a title, of an address and of a snippet is told, in characters.
const SHOWN: [usize; 3] = [100, 300, 240];

/// How much of a title or a snippet is looked at, in characters.
const LONGEST_HTML: usize = 2_000;

#[derive(Deserialize, JsonSchema)]
struct WebSearch {
    query: String,
}

pub(crate) fn tool() -> Tool {
    Tool::new(
        WEB_SEARCH,
        ToolKind::Tool,
        tool_descriptions::web_search(),
        run,
    )
    .primary("query")
    .optional()
    .read_only()
    .time_out(LONGEST + Duration::from_secs(1))
}

async fn run(params: WebSearch, context: ToolContext) -> ToolResult {
    let Some(search) = context.web.search_settings() else {
        return context.build_error(web::no_search());
    };
    let query = params.query.trim();
    if query.is_empty() {
        return context.build_error(web::query_empty());
    }
    let request = match build_request(search, query, &context) {
        Ok(asked) => asked,
        Err(problem) => return context.build_error(problem),
    };
    let answer = match context.web.fetch(request).await {
        Ok(answer) => answer,
        Err(trouble) => {
            return context.build_error(web::search_failed(LocalizedMessage::from(trouble)));
        }
    };
    // SearXNG forbids the formats that its settings do not list.
    if search.kind == SearchKind::Searxng && answer.status == StatusCode::FORBIDDEN {
        return context.build_error(web::no_json_search());
    }
    if !answer.status.is_success() {
        let (code, status) = (answer.status.as_str().to_owned(), answer.status.to_string());
        return context.build_error(web::search_answered_with_status(code, status));
    }
    let Some(found) = (answer.kind == TextKind::Json)
        .then(|| serde_json::from_str(&answer.text).ok())
        .flatten()
    else {
        return context.build_error(web::no_json_search());
    };
    let results = format_results(search.kind, &found);
    let text = match results.is_empty() {
        true => web::nothing_found().in_language(context.language()),
        false => results.join("\n"),
    };
    ToolResult {
        details: Some(json!({ "results": results.len() })),
        ..ToolResult::ok(text)
    }
}

fn build_request(
    search: &SearchSettings,
    query: &str,
    context: &ToolContext,
) -> Result<WebRequest, LocalizedMessage> {
    let wrong = || web::search_misconfigured();
    let (path, name) = match search.kind {
        SearchKind::Searxng => ("/search", "authorization"),
        SearchKind::Brave => ("/res/v1/web/search", "x-subscription-token"),
    };
    let mut url = Url::parse(&format!("{}{path}", search.base_url())).map_err(|_| wrong())?;
    let pairs: &[(&str, &str)] = match search.kind {
        SearchKind::Searxng => &[("q", query), ("format", "json")],
        SearchKind::Brave => &[("q", query), ("count", "10")],
    };
    url.query_pairs_mut().extend_pairs(pairs);
    let mut headers = HeaderMap::new();
    if !search.key.is_empty() {
        let key = context.secrets.get(&search.key).ok_or_else(wrong)?;
        let mut value = HeaderValue::from_str(key.expose()).map_err(|_| wrong())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(WebRequest {
        method: Method::GET,
        url,
        headers,
        body: String::new(),
        private_hosts: context.web.private_hosts(),
        most_bytes: MOST_BYTES,
        time_out: LONGEST,
    })
}

/// One result a piece: number and title, address, snippet.
fn format_results(kind: SearchKind, found: &Value) -> Vec<String> {
    let (list, snippet) = match kind {
        SearchKind::Searxng => (found.get("results"), "content"),
        SearchKind::Brave => (found.pointer("/web/results"), "description"),
    };
    let results = list.and_then(Value::as_array).into_iter().flatten();
    let shown = results.filter_map(|result| {
        let text = |name: &str| result.get(name).and_then(Value::as_str).unwrap_or_default();
        let url = text("url").trim();
        let [title, snippet] = [text("title"), text(snippet)]
            .map(|html| page::html_to_line(&shorten_line(html, LONGEST_HTML)));
        let [most_of_title, most_of_url, most_of_snippet] = SHOWN;
        let is_shown = !url.is_empty()
            && url.chars().count() <= most_of_url
            && !url.contains(char::is_whitespace);
        let lines = [
            shorten_line(&title, most_of_title),
            url.to_owned(),
            shorten_line(&snippet, most_of_snippet),
        ];
        is_shown.then(|| {
            lines
                .into_iter()
                .filter(|line| !line.is_empty())
                .collect::<Vec<_>>()
                .join("\n")
        })
    });
    shown
        .take(RESULTS)
        .enumerate()
        .map(|(index, lines)| format!("{}. {lines}", index + 1))
        .collect()
}
