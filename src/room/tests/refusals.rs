//! What the room does not let in, and how long it waits for who says nothing.

use super::*;

#[tokio::test]
async fn a_name_that_is_not_this_machines_is_refused() {
    let room = open().await;
    for host in [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:80",
        "10.0.0.1",
        "a@localhost",
        "",
    ] {
        for path in ["/", "/api/live"] {
            let response = room
                .client
                .get(room.url(path))
                .header("host", host)
                .send()
                .await
                .unwrap();
            assert_eq!(
                response.status(),
                StatusCode::MISDIRECTED_REQUEST,
                "{host} {path}"
            );
        }
    }
    for host in ["localhost", "localhost:9", "[::1]:80", "127.0.0.1"] {
        let response = room
            .client
            .get(room.url("/"))
            .header("host", host)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{host}");
    }
}

#[tokio::test]
async fn a_foreign_page_can_neither_post_nor_listen() {
    let room = open().await;
    let state = json!({ "ask": "state" });
    let own = format!("http://{}", room.address);
    for headers in [
        [
            ("origin", "https://evil.example"),
            ("sec-fetch-site", "cross-site"),
        ],
        [("origin", "null"), ("sec-fetch-site", "same-origin")],
        [
            ("origin", "http://127.0.0.1:1"),
            ("sec-fetch-site", "same-origin"),
        ],
        [("origin", &own), ("sec-fetch-site", "same-site")],
    ] {
        assert_eq!(
            room.send(&state, &headers).await.status(),
            StatusCode::FORBIDDEN,
            "{headers:?}"
        );
    }
    let listening = room
        .client
        .get(room.url("/api/live"))
        .header("sec-fetch-site", "cross-site")
        .send()
        .await
        .unwrap();
    assert_eq!(listening.status(), StatusCode::FORBIDDEN);
    let headers = [("origin", own.as_str()), ("sec-fetch-site", "same-origin")];
    assert_eq!(room.send(&state, &headers).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn only_json_is_read_and_not_too_much_of_it() {
    let room = open().await;
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "text/json;application/json",
    ] {
        let request = room
            .client
            .post(room.url("/api"))
            .header("content-type", kind)
            .body(r#"{"ask":"state"}"#);
        assert_eq!(
            request.send().await.unwrap().status(),
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "{kind}"
        );
    }
    let huge = json!({ "ask": "add_person", "name": "x".repeat(70_000) });
    let response = room.send(&huge, &[]).await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert!(response.json::<Value>().await.unwrap()["error"].is_string());
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_with_what_to_mend() {
    let room = open().await;
    let cases = [
        (
            json!({ "ask": "add_person", "name": "  " }),
            400,
            "`name` is empty; write something",
        ),
        (
            json!({ "ask": "add_person", "name": "x".repeat(33) }),
            400,
            "`name` has 33 characters; 32 are allowed",
        ),
        (
            json!({ "ask": "history", "channel": "1", "limit": 0 }),
            400,
            "`limit` is 0; write a number from 1 to 200",
        ),
        (
            json!({ "ask": "react", "channel": "1", "message": "1", "person": "1", "emoji": "你好吗", "added": true }),
            400,
            "`emoji` is no emoji: write one, or the name of one between colons, like `:wave:`",
        ),
        (
            json!({ "ask": "turn", "id": "7" }),
            404,
            "Turn { id: TurnId(7) } is not there",
        ),
        (
            json!({ "ask": "stop_turn", "id": "7" }),
            404,
            "StopTurn { id: TurnId(7) } is not there",
        ),
        (
            json!({ "ask": "test_model", "url": "http://127.0.0.1:1", "model": "none" }),
            503,
            "http://127.0.0.1:1 does not answer",
        ),
    ];
    for (body, status, error) in cases {
        assert_eq!(
            room.refused(body).await,
            (StatusCode::from_u16(status).unwrap(), error.to_owned())
        );
    }
    for body in [
        json!({}),
        json!({ "ask": "nonsense" }),
        json!({ "ask": "turn", "id": "x" }),
        json!([1]),
    ] {
        let (status, error) = room.refused(body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert!(
            error.starts_with("the body is not a request: ")
                && error.ends_with("; see docs/ROOM_API.md"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_key_is_never_shown() {
    let request: kith_room::RoomRequest = serde_json::from_value(
        json!({ "ask": "use_model", "url": "http://127.0.0.1:1", "key": "sk-secret", "model": "m" }),
    )
    .unwrap();
    assert!(!format!("{request:?}").contains("sk-secret"));
}

#[tokio::test]
async fn a_port_in_use_and_an_open_address_are_refused() {
    let room = open().await;
    let taken = kith_room::bind(room.address).await.unwrap_err();
    assert!(matches!(taken, RoomBindError::InUse));
    let open = kith_room::bind("0.0.0.0:0".parse().unwrap()).await;
    assert!(matches!(open.unwrap_err(), RoomBindError::NotLoopback));
}

#[tokio::test(start_paused = true)]
async fn connections_that_never_say_what_they_want_stand_in_nobodys_way_and_are_closed() {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    let room = open().await;
    let (address, bearer) = (room.address, room.token.secret().expose().to_owned());
    // While a blocking task runs the clock stands still, so that no time-out helps the owner.
    let half_open = tokio::task::spawn_blocking(move || {
        let connect = |text: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream
                .set_read_timeout(Some(std::time::Duration::from_secs(20)))
                .unwrap();
            stream.write_all(text.as_bytes()).unwrap();
            stream
        };
        let asks = |close: &str| {
            format!(
                "GET / HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {bearer}\r\n{close}\r\n"
            )
        };
        let (mut kept, mut first) = (connect(&asks("")), [0; 12]);
        kept.read_exact(&mut first).unwrap();
        let half_open: Vec<TcpStream> = (0..200)
            .map(|_| connect("GET / HTTP/1.1\r\nhost: 127."))
            .collect();
        let mut told = String::new();
        connect(&asks("connection: close\r\n"))
            .read_to_string(&mut told)
            .unwrap();
        assert!(told.starts_with("HTTP/1.1 200"), "{told}");
        // The owner's first connection, older than all of them, is still served.
        kept.write_all(asks("connection: close\r\n").as_bytes())
            .unwrap();
        let mut told = String::new();
        kept.read_to_string(&mut told).unwrap();
        assert!(told.contains("HTTP/1.1 200"), "{told}");
        half_open
    });
    for stream in half_open.await.unwrap() {
        stream.set_nonblocking(true).unwrap();
        let mut stream = tokio::net::TcpStream::from_std(stream).unwrap();
        let mut told = Vec::new();
        // Nothing else happens, so that the clock moves on to the time-outs at once.
        let _ = tokio::io::AsyncReadExt::read_to_end(&mut stream, &mut told).await;
        assert!(
            told.is_empty() || told.starts_with(b"HTTP/1.1 408"),
            "{}",
            String::from_utf8_lossy(&told)
        );
    }
}
