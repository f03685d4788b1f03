//! Hooks in a conversation: what is said is what they leave of it.

use super::*;
use kith_testkit::{assert_has, assert_lacks};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_hook_changes_is_what_is_said_and_the_report_says_which_hook() {
    let url = model(|user| match user.contains("refused it: no secrets") {
        true => "<turn><send_message>I keep it to myself</send_message></turn>".into(),
        false if user.contains("a secret") => {
            "<turn><send_message>it is a secret</send_message></turn>".into()
        }
        false => "<turn><send_message>write to ben@mail.example</send_message></turn>".into(),
    })
    .await;
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/prompts/tools");
    let more = format!(
        "tool_paths = [\"{examples}/no_contacts.toml\", \"secrets.toml\"]\nhooks = [\"no_contacts\", \"no_secrets\"]"
    );
    let refuse = r#"read -r given; case $given in *secret\"*) echo "{\"refuse\": \"no secrets\"}" ;; *) echo "{}" ;; esac"#;
    let definition = format!(
        "[no_secrets]\n[no_secrets.hook]\non = [\"speech\"]\n\
         [no_secrets.command]\nargv = [\"sh\", \"-c\", '''{refuse}''']\n"
    );
    let settings = settings(&url, &more);
    let files = [
        ("kith.toml", settings.as_str()),
        ("secrets.toml", &definition),
    ];
    let kith = KithProcess::furnished(&files, &[]).await;
    let hear = async |words: &str, known: usize| {
        kith.says(words).await;
        let said = kith.until_answers(known + 1).await;
        text(&said).to_owned()
    };
    assert_eq!(hear("@Juno where?", 0).await, "write to […]");
    kith.says("@Juno tell a secret").await;
    let notes = async || {
        let turns = kith.ask(json!({"ask": "turns", "channel": "10"})).await;
        let turns = turns["turns"].as_array().unwrap();
        turns
            .iter()
            .map(|turn| turn["notes"].to_string())
            .collect::<String>()
    };
    while !notes()
        .await
        .contains("no_secrets refused what was to be said: no secrets")
    {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // The next prompt tells why.
    assert_eq!(hear("@Juno well?", 1).await, "I keep it to myself");
    let changed = r#"no_contacts changed what was to be said from \"write to ben@mail.example\" to \"write to […]\""#;
    assert_has(notes().await, [changed]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_quotes_nothing_of_what_a_hook_that_failed_looked_at() {
    let said = "<turn><send_message>the blue door</send_message></turn>";
    let url = model(move |_| said.into()).await;
    let more = "tool_paths = [\"lax.toml\"]\nhooks = [\"lax\"]\n";
    let definition = "[lax]\n[lax.hook]\non = [\"speech\"]\non_failure = \"pass\"\n[lax.command]\n\
                      argv = [\"echo\", '\"the blue door\"']\n";
    let settings = settings(&url, more);
    let files = [("kith.toml", settings.as_str()), ("lax.toml", definition)];
    let kith = KithProcess::furnished(&files, &[]).await;
    kith.says("@Juno which one?").await;
    let answer = kith.until_answers(1).await;
    assert_eq!(text(&answer), "the blue door");
    kith.until_logged("a hook failed").await;
    assert_lacks(kith.log(), ["blue door"]);
}
