//! `kith setup` and `kith check --online` as people meet them: the real binary with typed answers, a fake Discord and a
//! scripted model. Whatever happens, no key and no token is shown, and nothing leaves the loopback interface.

mod answers;
mod documents;
mod first_answer;
mod online_check;
use kith_testkit::fake_discord;
use kith_testkit::fake_model;
mod flags;
mod terminal;

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::json;

use fake_discord::{FakeDiscord, TOKEN};
use fake_model::{FakeModel, Reply};

/// The key the scripted model takes.
const KEY: &str = "sk-never-a-real-key-0123456789";

struct ProgramRun {
    code: Option<i32>,
    out: String,
    err: String,
}

/// A folder, a Discord and a model of one's own.
struct SetupTest {
    folder: tempfile::TempDir,
    fake: FakeDiscord,
    model: FakeModel,
}

impl SetupTest {
    /// With a world, and a model server that offers `small-one` and `large-one` and answers with `ready`.
    async fn of(world: fake_discord::World) -> Self {
        let model = FakeModel::openai([Reply::openai(&["ready"])]).await;
        model.on(
            "GET /v1/models",
            Reply::json(
                200,
                json!({"data": [{"id": "small-one"}, {"id": "large-one"}]}),
            ),
        );
        Self {
            folder: tempfile::tempdir().unwrap(),
            fake: FakeDiscord::start(world),
            model,
        }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.path().join(file))
            .unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    fn has(&self, file: &str) -> bool {
        self.path().join(file).exists()
    }

    /// `kith` in the folder, with nothing of this machine's environment and Discord on loopback.
    fn kith(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kith"));
        command.args(args).current_dir(self.path()).env_clear();
        // Nobody listens at port 9: an Ollama of this machine must not be found.
        command
            .env("KITH__DISCORD__API_BASE", self.fake.api())
            .env("OLLAMA_HOST", "127.0.0.1:9");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// `kith setup` with these flags, and these answers one after the other.
    fn setup(&self, flags: &[&str], answers: &[&str]) -> ProgramRun {
        let args: Vec<&str> = ["setup"].iter().chain(flags).copied().collect();
        let mut child = self.kith(&args).spawn().unwrap();
        answer(&mut child, answers);
        self.ended(child)
    }

    fn ended(&self, child: Child) -> ProgramRun {
        let output = child.wait_with_output().unwrap();
        let (out, err) = (
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        );
        for secret in [TOKEN, KEY] {
            assert!(
                !out.contains(secret) && !err.contains(secret),
                "a secret is shown:\n{out}\n{err}"
            );
        }
        ProgramRun {
            code: output.status.code(),
            out,
            err,
        }
    }
}

fn answer(child: &mut Child, answers: &[&str]) {
    let typed: String = answers.iter().map(|answer| format!("{answer}\n")).collect();
    // Who asks nothing may have ended already.
    let _ = child.stdin.as_mut().unwrap().write_all(typed.as_bytes());
}
