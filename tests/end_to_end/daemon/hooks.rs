//! Hooks in a conversation: what is said is what they leave of it.

use super::*;

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
        let said = kith
            .until("an answer", |history| {
                history.iter().filter(|line| own(line)).nth(known).cloned()
            })
            .await;
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
    assert!(notes().await.contains(changed), "{}", notes().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hook_holds_in_the_channels_whose_list_names_it() {
    let url = model(|_| "<turn><send_message>hi</send_message></turn>".into()).await;
    let more = "tool_paths = [\"shout.toml\"]\nhooks = [\"shout\"]\n";
    let settings = settings(&url, more) + "\n[channel.10]\nhooks = []\n";
    let definition = "[shout]\n[shout.hook]\non = [\"speech\"]\n[shout.command]\n\
                      argv = [\"echo\", '{\"text\": \"HI\"}']\n";
    let files = [("kith.toml", settings.as_str()), ("shout.toml", definition)];
    let kith = KithProcess::furnished(&files, &[]).await;
    for (channel, heard) in [("10", "hi"), ("11", "HI")] {
        let mut post = post_of("@Juno hello", channel);
        post["channel"] = channel.into();
        kith.ask(post).await;
        let history = json!({"ask": "history", "channel": channel, "limit": 200});
        let said = loop {
            let page = kith.ask(history.clone()).await;
            let lines = page["messages"].as_array().unwrap();
            if let Some(said) = lines.iter().find(|line| own(line)) {
                break said.clone();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert_eq!(text(&said), heard, "{channel}");
    }
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
    let answer = kith
        .until("an answer", |history| {
            history.iter().find(|line| own(line)).cloned()
        })
        .await;
    assert_eq!(text(&answer), "the blue door");
    kith.until_logged("a hook failed").await;
    assert!(!kith.log().contains("blue door"), "{}", kith.log());
}
