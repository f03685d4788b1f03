//! A companion with a tool of its host's own: called in a turn, told what happens to sessions, read again when its
//! definition changes.

use super::*;
use kith_testkit::assert_has;

fn own(script: &str) -> String {
    format!(
        "[own]\ndescription = \"what the host made\"\n[own.command]\nargv = [\"sh\", \"./{script}\"]\n\
         on_session = [\"start\", \"shutdown\", \"auto_retry_start\", \"auto_retry_end\", \"rule_triggered\"]\n"
    )
}

fn script(says: &str) -> String {
    format!(
        "read -r input\necho \"$input\" >> heard\n\
         case $input in *'\"event\"'*) exit 1 ;; *) echo '{{\"progress\": \"half way\"}}'; echo {says} ;; esac\n"
    )
}

/// Calls the tool, and says what came of it.
fn answer(user: &str) -> String {
    match ["first", "second"]
        .into_iter()
        .find(|says| user.contains(&format!("{says} result")))
    {
        Some(says) => format!("<turn><send_message>it says {says}</send_message></turn>"),
        None => "<turn><own/></turn>".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_definition_is_called_told_and_read_again() {
    let url = model(answer).await;
    let (kith, first, second) = (
        settings(&url, "tool_paths = [\"own.toml\"]"),
        script("first result"),
        script("second result"),
    );
    let files = [
        ("kith.toml", kith.as_str()),
        ("own.toml", &own("first.sh")),
        ("first.sh", &first),
        ("second.sh", &second),
    ];
    let mut kith = KithProcess::furnished(&files, &[]).await;
    let said = |words: &'static str| {
        move |history: &[Value]| {
            history
                .iter()
                .any(|line| super::own(line) && text(line) == words)
                .then_some(())
        }
    };
    kith.says("@Juno ask it").await;
    kith.until("the result", said("it says first")).await;
    let turn = kith.ended_turn(1).await;
    let notes = turn["report"]["notes"].to_string();
    assert_has(&notes, ["own got as far as: half way"]);

    let path = kith.dir.path().join("own.toml");
    std::fs::write(&path, own("second.sh").replace("description", "descripton")).unwrap();
    kith.until_logged(
        "own.toml:2: error: there is no setting `own.descripton`; did you mean `description`?",
    )
    .await;
    std::fs::write(&path, own("second.sh")).unwrap();
    kith.until_logged("settings, personas and prompts were read again")
        .await;
    kith.says("@Juno ask it again").await;
    kith.until("the other result", said("it says second")).await;

    kith.stop();
    let heard = std::fs::read_to_string(kith.dir.path().join("data/tools/own/heard")).unwrap();
    let events: Vec<Value> = heard
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let names = |of: &str| {
        events
            .iter()
            .filter(|one| one["event"]["name"] == of && one["session"]["channel"] == "10")
            .count()
    };
    assert_eq!((names("start"), names("shutdown")), (2, 1), "{heard}");
    assert_has(kith.log(), ["a tool that was told of something failed"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_asked_again_and_what_a_rule_holds_back_is_told() {
    let asked = std::sync::atomic::AtomicU32::new(0);
    let url =
        kith_process::whole_server(move |_| match asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            0 => Err(503),
            1 => Ok("<turn><send_message>Great question! Let me know if you need anything else.</send_message></turn>"
                .into()),
            _ => Ok("<turn><send_message>hi</send_message></turn>".into()),
        })
        .await;
    let kith = settings(&url, "tool_paths = [\"own.toml\"]");
    let (definition, script) = (own("own.sh"), script("x"));
    let files = [
        ("kith.toml", kith.as_str()),
        ("own.toml", &definition),
        ("own.sh", &script),
    ];
    let mut kith = KithProcess::furnished(&files, &[]).await;
    kith.says("@Juno hello").await;
    kith.until_said("hi").await;
    kith.stop();
    let heard = std::fs::read_to_string(kith.dir.path().join("data/tools/own/heard")).unwrap();
    for event in ["auto_retry_start", "auto_retry_end", "rule_triggered"] {
        assert_has(&heard, [format!("\"name\":\"{event}\"")]);
    }
}

fn answer_with(text: &str) -> String {
    format!("<turn><send_message>{text}</send_message></turn>")
}

/// Searches when it is told to, else asks what the last search found; then it says what came of it.
fn search(user: &str) -> String {
    let result = |of: &str| user.contains(&format!("you called {of}"));
    let last = "hello world: notes.txt";
    match newest_line(user).as_str() {
        _ if user.contains(last) && result("last_search") => answer_with(last),
        _ if result("search_files") || result("last_search") => answer_with("one moment"),
        "@Juno search" => "<turn><search_files>hello world</search_files></turn>".to_owned(),
        _ => "<turn><last_search/></turn>".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_search_that_ships_publishes_and_logs_reaches_the_other_tool_and_the_report() {
    let url = model(search).await;
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/prompts/tools");
    let more = format!(
        "tool_paths = [\"{examples}/search_files.toml\"]\n\
         tools = [\"default\", \"search_files\", \"last_search\"]"
    );
    let kith = KithProcess::open(&settings(&url, &more)).await;
    let folder = kith.dir.path().join("data/tools/search_files");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("notes.txt"), "World, hello!").unwrap();
    std::fs::write(folder.join("picture.png"), [0x89, 0xff]).unwrap();
    let ask = async |words: &str, known: usize| {
        kith.says(words).await;
        let said = kith.until_answers(known + 1).await;
        text(&said).to_owned()
    };
    assert_eq!(ask("@Juno search", 0).await, "one moment");
    let notes = kith.ended_turns(1).await[0]["notes"].to_string();
    let log = "search_files logged: ./picture.png cannot be read: UnicodeDecodeError";
    assert_has(&notes, [log]);
    // The other tool is told in the background.
    let database = kith.database();
    while database.number("SELECT count(*) FROM tool_data") == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(ask("@Juno what was it", 1).await, "hello world: notes.txt");
}
