//! Hooks of the host's own: what they are given, what becomes of what they answer, and what comes of one that fails.

use super::*;
use kith_testkit::assert_has;
use kith_testkit::fake_model::{FakeModel, Reply};
use kith_tools::custom::Hooks;

/// A hook of this name that runs a script; `more` stands in its table `hook`.
fn hook(name: &str, script: &str, more: &str) -> String {
    format!(
        "[{name}]\ntime_out_seconds = 2\n[{name}.hook]\n{more}\n\
         [{name}.command]\nargv = [\"sh\", \"-c\", '''{script}''']\n"
    )
}

const SPEECH: &str = "on = [\"speech\"]";

fn holding(bench: &Bench, names: &[&str]) -> (Hooks, ToolContext) {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let hooks = Hooks::from_definitions(&names, &bench.settings.defined);
    let context = ToolContext {
        hooks: hooks.clone(),
        ..bench.context()
    };
    (hooks, context)
}

#[tokio::test]
async fn a_hook_that_fails_holds_back_what_it_was_to_look_at_unless_it_may_pass() {
    for script in [
        "exit 1",
        "echo hello",
        "sleep 600",
        r#"echo "{\"text\": \" \"}""#,
        r#"echo "{\"ping\": \"everyone\"}""#,
        r#"echo "{\"pending\": {\"preview\": \"x\"}}""#,
    ] {
        let definitions = hook("guard", script, SPEECH)
            + &hook("lax", script, &format!("{SPEECH}\non_failure = \"pass\""));
        let bench = Bench::with(&definitions, "");
        let reviewed = async |name: &str| {
            let (hooks, context) = holding(&bench, &[name]);
            hooks.review_speech("hi".to_owned(), &context).await
        };
        let refused = reviewed("guard").await;
        let why = refused.text.unwrap_err().in_language(Language::EN);
        assert!(why.starts_with("guard, which the host"), "{script}: {why}");
        assert!(
            refused.notes[0]
                .starts_with("guard failed at what was to be said, so it was refused: ")
        );
        let passed = reviewed("lax").await;
        assert_eq!(passed.text, Ok("hi".to_owned()), "{script}");
        assert!(passed.notes[0].starts_with("lax failed at what was to be said, so it passed: "));
    }
}

#[tokio::test]
async fn each_hook_sees_what_the_one_before_left_and_one_may_refuse() {
    let look = r#"read -r given; case $given in *loud*) echo "{\"refuse\": \"too loud\"}" ;; *) echo "{}" ;; esac"#;
    let shout = r#"echo "{\"text\": \"loud\"}""#;
    let bench = Bench::with(
        &(hook("look", look, SPEECH) + &hook("shout", shout, SPEECH)),
        "",
    );
    let (hooks, context) = holding(&bench, &["look", "shout"]);
    let said = hooks.review_speech("hi".to_owned(), &context).await;
    assert_eq!(said.text, Ok("loud".to_owned()));
    assert_eq!(
        said.notes,
        ["shout changed what was to be said from \"hi\" to \"loud\""]
    );
    let (hooks, context) = holding(&bench, &["shout", "look"]);
    let refused = hooks.review_speech("hi".to_owned(), &context).await;
    assert_eq!(
        refused.text.unwrap_err().in_language(Language::EN),
        "look, which the host has look at this first, refused it: too loud"
    );
    // Words that a tool says are said, too.
    let status = call("set_status", json!({"text": "hi"}));
    let refused = bench
        .settings
        .build_registry(Vec::new())
        .run(status, context)
        .await;
    assert!(
        refused.is_error && refused.content.contains("too loud"),
        "{}",
        refused.content
    );
}

#[tokio::test]
async fn a_result_is_changed_before_the_model_reads_it_and_its_details_go() {
    let tool = "[own]\ndescription = \"own\"\n[own.command]\nargv = [\"./own.sh\"]\n\
                [other]\ndescription = \"other\"\n[other.command]\nargv = [\"echo\", \"secret\"]\n";
    let look = r#"read -r given; echo "$given" > given; echo "{\"text\": \"nothing to see\"}""#;
    let of_own = "on = [\"result\"]\ntools = [\"own\"]";
    let bench = Bench::with(
        &(tool.to_owned() + &hook("look", look, of_own)),
        r#"echo '{"data": {"key": "secret"}}'"#,
    );
    let (_, context) = holding(&bench, &["look"]);
    let result = bench.run_in(json!({}), context.clone()).await;
    assert_eq!(
        (result.content.as_str(), result.details),
        ("nothing to see", None)
    );
    let note = "look changed the result of own from \"{\"key\":\"secret\"}\" to \"nothing to see\"";
    assert_eq!(bench.news(), [ToolNewsItem::Note(note.into())]);
    let given = std::fs::read_to_string(bench.workspace().join("look/given")).unwrap();
    let given: Value = serde_json::from_str(&given).unwrap();
    assert_eq!(
        given["arguments"],
        json!({"on": "result", "text": "{\"key\":\"secret\"}", "tool": "own", "arguments": {}, "is_error": false})
    );
    let registry = bench.settings.build_registry(Vec::new());
    assert!(registry.origin("look").is_none(), "no model can call it");
    let other = registry.run(call("other", json!({})), context).await;
    assert_eq!(other.content, "secret");
}

#[tokio::test]
async fn the_translation_that_ships_is_asked_of_the_server_and_where_that_fails_the_text_stays() {
    const TRANSLATE: &str = "POST /translate";
    let server = FakeModel::start().await;
    let shipped = include_str!("../../../prompts/tools/translate.toml");
    assert_has(shipped, ["http://127.0.0.1:5000/translate"]);
    let bench = Bench::with(&shipped.replace("127.0.0.1:5000", server.host()), "");
    let (hooks, context) = holding(&bench, &["translate"]);
    let said = "is it \"late\"?\nwell";
    let translate = async || hooks.review_speech(said.to_owned(), &context).await;
    let answer = json!({
        "translatedText": "est-il \"tard\" ?\neh bien",
        "detectedLanguage": {"language": "en"},
    });
    server.on(TRANSLATE, Reply::json(200, answer));
    let translated = translate().await;
    let french = "est-il \"tard\" ?\neh bien".to_owned();
    assert_eq!(translated.text, Ok(french), "{:?}", translated.notes);
    assert_eq!(
        server.bodies_at(TRANSLATE),
        [json!({"q": said, "source": "auto", "target": "fr", "format": "text"})]
    );
    for broken in [
        Reply::json(400, json!({"error": "fr is not supported"})),
        Reply::json(200, json!({"error": "slow down"})),
        Reply::new(502, "text/html").bytes("<html>"),
    ] {
        server.now(TRANSLATE, [broken]);
        let kept = translate().await;
        assert_eq!(kept.text, Ok(said.to_owned()));
        assert!(
            kept.notes[0].starts_with("translate failed at what was to be said, so it passed: "),
            "{:?}",
            kept.notes
        );
    }
}
