//! Tools of the kind `http`: what is sent for which parameters, what of the answer is told, and what no parameter and
//! no server can do.

use kith_core::call::ToolResult;
use kith_core::schema::{Param, Schema};
use kith_tools::ToolContext;
use kith_tools::custom::http::HttpTool;
use serde_json::{Value, json};

use super::{allowed, with_secret};
use crate::fake_model::{FakeModel, Reply};

/// The definition, on a server.
fn define(site: &FakeModel, definition: &str) -> HttpTool {
    let definition = definition.replace("SITE", &format!("http://{}", site.host()));
    toml::from_str(&format!(
        "allow_private = [\"{}\"]\n{definition}",
        site.host()
    ))
    .unwrap()
}

async fn run(http: &HttpTool, params: Value, context: &ToolContext) -> ToolResult {
    http.run(params.as_object().cloned().unwrap(), context.clone())
        .await
}

fn problems(definition: &str, parameters: &[&str]) -> Vec<String> {
    let http: HttpTool = toml::from_str(definition).unwrap();
    let params = parameters
        .iter()
        .map(|name| Param {
            name: name.to_string(),
            ..Param::default()
        })
        .collect();
    let problems = http.find_problems(&Schema { params }, &["key".to_owned()]);
    problems
        .into_iter()
        .map(|wrong| format!("{}: {}; {}", wrong.at, wrong.message, wrong.cure))
        .collect()
}

#[tokio::test]
async fn a_request_is_filled_in_and_its_answer_picked_and_rendered() {
    let site = FakeModel::start().await;
    let http = define(
        &site,
        r#"
        method = "POST"
        url = "SITE/v1/{{ kind }}"
        query = { q = "{{ words }}", page = "{{ page }}" }
        headers = { Authorization = "Bearer {{ secret.key }}" }
        json = { text = "{{ words }}", size = "{{ size }}", note = "about {{ words }}", none = "{{ page }}", fixed = 7 }
        pick = "found.items[*]"
        answer = "{% for one in data %}{{ one.name }} ({{ kind }}); {% endfor %}"
        "#,
    );
    let found = json!({"found": {"items": [{"name": "tea"}, {"name": "茶"}]}});
    site.on(
        "POST /v1/leaf%20s?q=green+%22tea%22",
        Reply::json(200, found),
    );
    let context = with_secret("key", "sk-very-secret", allowed(&site));
    let result = run(
        &http,
        json!({"kind": "leaf s", "words": "green \"tea\"", "size": 3}),
        &context,
    )
    .await;
    assert_eq!(result.content, "tea (leaf s); 茶 (leaf s);");
    assert!(!result.is_error);
    let asked = &site.asked()[0];
    assert_eq!(asked.headers["authorization"], "Bearer sk-very-secret");
    assert_eq!(asked.headers["content-type"], "application/json");
    assert_eq!(
        asked.body,
        json!({"text": "green \"tea\"", "size": 3, "note": "about green \"tea\"", "fixed": 7})
    );
}

#[tokio::test]
async fn without_templates_the_answer_is_told_as_it_is() {
    let site = FakeModel::start().await;
    let context = allowed(&site);
    let plain = define(&site, "url = \"SITE/a\"");
    site.on("GET /a", Reply::json(200, json!({"a": [1, 2]})));
    assert_eq!(
        run(&plain, json!({}), &context).await.content,
        "{\"a\":[1,2]}"
    );
    site.now(
        "GET /a",
        [Reply::new(200, "text/html").bytes("<title>x</title><p>A <b>page")],
    );
    assert_eq!(run(&plain, json!({}), &context).await.content, "A page");
    let picks = define(&site, "url = \"SITE/b\"\npick = \"a[1]\"");
    site.on("GET /b", Reply::json(200, json!({"a": ["x", "y"]})));
    assert_eq!(run(&picks, json!({}), &context).await.content, "y");
    site.now("GET /b", [Reply::json(200, json!({"a": []}))]);
    assert_eq!(
        run(&picks, json!({}), &context).await,
        error("127.0.0.1 answered without a[1]")
    );
    site.now("GET /b", [Reply::new(200, "text/plain").bytes("sold out")]);
    let result = run(&picks, json!({}), &context).await;
    assert_eq!(
        result,
        error("127.0.0.1 answered with something that is no JSON: sold out")
    );
}

fn error(text: &str) -> ToolResult {
    ToolResult::error(text)
}

#[tokio::test]
async fn no_parameter_leaves_its_place_in_the_address() {
    let site = FakeModel::start().await;
    let context = allowed(&site);
    let http = define(&site, "url = \"SITE/items/{{ id }}/open?of={{ id }}\"");
    for (id, piece) in [
        ("7?admin=1", "7%3Fadmin%3D1"),
        ("7#top", "7%23top"),
        ("a/b", "a%2Fb"),
        ("a\\b", "a%5Cb"),
        ("a&b=c;d", "a%26b%3Dc%3Bd"),
        ("%2f", "%252f"),
        ("a\r\nX-Evil: 1", "a%0D%0AX-Evil%3A%201"),
        ("．．／", "%EF%BC%8E%EF%BC%8E%EF%BC%8F"),
        ("茶", "%E8%8C%B6"),
        ("@evil.test", "%40evil.test"),
        ("...", "..."),
        ("{{ secret.key }}", "%7B%7B%20secret.key%20%7D%7D"),
    ] {
        site.on(
            &format!("GET /items/{piece}/open?of={piece}"),
            Reply::new(200, "text/plain").bytes("here"),
        );
        assert_eq!(
            run(&http, json!({ "id": id }), &context).await.content,
            "here",
            "{id}"
        );
    }
    let before = site.asked().len();
    for id in [
        "..",
        ".",
        "../admin",
        "a/../../b",
        "..\\admin",
        "%2e%2e",
        "%2e%2e%2fadmin",
        ".%2e",
    ] {
        let told = "a parameter that belongs into the address holds `..`; leave it out";
        assert_eq!(
            run(&http, json!({ "id": id }), &context).await,
            error(told),
            "{id}"
        );
    }
    for id in [json!(""), json!(" \n"), json!(null)] {
        let told = "a parameter that belongs into the address is empty";
        assert_eq!(
            run(&http, json!({ "id": id }), &context).await,
            error(told),
            "{id}"
        );
    }
    let long = run(&http, json!({ "id": "x".repeat(100_000) }), &context).await;
    assert_eq!(long, error("the parameters make the address too long"));
    assert_eq!(site.asked().len(), before);
}

#[tokio::test]
async fn no_parameter_becomes_a_header_or_another_field() {
    let site = FakeModel::start().await;
    let context = allowed(&site);
    site.on("POST /", Reply::new(200, "text/plain").bytes("done"));
    let http = define(
        &site,
        "method = \"POST\"\nurl = \"SITE/\"\nheaders = { X-Name = \"{{ name }}\" }\njson = { name = \"{{ name }}\", n = \"<{{ name }}>\" }",
    );
    for name in ["a\r\nX-Evil: 1", "a\nb", "a\0b", "a\u{7f}b"] {
        let told = "header `X-Name`: a parameter holds a line break or another character that is not allowed there";
        assert_eq!(
            run(&http, json!({ "name": name }), &context).await,
            error(told)
        );
    }
    assert!(site.asked().is_empty());
    let name = "\", \"admin\": true, \"x\": \"\\";
    assert_eq!(
        run(&http, json!({ "name": name }), &context).await.content,
        "done"
    );
    assert_eq!(
        site.asked()[0].body,
        json!({"name": name, "n": format!("<{name}>")})
    );
    let result = run(&http, json!({ "name": "x".repeat(300_000) }), &context).await;
    assert_eq!(result, error("the parameters make the body too long"));
}

#[tokio::test]
async fn no_secret_comes_back() {
    let site = FakeModel::start().await;
    let secret = "sk-very/secret";
    let context = with_secret("key", secret, allowed(&site));
    let http = define(
        &site,
        "url = \"SITE/echo\"\nquery = { key = \"{{ secret.key }}\" }",
    );
    let line = "GET /echo?key=sk-very%2Fsecret";
    for reply in [
        Reply::json(
            200,
            json!({"you": {"sent": "sk-very/secret"}, "sk-very/secret": ["?key=sk-very%2Fsecret"]}),
        ),
        Reply::new(200, "application/json").bytes("{\"you\": \"\\u0073k-very\\/secret\"}"),
        Reply::new(200, "text/plain").bytes("you sent sk-very/secret"),
        Reply::new(200, "text/html").bytes("<title>sk-very/secret</title>"),
        Reply::new(401, "text/plain").bytes("bad key sk-very/secret"),
        Reply::new(500, "text/html").bytes("<h1>GET /echo?key=sk-very%2Fsecret"),
        Reply::new(302, "").header("location", "http://elsewhere.test/?key=sk-very%2Fsecret"),
        Reply::new(302, "").header("location", "ftp://elsewhere.test/sk-very/secret"),
        Reply::new(200, "image/sk-very/secret"),
        Reply::new(200, "text/plain").header("content-encoding", "sk-very/secret"),
    ] {
        site.now(line, [reply]);
        let result = run(&http, json!({}), &context).await;
        let all = serde_json::to_string(&result).unwrap();
        assert!(!all.contains("sk-very"), "{all}");
    }
    let line_break = with_secret("key", "sk-very\nsecret", allowed(&site));
    let http = define(
        &site,
        "url = \"SITE/echo\"\nheaders = { Key = \"{{ secret.key }}\" }",
    );
    let result = run(&http, json!({}), &line_break).await;
    assert!(
        result.is_error && !result.content.contains("sk-very"),
        "{result:?}"
    );
    let none = allowed(&site);
    assert_eq!(
        run(&http, json!({}), &none).await,
        error("the host has no secret `key`")
    );
}

#[tokio::test]
async fn no_parameter_chooses_a_secret() {
    let site = FakeModel::start().await;
    let context = with_secret("other", "sk-very-secret", allowed(&site));
    let http = define(
        &site,
        "url = \"SITE/\"\nquery = { q = \"{{ secret[name] }}{{ name }}\" }",
    );
    site.on(
        "GET /?q=other",
        Reply::new(200, "text/plain").bytes("nothing"),
    );
    assert_eq!(
        run(&http, json!({"name": "other"}), &context).await.content,
        "nothing"
    );
}

#[tokio::test]
async fn what_is_sent_along_goes_to_no_other_server() {
    let (site, other) = (FakeModel::start().await, FakeModel::start().await);
    let context = with_secret("key", "sk-very-secret", allowed(&site));
    let mut http = define(
        &site,
        "method = \"POST\"\nurl = \"SITE/\"\nheaders = { Key = \"{{ secret.key }}\" }\njson = { a = \"{{ a }}\" }",
    );
    http.allow_private.push(other.host().parse().unwrap());
    for status in [301, 302, 303, 307, 308] {
        site.now(
            "POST /",
            [Reply::new(status, "").header("location", &format!("http://{}/", other.host()))],
        );
        let told = "it redirects to another server, 127.0.0.1, and may not be followed there";
        assert_eq!(
            run(&http, json!({"a": "b"}), &context).await,
            error(told),
            "{status}"
        );
    }
    assert!(other.asked().is_empty());
    site.on("GET /next", Reply::new(200, "text/plain").bytes("read"));
    site.on("POST /next", Reply::new(200, "text/plain").bytes("sent"));
    for (status, told) in [(303, "read"), (307, "sent")] {
        site.now(
            "POST /",
            [Reply::new(status, "").header("location", "/next")],
        );
        assert_eq!(run(&http, json!({"a": "b"}), &context).await.content, told);
    }
}

#[tokio::test]
async fn an_answer_that_is_too_large_is_an_error() {
    let site = FakeModel::start().await;
    let http = define(&site, "url = \"SITE/\"\npick = \"a\"");
    site.on(
        "GET /",
        Reply::new(200, "application/json")
            .bytes("{\"a\": \"")
            .endless("a".repeat(10_000)),
    );
    let result = run(&http, json!({}), &allowed(&site)).await;
    assert_eq!(
        result,
        error("127.0.0.1 answered with more than 1024 KB, which is not read")
    );
}

#[tokio::test]
async fn only_the_places_of_its_definition_are_open_to_it() {
    let site = FakeModel::start().await;
    let http: HttpTool = toml::from_str(&format!("url = \"http://{}/\"", site.host())).unwrap();
    let result = run(&http, json!({}), &allowed(&site)).await;
    assert_eq!(
        result,
        error("127.0.0.1 is an address of this machine, and only public ones are fetched from")
    );
}

#[test]
fn what_is_wrong_with_a_definition_is_told_with_its_place() {
    let no_host =
        "http.url: `url` names no host; begin it with https:// and a host that is written out";
    let no_place = "a secret has no place here; put it into query, headers or body";
    let told = [
        ("url = \"https://{{ id }}/\"", vec![no_host.to_owned()]),
        ("url = \"https://a.test{{ id }}/\"", vec![no_host.to_owned()]),
        ("url = \"ftp://a.test/\"", vec![no_host.to_owned()]),
        (
            "url = \"https://a.test/{{ place }}\"",
            vec!["http.url: there is no parameter `place`; define it, or correct the name".to_owned()],
        ),
        ("url = \"https://a.test/{{ secret.key }}\"", vec![format!("http.url: {no_place}")]),
        (
            "url = \"https://a.test/\"\nanswer = \"{{ data.a }}{{ secret.key }}\"",
            vec![format!("http.answer: {no_place}")],
        ),
        (
            "url = \"https://a.test/\"\n\
             query = { a = \"{{ secret.key }}\", b = \"{{ secret.no }}\", c = \"{{ secret[id] }}\" }",
            vec![
                "http.query.b: there is no secret `no`; name it under [secrets]".to_owned(),
                "http.query.c: this is no name of a secret; write {{ secret.NAME }}".to_owned(),
            ],
        ),
        (
            "url = \"https://a.test/\"\nheaders = { \"A B\" = \"\", Host = \"b.test\" }",
            vec![
                "http.headers.A B: `A B` is no name of a header; correct it".to_owned(),
                "http.headers.Host: `Host` is set by itself; remove it".to_owned(),
            ],
        ),
        (
            "url = \"https://a.test/\"\nbody = \"a\"\njson = {}",
            vec!["http.json: there are `body` and `json`; keep one of them".to_owned()],
        ),
        (
            "url = \"https://a.test/\"\njson = { a = [\"{{ id }}\", \"{{ no }}\"] }\nmethod = \"PUT\"",
            vec!["http.json.a.1: there is no parameter `no`; define it, or correct the name".to_owned()],
        ),
        (
            "url = \"https://a.test/\"\nbody = \"a\"",
            vec!["http.body: GET sends nothing; write method = \"POST\", or use `query`".to_owned()],
        ),
        (
            "url = \"https://a.test/\"\npick = \"a[x]\"",
            vec![
                "http.pick: \"a[x]\" is no path into an answer; write it like \"items[0].name\" or \"days[*].high\""
                    .to_owned(),
            ],
        ),
        ("url = \"https://a.test/{{ id }}\"\npick = \"a[0]\"", vec![]),
    ];
    for (definition, wrong) in told {
        assert_eq!(problems(definition, &["id"]), wrong, "{definition}");
    }
    let broken = problems("url = \"https://a.test/\"\nanswer = \"{{ data\"", &[]);
    assert!(
        broken[0].starts_with("http.answer: the template cannot be used: syntax error: "),
        "{broken:?}"
    );
    let taken = "parameters.data: templates call something else `data`; choose another name";
    assert_eq!(problems("url = \"https://a.test/\"", &["data"]), [taken]);
}
