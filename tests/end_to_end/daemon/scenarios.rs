//! Tools of the host's own in whole turns: one that asks a site, a server that dies in the middle of a call, programs
//! that misbehave, and a tool that is told what happens to sessions.
use kith_testkit::assert_has;

use super::kith_process::whole_server;
use super::*;

fn said(words: &'static str) -> impl FnMut(&[Value]) -> Option<()> {
    move |history| {
        history
            .iter()
            .any(|line| own(line) && text(line).contains(words))
            .then_some(())
    }
}

/// A server with one tool, whose process ends when it is called.
const MORTAL: &str = r#"
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
    case "$line" in
        *'"initialize"'*) reply '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"stub","version":"1"}}' ;;
        *'"tools/list"'*) reply '{"tools":[{"name":"look","description":"Looks it up.","inputSchema":{"type":"object"}}]}' ;;
        *'"tools/call"'*) exit 1 ;;
    esac
done
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_can_see_is_shown_the_picture_a_server_answers_with() {
    let png = "iVBORw0KGgpJRU5ErkJggg==";
    let url = whole_server(move |body| {
        let prompt = body.to_string();
        let is_shown = prompt.contains(&format!("data:image/png;base64,{png}"))
            && prompt.contains("Image from library_look:");
        let answer = match prompt.contains("you called library_look") {
            true if is_shown => "<turn><send_message>a cat</send_message></turn>",
            true => "<turn><send_message>nothing to see</send_message></turn>",
            false => "<turn><library_look/></turn>",
        };
        Ok(answer.into())
    })
    .await;
    let kith = settings(&url, "tool_paths = [\"library.toml\"]");
    let kith = kith.replace("name = \"scripted\"", "name = \"scripted\"\nvision = true");
    let picture = format!(
        r#"reply '{{"content":[{{"type":"image","data":"{png}","mimeType":"image/png"}}]}}'"#
    );
    let files = [
        ("kith.toml", kith.as_str()),
        (
            "library.toml",
            "[library.mcp]\nargv = [\"sh\", \"./library.sh\"]\n",
        ),
        ("library.sh", &MORTAL.replace("exit 1", &picture)),
    ];
    let kith = KithProcess::furnished(&files, &[]).await;
    kith.until_logged("an MCP server is there").await;
    kith.says("@Juno what is on the cover?").await;
    kith.until("the answer", said("a cat")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_is_told_of_sessions_that_open_and_of_a_list_that_is_not_looked_at() {
    let url = kith_process::model_server(move |_, user| {
        let asked = user
            .lines()
            .rfind(|line| line.contains(" Anna: "))
            .unwrap_or_default();
        let rounds = user.matches("you called calculate").count();
        Some(match () {
            () if asked.contains("open") => {
                "<turn><create_session label=\"films\">here</create_session></turn>".into()
            }
            () if !user.contains("you called todo") => "<turn><todo>[>] add</todo></turn>".into(),
            () if rounds < 4 => "<turn><calculate>2 + 2</calculate></turn>".into(),
            () => "<turn><send_message>added</send_message></turn>".to_owned(),
        })
    })
    .await;
    let kith = settings(
        &url,
        "tools = [\"default\", \"create_session\", \"todo\", \"calculate\"]\ntool_paths = [\"ear.toml\"]",
    );
    let ear = "[ear]\ndescription = \"x\"\n[ear.command]\nargv = [\"sh\", \"-c\", \"cat >> heard; echo >> heard\"]\n\
               on_session = [\"branch\", \"tree\", \"switch\", \"todo_reminder\"]\n";
    let mut kith = KithProcess::furnished(&[("kith.toml", &kith), ("ear.toml", ear)], &[]).await;
    kith.says("@Juno add it all up").await;
    kith.until("the sum", said("added")).await;
    kith.says("@Juno open a thread about films").await;
    for _ in 0..600 {
        if kith.ask(json!({"ask": "sessions"})).await["sessions"]
            .as_array()
            .is_some_and(|all| !all.is_empty())
        {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    kith.stop();
    let heard =
        std::fs::read_to_string(kith.dir.path().join("data/tools/ear/heard")).unwrap_or_default();
    for event in ["branch", "tree", "switch", "todo_reminder"] {
        assert_has(&heard, [format!("\"name\":\"{event}\"")]);
    }
}
