//! The tests of `ollama.rs`, of what nobody outside its crate can see.

use super::*;

#[test]
fn every_spelling_of_ollama_host_is_understood() {
    for (given, wanted) in [
        ("", "http://127.0.0.1:11434"),
        ("127.0.0.1:11434", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        (":8000", "http://127.0.0.1:8000"),
        ("gpu-box", "http://gpu-box:11434"),
        ("[::1]:5000", "http://[::1]:5000"),
        ("[::1]", "http://[::1]:11434"),
        ("https://ollama.example.org/", "https://ollama.example.org"),
        ("http://gpu-box:1/prefix/", "http://gpu-box:1/prefix"),
    ] {
        assert_eq!(build_base_url(given), wanted, "{given:?}");
    }
}

#[test]
fn the_newest_local_model_comes_first_and_cloud_models_do_not_count() {
    let tags = json!({"models": [
        {"name": "old:7b", "modified_at": "2024-01-01T00:00:00Z"},
        {"name": "new:3b", "modified_at": "2026-01-01T00:00:00Z"},
        {"name": "big:cloud", "modified_at": "2026-02-01T00:00:00Z", "remote_host": "https://ollama.com:443"},
    ]});
    assert_eq!(list_local_models(&tags), ["new:3b", "old:7b"]);
    assert!(list_local_models(&json!({"models": null})).is_empty());
}
