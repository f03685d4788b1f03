//! What a model reads of pages.

use kith_core::persona::{Language, Persona};
use kith_tools::ToolContext;
use serde_json::json;
use std::sync::Arc;

use super::{allowed, fetch, refused, run};
use crate::fake_model::{FakeModel, Reply};

#[tokio::test]
async fn a_page_is_its_title_and_readable_text() {
    let site = FakeModel::start().await;
    let html = "<!doctype html><title>Tea</title><meta property=og:description content='All about tea.'>\
                <nav>Home</nav><main><h1>Tea</h1><p>Green &amp; <a href=/black>black</a>.<ul><li>Oolong</ul></main>\
                <script>steal()</script>";
    site.on(
        "GET /tea",
        Reply::new(200, "text/html; charset=utf-8").bytes(html),
    );
    let result = fetch(&format!("http://{}/tea#top", site.host()), &allowed(&site)).await;
    assert_eq!(
        result.content,
        "Tea\nAll about tea.\n# Tea\n\nGreen & black.\n\n- Oolong"
    );
    assert_eq!(result.details.unwrap()["status"], 200);
    let asked = &site.asked()[0];
    assert_eq!(asked.line, "GET /tea");
    assert!(asked.headers["user-agent"].starts_with("kith/"));
}

#[tokio::test]
async fn json_and_plain_text_are_told_as_they_are() {
    let site = FakeModel::start().await;
    site.on("GET /json", Reply::json(200, json!({"tea": ["green"]})));
    site.on(
        "GET /text",
        Reply::new(200, "text/plain; charset=gbk").bytes([0xc4, 0xe3, 0xba, 0xc3, 0x07]),
    );
    site.on("GET /none", Reply::new(200, "").bytes("just <b>text"));
    let context = allowed(&site);
    let url = |path: &str| format!("http://{}{path}", site.host());
    assert_eq!(
        fetch(&url("/json"), &context).await.content,
        "{\"tea\":[\"green\"]}"
    );
    assert_eq!(fetch(&url("/text"), &context).await.content, "你好");
    assert_eq!(fetch(&url("/none"), &context).await.content, "just <b>text");
}

#[tokio::test]
async fn a_long_page_is_read_on_from_where_it_was_cut() {
    let site = FakeModel::start().await;
    let long: String = (0..1_000)
        .map(|number| format!("line {number:04}\n"))
        .collect();
    site.on("GET /", Reply::new(200, "text/plain").bytes(&long));
    let context = allowed(&site);
    let url = format!("http://{}/", site.host());
    let first = fetch(&url, &context).await.content;
    assert!(first.starts_with("line 0000\n"), "{first}");
    assert!(
        first.ends_with("\n[characters 0 to 3500 of 9999; go on from 3500]"),
        "{first}"
    );
    let last = run("web_fetch", json!({"url": url, "from": 7000}), &context)
        .await
        .content;
    assert!(
        last.starts_with("line 0700\n")
            && last.ends_with("line 0999\n[characters 7000 to 9999 of 9999]"),
        "{last}"
    );
    let over = run("web_fetch", json!({"url": url, "from": 20000}), &context)
        .await
        .content;
    assert_eq!(over, "[nothing there; there are 9999 characters]");
    let persona = Persona {
        language: Language::ZH,
        ..Persona::clone(&context.persona)
    };
    let chinese = ToolContext {
        persona: Arc::new(persona),
        ..context
    };
    let first = fetch(&url, &chinese).await.content;
    assert!(
        first.ends_with("\n[第 0 到 3500 个字，共 9999 个；从 3500 接着读]"),
        "{first}"
    );
}

#[tokio::test]
async fn an_error_of_the_server_is_an_error_with_a_short_cut_of_its_page() {
    let site = FakeModel::start().await;
    let page = format!(
        "<title>Gone</title><h1>Not here</h1><p>{}",
        "sorry ".repeat(200)
    );
    site.on("GET /gone", Reply::new(410, "text/html").bytes(page));
    site.on("GET /picture", Reply::new(404, "image/png").bytes([0]));
    let context = allowed(&site);
    let result = fetch(&format!("http://{}/gone", site.host()), &context).await;
    assert!(
        result.is_error
            && result
                .content
                .starts_with("the server answered 410 Gone: # Not here sorry"),
        "{result:?}"
    );
    assert!(result.content.len() < 300);
    refused(
        &fetch(&format!("http://{}/picture", site.host()), &context).await,
        "the server answered 404 Not Found: ",
    );
}

#[tokio::test]
async fn an_address_without_a_scheme_is_a_secure_one() {
    let site = FakeModel::start().await;
    let result = fetch(&format!("{}/", site.host()), &allowed(&site)).await;
    // The server speaks no TLS.
    assert!(
        result.content.starts_with("127.0.0.1 cannot be reached: "),
        "{result:?}"
    );
    assert!(site.asked().is_empty());
}
