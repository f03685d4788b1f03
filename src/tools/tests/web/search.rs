//! `web_search` over both kinds of endpoints.

use std::sync::Arc;

use kith_core::call::ToolResult;
use kith_core::persona::Language;
use kith_tools::{SearchKind, SearchSettings, ToolContext, WebClient, WebSettings};
use serde_json::{Value, json};

use super::{refused, run, with_secret};
use crate::fake_model::{FakeModel, Reply};
use crate::registry::context;

fn searching(site: &FakeModel, kind: SearchKind, key: &str) -> ToolContext {
    let search = SearchSettings {
        kind,
        url: format!("http://{}/", site.host()),
        key: key.to_owned(),
    };
    let settings = WebSettings {
        allow_private: vec![site.host().parse().unwrap()],
        search: Some(search),
    };
    with_secret(
        "search",
        "the-key-itself",
        ToolContext {
            web: Arc::new(WebClient::new(settings)),
            ..context(Language::EN)
        },
    )
}

async fn search(query: &str, context: &ToolContext) -> ToolResult {
    run("web_search", json!({ "query": query }), context).await
}

fn results(number: usize) -> Vec<Value> {
    (1..=number)
        .map(|index| {
            json!({
                "title": format!("Tea <b>no. {index}</b>"), "url": format!("https://tea.test/{index}"),
                "content": "Leaves &amp;\nwater", "description": "Leaves &amp; <strong>water</strong>",
            })
        })
        .collect()
}

#[tokio::test]
async fn searxng_is_asked_for_json_and_told_as_numbered_results() {
    let site = FakeModel::start().await;
    site.on(
        "GET /search?q=green+tea%26a%3Db&format=json",
        Reply::json(200, json!({ "results": results(9) })),
    );
    let result = search("green tea&a=b", &searching(&site, SearchKind::Searxng, "")).await;
    assert!(
        result
            .content
            .starts_with("1. Tea no. 1\nhttps://tea.test/1\nLeaves & water\n2. Tea"),
        "{result:?}"
    );
    assert!(
        result.content.contains("\n6. ") && !result.content.contains("\n7. "),
        "{result:?}"
    );
    assert!(!site.asked()[0].headers.contains_key("authorization"));
}

#[tokio::test]
async fn brave_is_asked_with_its_key() {
    let site = FakeModel::start().await;
    let line = "GET /res/v1/web/search?q=%E8%8C%B6&count=10";
    site.on(
        line,
        Reply::json(200, json!({ "web": { "results": results(1) } })),
    );
    let result = search("茶", &searching(&site, SearchKind::Brave, "search")).await;
    assert_eq!(
        result.content,
        "1. Tea no. 1\nhttps://tea.test/1\nLeaves & water"
    );
    assert_eq!(
        site.asked()[0].headers["x-subscription-token"],
        "the-key-itself"
    );
}

#[tokio::test]
async fn what_goes_wrong_is_told_without_the_key() {
    let site = FakeModel::start().await;
    let line = "GET /search?q=tea&format=json";
    let context = searching(&site, SearchKind::Searxng, "search");
    site.on(
        line,
        Reply::new(403, "text/html").bytes("the-key-itself is wrong"),
    );
    let told = "the search failed: it gives no JSON; a SearXNG needs json under search.formats in its settings.yml";
    refused(&search("tea", &context).await, told);
    site.now(line, [Reply::new(200, "text/html").bytes("<p>results")]);
    refused(&search("tea", &context).await, told);
    site.now(line, [Reply::new(500, "text/html").bytes("the-key-itself")]);
    refused(
        &search("tea", &context).await,
        "the search failed: it answered 500 Internal Server Error",
    );
    site.now(
        line,
        [Reply::new(302, "").header("location", "https://elsewhere.test/search")],
    );
    let told = "the search failed: it redirects to another server, elsewhere.test, and may not be followed there";
    refused(&search("tea", &context).await, told);
    site.now(
        line,
        [Reply::json(
            200,
            json!({ "results": [{ "title": "no url" }, 7, { "url": "https://a.test/ b" }] }),
        )],
    );
    assert_eq!(
        search("tea", &context).await.content,
        "nothing found; other words may help"
    );
    refused(
        &search(" ", &context).await,
        "parameter `query` is empty: give words to search for",
    );
    let nowhere = ToolContext {
        web: Arc::default(),
        ..context
    };
    refused(
        &search("tea", &nowhere).await,
        "no search is configured here; do without it",
    );
}
