//! The tests of `secret_shape.rs`, of what nobody outside its crate can see.

use super::*;

#[test]
fn what_looks_like_a_secret_is_not_repeated() {
    for secret in [
        "sk-proj-abcdefghijkl",
        "sk-very-secret-value",
        "gsk_abcdefghijklmnop",
        "AIzaSyabcdefghijklmnop",
        "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
        "5f4dcc3b5aa765d61d8327deb882cf99",
        "ab12+cd/QmFzZTY0IGlzIG5vdCBzZWNyZXQ=",
    ] {
        for text in [
            format!("there is no `{secret}`"),
            format!("cannot be \"{secret}\""),
            format!("x={secret};"),
        ] {
            let told = redact_secret_shapes(&text);
            assert!(
                !told.contains(secret.trim_end_matches('=')) && told.contains(REDACTED),
                "{told}"
            );
        }
        let path = redact_secret_shapes(&format!("no file /home/anna/{secret}: check it"));
        assert!(!path.contains(secret), "{path}");
    }
    assert_eq!(
        redact_secret_shapes("http://me:hush@proxy:1"),
        "http://<redacted>@proxy:1"
    );
}

#[test]
fn what_people_choose_as_names_is() {
    for text in [
        "there is no setting `pacing.characters_per_second`; did you mean `cjk_per_second`?",
        "`guild.123456789012345678.talkativeness` is 2; write a number from 0 (shy) to 1 (chatty)",
        "there is no file /home/anna/kith-2026/.tmpAb3xY9/personas/Juno2.toml",
        "KITH__MODEL__EXTRA_BODY__SEED: llama-3.1-8b-instruct-q4_K_M, claude-sonnet-4-20250514, gpt-4.1-mini",
        "write it like \"https://api.openai.com/v1\" or \"23:00-08:00 Europe/Berlin\"; mail anna@example.org",
        "`budget.daily_tokens` is 18446744073709551615, `x` is 0xffffffffffffffff; the ReadWritePaths",
        "HTTP-Referer, X-Title, OPENAI_API_KEY, task-list-of-everybody, risk-free, 说中文也可以",
    ] {
        assert_eq!(redact_secret_shapes(text), text);
    }
}
