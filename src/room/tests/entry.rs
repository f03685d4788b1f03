//! Who may come into the room: whoever has its token, and nobody else who can reach the port.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use kith_room::RoomToken;
use reqwest::header::{CONTENT_TYPE, COOKIE, SET_COOKIE, WWW_AUTHENTICATE};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::open;

/// Every path the room answers on: the files of its page, what is written for it, and the API.
fn paths() -> Vec<String> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("src/room/page");
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files = names
        .filter(|name| name != "closed.html")
        .map(|name| match name.as_str() {
            "index.html" => "/".to_owned(),
            "console.html" => "/console".to_owned(),
            _ => format!("/{name}"),
        });
    files
        .chain(
            [
                "/markdown-it.mjs",
                "/uplot.mjs",
                "/uplot.css",
                "/words.js",
                "/api",
                "/api/console",
                "/api/memory",
                "/api/live",
            ]
            .map(str::to_owned),
        )
        .collect()
}

/// What answers no `GET`.
const ASKED_BY_POST: [&str; 3] = ["/api", "/api/console", "/api/memory"];

fn stranger() -> Client {
    kith_system::tls::loopback_client().build().unwrap()
}

#[tokio::test]
async fn without_the_token_no_path_answers_whatever_is_asked() {
    let room = open().await;
    let token = room.token.secret().expose().to_owned();
    let port = room.address.port();
    let (cookie, bearer) = (format!("kith-room-{port}="), "Bearer ");
    let wrong = [
        ("x-none", String::new()),
        ("authorization", format!("{bearer}{}", "A".repeat(43))),
        ("authorization", bearer.to_owned()),
        ("authorization", token.clone()),
        ("authorization", format!("{bearer}{}", &token[..42])),
        ("authorization", format!("{bearer}{token}A")),
        ("authorization", format!("Basic {token}")),
        ("cookie", format!("{cookie}{}", &token[1..])),
        ("cookie", cookie.clone()),
        ("cookie", format!("kith-room-1={token}")),
        ("cookie", format!("x{cookie}{token}")),
        ("referer", format!("http://127.0.0.1:{port}/?token={token}")),
    ];
    let stranger = stranger();
    for path in
        paths()
            .iter()
            .map(String::as_str)
            .chain(["/nothing", "/api/nothing", "//", "/index.html"])
    {
        for (name, value) in &wrong {
            for method in [Method::GET, Method::POST, Method::HEAD, Method::OPTIONS] {
                let request = stranger
                    .request(method.clone(), room.url(path))
                    .header(*name, value);
                let response = request
                    .header(CONTENT_TYPE, "application/json")
                    .body("{}")
                    .send()
                    .await
                    .unwrap();
                assert_eq!(
                    response.status(),
                    StatusCode::UNAUTHORIZED,
                    "{method} {path} with {name}: {value}"
                );
                assert_eq!(response.headers()[WWW_AUTHENTICATE], "Bearer");
                assert!(!response.headers().contains_key(SET_COOKIE));
            }
        }
        // The address that opens the page opens nothing else.
        let other = format!("{path}?token={token}");
        if path != "/" {
            assert_eq!(
                stranger
                    .get(room.url(&other))
                    .send()
                    .await
                    .unwrap()
                    .status(),
                StatusCode::UNAUTHORIZED
            );
        }
    }
    for path in paths() {
        let status = room
            .client
            .get(room.url(&path))
            .send()
            .await
            .unwrap()
            .status();
        let expected = if ASKED_BY_POST.contains(&&*path) {
            StatusCode::METHOD_NOT_ALLOWED
        } else {
            StatusCode::OK
        };
        assert_eq!(status, expected, "{path}");
    }
}

#[tokio::test]
async fn who_lacks_the_token_reads_where_it_is_to_be_found() {
    let room = open().await;
    let page = stranger()
        .get(room.url("/?token=stale"))
        .send()
        .await
        .unwrap();
    assert_eq!(page.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
    let policy = page.headers()["content-security-policy"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("script"),
        "{policy}"
    );
    let text = page.text().await.unwrap();
    assert!(
        text.contains("the address that Kith printed") && text.contains("room.token"),
        "{text}"
    );
    let refused = stranger()
        .post(room.url("/api"))
        .json(&json!({ "ask": "state" }))
        .send()
        .await
        .unwrap();
    let error = refused.json::<Value>().await.unwrap()["error"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        error.contains("the address that kith printed") && error.contains("room.token"),
        "{error}"
    );
}

#[tokio::test]
async fn the_printed_address_opens_the_page_and_a_strict_cookie_every_request_after_it() {
    let room = open().await;
    let address = room.token.address(room.address);
    let page = stranger().get(&address).send().await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    let set = page.headers()[SET_COOKIE].to_str().unwrap().to_owned();
    let (cookie, attributes) = set.split_once("; ").unwrap();
    assert_eq!(
        cookie,
        format!(
            "kith-room-{}={}",
            room.address.port(),
            room.token.secret().expose()
        )
    );
    assert_eq!(
        attributes,
        "Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000"
    );
    let html = page.text().await.unwrap();
    assert!(html.contains("main.js") && !html.contains(room.token.secret().expose()));
    // Other servers of this machine may have set one of the same name.
    let all = format!("a=b; kith-room-{}=other; {cookie}", room.address.port());
    for path in paths()
        .into_iter()
        .filter(|path| !ASKED_BY_POST.contains(&&**path))
    {
        let response = stranger()
            .get(room.url(&path))
            .header(COOKIE, &all)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert!(!response.headers().contains_key(SET_COOKIE), "{path}");
    }
    let asked = stranger()
        .post(room.url("/api"))
        .header(COOKIE, &all)
        .json(&json!({ "ask": "state" }));
    assert_eq!(asked.send().await.unwrap().status(), StatusCode::OK);
}

#[test]
fn a_token_is_kept_in_a_file_that_only_its_owner_can_read() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (token, file) = RoomToken::load(&data).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!((mode(&file), mode(&data)), (0o600, 0o700));
    assert_eq!(token.secret().expose().len(), 43);
    assert!(!format!("{token:?}").contains(token.secret().expose()));
    let load = || RoomToken::load(&data).unwrap().0;
    assert!(load() == token, "a restart changes nothing");
    let mut known = vec![token];
    let mut is_new = |why: &str| {
        let token = load();
        assert!(!known.contains(&token), "{why}");
        assert_eq!(mode(&file), 0o600, "{why}");
        known.push(token);
    };
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    is_new("its group may have read it");
    fs::write(&file, "hunter2").unwrap();
    is_new("it can be guessed");
    fs::write(&file, [0xff; 64]).unwrap();
    is_new("it is no text");
    let elsewhere = folder.path().join("elsewhere");
    fs::write(&elsewhere, "A".repeat(43)).unwrap();
    fs::set_permissions(&elsewhere, fs::Permissions::from_mode(0o600)).unwrap();
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
    is_new("somebody else's link leads to it");
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "A".repeat(43));
    fs::remove_file(&file).unwrap();
    is_new("it was deleted to shut everybody out");
}

#[test]
fn those_who_open_a_room_in_one_folder_at_once_have_the_same_token() {
    let parent = tempfile::tempdir().unwrap();
    for round in 0..20 {
        let folder = parent.path().join(round.to_string());
        let load = || RoomToken::load(&folder).unwrap().0;
        let tokens: Vec<RoomToken> = std::thread::scope(|scope| {
            let loading: Vec<_> = (0..4).map(|_| scope.spawn(load)).collect();
            let loaded = loading.into_iter().map(|one| one.join().unwrap());
            loaded.collect()
        });
        let kept = RoomToken::read(&folder).unwrap().unwrap();
        assert!(tokens.iter().all(|token| *token == kept));
        let files = std::fs::read_dir(&folder).unwrap().count();
        assert_eq!(files, 1, "nothing is left beside it");
    }
}
