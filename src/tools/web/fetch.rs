//! `web_fetch`: what a page says, in readable text, a part at a time. Which addresses it may ask, and how often
//! it is sent on, is for `client.rs` to say.

use kith_language::{LocalizedMessage, tool_descriptions, web};
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Method, Url};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::client::{TextKind, WebRequest, WebResponse};
use super::page::{self, WebPage};
use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_core::persona::Language;

const MOST_BYTES: usize = 2 << 20;
/// How long it may take; the tool's own limit is a little more, so that the reason is told.
const LONGEST: Duration = Duration::from_secs(15);
/// How much of its text one call answers with, in characters.
const PART: usize = 3_500;
/// How much of a title and of a description is told, in characters.
const TITLE: usize = 200;
/// How much of an error's page is told, in characters.
const OF_ERROR: usize = 200;

#[derive(Deserialize, JsonSchema)]
struct WebFetch {
    url: String,
    from: Option<u32>,
}

pub(crate) fn tool() -> Tool {
    Tool::new(
        "web_fetch",
        ToolKind::Tool,
        tool_descriptions::web_fetch(),
        run,
    )
    .primary("url")
    .optional()
    .read_only()
    .time_out(LONGEST + Duration::from_secs(1))
    .result_characters(PART + 2 * TITLE + 300)
}

async fn run(params: WebFetch, context: ToolContext) -> ToolResult {
    let url = match parse_address(&params.url) {
        Ok(url) => url,
        Err(problem) => return context.build_error(problem),
    };
    let request = WebRequest {
        method: Method::GET,
        url: url.clone(),
        headers: HeaderMap::new(),
        body: String::new(),
        private_hosts: context.web.private_hosts(),
        most_bytes: MOST_BYTES,
        time_out: LONGEST,
    };
    let answer = match context.web.fetch(request).await {
        Ok(answer) => answer,
        Err(trouble) => return context.build_error(trouble),
    };
    let language = context.language();
    let details = json!({ "url": answer.url.as_str(), "status": answer.status.as_u16(), "bytes": answer.text.len() });
    if !answer.status.is_success() {
        let said = shorten_line(&extract_readable_text(&answer).await, OF_ERROR);
        let (code, status) = (answer.status.as_str().to_owned(), answer.status.to_string());
        let error = context.build_error(web::answered_with_status(code, said, status));
        return ToolResult {
            details: Some(details),
            ..error
        };
    }
    let (page, mut lines) = (parse_page(&answer).await, Vec::new());
    if !page.title.is_empty() {
        lines.push(shorten_line(&page.title, TITLE));
    }
    if answer.url != url {
        lines.push(answer.url.to_string());
    }
    let from = params.from.unwrap_or(0) as usize;
    if from == 0 && !page.description.is_empty() && !page.text.contains(&page.description) {
        lines.push(shorten_line(&page.description, TITLE));
    }
    lines.push(render_part(&page.text, from, answer.is_whole, language));
    ToolResult {
        details: Some(details),
        ..ToolResult::ok(lines.join("\n"))
    }
}

/// The address a model means; `example.org/a` is one, too.
fn parse_address(text: &str) -> Result<Url, LocalizedMessage> {
    let text = text.trim().trim_start_matches('<').trim_end_matches('>');
    let whole = if text.contains("://") {
        text.to_owned()
    } else {
        format!("https://{text}")
    };
    Url::parse(&whole).map_err(|error| web::no_web_address(error.to_string()))
}

/// The part of a text from a character on, and what is left out.
fn render_part(text: &str, from: usize, is_whole: bool, language: Language) -> String {
    let total = text.chars().count();
    if total == 0 {
        return web::no_text_without_scripts().in_language(language);
    }
    let mut part: String = text.chars().skip(from).take(PART).collect();
    let to = (from + PART).min(total);
    if from >= total {
        part = web::nothing_from_there(total).in_language(language);
    } else if from > 0 || to < total || !is_whole {
        let range = match (is_whole, to < total) {
            (true, false) => web::characters(from, to, total),
            (true, true) => web::characters_go_on(from, to, total),
            (false, false) => web::characters_of_longer_page(from, to, total),
            (false, true) => web::characters_of_longer_page_go_on(from, to, total),
        };
        part.push('\n');
        part.push_str(&range.in_language(language));
    }
    part
}

pub(crate) async fn extract_readable_text(answer: &WebResponse) -> String {
    let page = parse_page(answer).await;
    if page.text.is_empty() {
        page.title
    } else {
        page.text
    }
}

async fn parse_page(answer: &WebResponse) -> WebPage {
    if answer.kind != TextKind::Html {
        return WebPage {
            text: strip_invisible(&answer.text),
            ..WebPage::default()
        };
    }
    // A page made for it can take a second.
    let html = answer.text.clone();
    tokio::task::spawn_blocking(move || page::parse_page(&html))
        .await
        .unwrap_or_default()
}

fn strip_invisible(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect::<String>()
        .trim()
        .to_owned()
}

/// The beginning of a text, on one line.
pub(crate) fn shorten_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
