//! The four protocols against a server that others wrote: `llmock` of the npm package `@copilotkit/aimock`, where it is
//! installed. It counts no tokens.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::*;

struct Llmock {
    process: Child,
    url: String,
}

impl Llmock {
    /// Starts one that answers `said`; none where it is not installed.
    fn start(folder: &std::path::Path, said: &str) -> Option<Self> {
        let fixture = json!({"fixtures": [{"match": {"userMessage": "1 Anna: hi"}, "response": {"content": said}}]});
        std::fs::write(folder.join("fixture.json"), fixture.to_string()).unwrap();
        let mut command = Command::new("llmock");
        command.args(["--port", "0", "--chunk-size", "7", "--fixtures"]).arg(folder);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let lines = BufReader::new(process.stdout.take()?).lines().map_while(Result::ok);
        let url = lines.into_iter().find_map(|line| Some(line.split_once("listening on ")?.1.trim().to_owned()))?;
        Some(Self { process, url })
    }
}

impl Drop for Llmock {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test]
async fn a_server_that_others_wrote_is_understood_in_all_four_protocols() {
    let folder = tempfile::tempdir().unwrap();
    let said = "<turn><send_message>hello 雪 & you</send_message></turn>";
    let Some(server) = Llmock::start(folder.path(), said) else {
        println!("skipped: no llmock here (npm install --global @copilotkit/aimock)");
        return;
    };
    for (provider, base) in [
        (Provider::OpenAi, format!("{}/v1", server.url)),
        (Provider::Anthropic, server.url.clone()),
        (Provider::Gemini, server.url.clone()),
        (Provider::Ollama, server.url.clone()),
    ] {
        let settings = ModelSettings {
            provider,
            base_url: base,
            name: "gpt-4o".into(),
            api_key: Secret::new("k"),
            ..ModelSettings::default()
        };
        let heard = ask(&resolve(&settings).await.model).await;
        assert_eq!(heard.text, said, "{provider:?}: {:?}", heard.end);
        assert!(heard.end.is_ok(), "{provider:?}: {:?}", heard.end);
    }
}
