//! What a path finds in JSON.

use super::*;
use serde_json::json;

#[test]
fn a_path_picks_a_value_a_list_or_nothing() {
    let document = json!({"a": {"b": [{"c": 1}, {"c": 2}, {"d": 3}]}, "e": null});
    let picked = |path: &str| JsonPath::parse(path).unwrap().pick(&document);
    assert_eq!(picked("a.b[1].c"), Some(json!(2)));
    assert_eq!(picked("a.b[*].c"), Some(json!([1, 2])));
    assert_eq!(picked("a.b[*].x"), Some(json!([])));
    assert_eq!(picked("e"), Some(json!(null)));
    assert_eq!(picked("a.x"), None);
    assert_eq!(picked("a.b[9]"), None);
    assert_eq!(picked("a[0]"), None);
    assert_eq!(picked("a[*]"), None);
    assert_eq!(
        JsonPath::parse("[0][1]").unwrap().pick(&json!([[1, 2]])),
        Some(json!(2))
    );
}

#[test]
fn what_is_no_path_is_refused() {
    for wrong in [
        "", ".", "a.", ".a", "a..b", "a[", "a[]", "a[x]", "a[-1]", "a[0", "a]0[", "a[0]b", "a.[0]",
    ] {
        assert!(JsonPath::parse(wrong).is_err(), "{wrong}");
    }
}
