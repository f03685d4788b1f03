//! The page's files, embedded in the binary. They ask nothing of any other host.

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};

use kith_core::persona::Language;
use kith_language::closed_room;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

const ROOM: &str = include_str!("page/index.html");
const CONSOLE: &str = include_str!("page/console.html");

/// What the address that Kith prints opens.
#[derive(Clone, Copy, Debug)]
pub(super) enum FrontPage {
    Room,
    Console,
}

/// Each file: its path, its kind, its text.
const FILES: &[(&str, &str, &str)] = &[
    ("/console", HTML, CONSOLE),
    ("/console.css", CSS, include_str!("page/console.css")),
    ("/console.js", JS, include_str!("page/console.js")),
    (
        "/console_approvals.js",
        JS,
        include_str!("page/console_approvals.js"),
    ),
    (
        "/console_channel.js",
        JS,
        include_str!("page/console_channel.js"),
    ),
    (
        "/console_faults.js",
        JS,
        include_str!("page/console_faults.js"),
    ),
    (
        "/console_memory.js",
        JS,
        include_str!("page/console_memory.js"),
    ),
    (
        "/console_overview.js",
        JS,
        include_str!("page/console_overview.js"),
    ),
    (
        "/console_parts.js",
        JS,
        include_str!("page/console_parts.js"),
    ),
    (
        "/console_personas.js",
        JS,
        include_str!("page/console_personas.js"),
    ),
    ("/console_plot.js", JS, include_str!("page/console_plot.js")),
    (
        "/console_settings.js",
        JS,
        include_str!("page/console_settings.js"),
    ),
    (
        "/console_spend.js",
        JS,
        include_str!("page/console_spend.js"),
    ),
    ("/console_turn.js", JS, include_str!("page/console_turn.js")),
    (
        "/console_turns.js",
        JS,
        include_str!("page/console_turns.js"),
    ),
    ("/prompt_diff.js", JS, include_str!("page/prompt_diff.js")),
    ("/uplot.css", CSS, include_str!("vendor/uplot.css")),
    ("/uplot.mjs", JS, include_str!("vendor/uplot.mjs")),
    ("/icon.svg", SVG, include_str!("page/icon.svg")),
    ("/app.css", CSS, include_str!("page/app.css")),
    ("/chat.css", CSS, include_str!("page/chat.css")),
    ("/companion.css", CSS, include_str!("page/companion.css")),
    ("/memory.css", CSS, include_str!("page/memory.css")),
    ("/narrow.css", CSS, include_str!("page/narrow.css")),
    ("/api.js", JS, include_str!("page/api.js")),
    ("/approvals.js", JS, include_str!("page/approvals.js")),
    ("/call.js", JS, include_str!("page/call.js")),
    ("/card_drop.js", JS, include_str!("page/card_drop.js")),
    ("/channels.js", JS, include_str!("page/channels.js")),
    ("/chat.js", JS, include_str!("page/chat.js")),
    ("/companion.js", JS, include_str!("page/companion.js")),
    ("/composer.js", JS, include_str!("page/composer.js")),
    ("/copy.js", JS, include_str!("page/copy.js")),
    ("/core_memory.js", JS, include_str!("page/core_memory.js")),
    ("/dom.js", JS, include_str!("page/dom.js")),
    ("/failures.js", JS, include_str!("page/failures.js")),
    ("/i18n.js", JS, include_str!("page/i18n.js")),
    ("/intentions.js", JS, include_str!("page/intentions.js")),
    ("/live_events.js", JS, include_str!("page/live_events.js")),
    ("/main.js", JS, include_str!("page/main.js")),
    (
        "/markdown-it.mjs",
        JS,
        include_str!("vendor/markdown-it.mjs"),
    ),
    ("/markdown.js", JS, include_str!("page/markdown.js")),
    ("/memory.js", JS, include_str!("page/memory.js")),
    ("/memory_lists.js", JS, include_str!("page/memory_lists.js")),
    ("/memory_entry.js", JS, include_str!("page/memory_entry.js")),
    (
        "/memory_search.js",
        JS,
        include_str!("page/memory_search.js"),
    ),
    ("/mentions.js", JS, include_str!("page/mentions.js")),
    ("/message.js", JS, include_str!("page/message.js")),
    ("/model.js", JS, include_str!("page/model.js")),
    ("/outbox.js", JS, include_str!("page/outbox.js")),
    ("/page_state.js", JS, include_str!("page/page_state.js")),
    ("/tool_news.js", JS, include_str!("page/tool_news.js")),
    ("/manage.js", JS, include_str!("page/manage.js")),
    (
        "/notifications.js",
        JS,
        include_str!("page/notifications.js"),
    ),
    ("/search.js", JS, include_str!("page/search.js")),
    ("/sessions.js", JS, include_str!("page/sessions.js")),
    ("/unread.js", JS, include_str!("page/unread.js")),
    ("/turn.js", JS, include_str!("page/turn.js")),
    ("/turns.js", JS, include_str!("page/turns.js")),
    ("/willingness.js", JS, include_str!("page/willingness.js")),
    (
        "/willingness_chart.js",
        JS,
        include_str!("page/willingness_chart.js"),
    ),
];

/// One route a file, and the front page.
pub(super) fn build_routes<S: Clone + Send + Sync + 'static>(front: FrontPage) -> Router<S> {
    let front = match front {
        FrontPage::Room => ROOM,
        FrontPage::Console => CONSOLE,
    };
    let written = Router::new()
        .route(
            "/words.js",
            get(async || ([(header::CONTENT_TYPE, JS)], render_words_module())),
        )
        .route(
            "/",
            get(async move || ([(header::CONTENT_TYPE, HTML)], front)),
        );
    FILES.iter().fold(written, |router, (path, kind, text)| {
        router.route(path, get(async || ([(header::CONTENT_TYPE, *kind)], *text)))
    })
}

/// What stands there for who has no token. All in one, for no other file is served to them.
pub(super) fn render_closed_page() -> impl IntoResponse {
    const TEXT: &str = include_str!("page/closed.html");
    let style = TEXT
        .split_once("<style>")
        .and_then(|(_, rest)| Some(rest.split_once("</style>")?.0))
        .unwrap_or_default();
    let hash = STANDARD.encode(Sha256::digest(style));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    (
        [
            (header::CONTENT_TYPE, HTML.to_owned()),
            (header::CONTENT_SECURITY_POLICY, policy),
        ],
        TEXT.replace(
            "SECTIONS",
            &Language::ALL.map(render_closed_section).join("\n    "),
        ),
    )
}

fn render_closed_section(language: Language) -> String {
    let mut words = language.list_page_words();
    let code = words.find(|(key, _)| key == "html");
    let code = code.map_or_else(|| language.code().to_owned(), |(_, code)| code);
    let paragraphs = [
        closed_room::only_operator(),
        closed_room::open_address("<code>/?token=…</code>"),
        closed_room::find_token("<code>room.token</code>", "<code>/?token=</code>"),
    ];
    let paragraphs = paragraphs.map(|text| format!("<p>{}</p>", text.in_language(language)));
    let title = closed_room::title().in_language(language);
    format!(
        "<section lang=\"{code}\"><h1>{title}</h1>{}</section>",
        paragraphs.concat()
    )
}

/// The page's words in every language, as a module.
fn render_words_module() -> String {
    let words: Value = Language::ALL
        .into_iter()
        .map(|language| {
            let words = language.list_page_words();
            let words: Value = words.map(|(key, text)| (key, Value::from(text))).collect();
            (language.code(), words)
        })
        .collect();
    let code = Value::from(Language::default().code());
    format!("export const defaultLanguage = {code};\nexport const words = {words};\n")
}
