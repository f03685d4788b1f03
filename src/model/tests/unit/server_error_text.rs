//! The tests of `server_error_text.rs`, of what nobody outside its crate can see.

use serde_json::json;

use super::*;

#[test]
fn an_error_object_is_read_in_every_shape_servers_use() {
    let read = |value: Value| parse_error_object(&value);
    let some = |code: &str, text: &str| {
        Some(ServerError {
            code: code.to_owned(),
            text: text.to_owned(),
            fields: Vec::new(),
        })
    };
    assert_eq!(
        read(json!({"error": {"message": "m", "code": 429}})),
        some("429", "m")
    );
    assert_eq!(
        read(json!({"error": {"message": "m", "code": "c", "type": "t"}})),
        some("c", "m")
    );
    assert_eq!(
        read(json!({"error": {"message": "m", "code": null, "type": "t"}})),
        some("t", "m")
    );
    assert_eq!(read(json!({"error": "m"})), some("", "m"));
    assert_eq!(read(json!({"error": {"message": null}})), some("", ""));
    assert_eq!(read(json!({"message": "m", "code": 1})), some("1", "m"));
    let validator = json!({"detail": [{"loc": ["body", "top_k"], "msg": "m", "input": "of Anna"}]});
    let wanted = ServerError {
        fields: vec!["body".into(), "top_k".into()],
        ..some("", "body.top_k: m").unwrap()
    };
    assert_eq!(read(validator), Some(wanted.clone()));
    let raw = r#"{"error": {"message": "m", "param": "top_k"}}"#;
    let gateway =
        json!({"error": {"message": "from behind", "code": 400, "metadata": {"raw": raw}}});
    assert_eq!(read(gateway).unwrap().fields, ["top_k"]);
    assert_eq!(read(json!({"error": null, "choices": []})), None);
    assert_eq!(read(json!({"choices": []})), None);
}

#[test]
fn a_quotation_is_short_and_on_one_line() {
    assert_eq!(shorten("a\n\t b\u{7}c"), "a bc");
    assert_eq!(
        shorten(&"雪".repeat(300)).chars().count(),
        QUOTE_CHARACTERS + 1
    );
    assert_eq!(
        extract_page_text("<html><TITLE> 502 Bad Gateway </TITLE>"),
        "502 Bad Gateway"
    );
    assert_eq!(extract_page_text("<html><p>mail of Anna"), "");
    assert_eq!(
        extract_page_text("-ERR unknown command\nrequirepass hush"),
        "-ERR unknown command"
    );
}
