//! What people do in the scenarios beside talking: they use commands, menus and buttons and read the answers, and a
//! test looks at everything the model was ever shown.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::discord::discord_test::{DiscordTest, settings};
use crate::discord::fake_discord::{EPHEMERAL, FakeDiscord, Id, Message, World};
use crate::discord::kith_process::model_server;

/// Forgetting somebody in a large database that is busy takes long.
const CONFIRMED_WITHIN: Duration = Duration::from_mins(10);

/// Every prompt the model was shown, system and user message together, oldest first.
#[derive(Clone, Default)]
pub struct PromptLog(Arc<Mutex<Vec<String>>>);

impl PromptLog {
    pub fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    pub fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    pub fn last(&self) -> String {
        self.0.lock().unwrap().last().cloned().unwrap_or_default()
    }

    pub fn any_with(&self, text: &str) -> bool {
        self.0
            .lock()
            .unwrap()
            .iter()
            .any(|prompt| prompt.contains(text))
    }
}

impl DiscordTest {
    /// `kith` on a Discord with this world, and what its model is shown. The model answers by the user message.
    pub async fn watched(
        world: World,
        more: &str,
        tables: &str,
        answer: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> (Self, PromptLog) {
        Self::furnished(world, more, tables, &[], answer).await
    }

    /// The same, with these files in its folder.
    pub async fn furnished(
        world: World,
        more: &str,
        tables: &str,
        files: &[(&str, &str)],
        answer: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> (Self, PromptLog) {
        let (fake, shown) = (FakeDiscord::start(world), PromptLog::default());
        let kept = shown.clone();
        let url = model_server(move |system, user| {
            kept.0.lock().unwrap().push(format!("{system}\n{user}"));
            Some(answer(user))
        })
        .await;
        let settings = settings(&fake, &url, more, tables);
        let test = Self::with(fake, &settings, files).await;
        test.has_commands().await;
        (test, shown)
    }

    pub async fn has_commands(&self) {
        self.fake
            .until_true("commands", |world| !world.commands.is_empty())
            .await;
    }

    /// Stops it as a host does, and starts it again.
    pub async fn restarts(&mut self) {
        self.kith.stop();
        self.starts().await;
    }

    /// Starts it again after it was stopped or killed.
    pub async fn starts(&mut self) {
        let before = self.fake.world(|world| world.log.identifies.len());
        self.kith.start();
        self.fake
            .until_true("a new session", |world| world.log.identifies.len() > before)
            .await;
        self.is_there().await;
    }

    /// Somebody uses a command; the answer, which only they see.
    pub async fn asks(&self, channel: Id, user: Id, command: &str, options: Value) -> Message {
        let asked = self.fake.slash(channel, user, command, options);
        self.answered(asked).await
    }

    /// The same without options, and what the answer says.
    pub async fn hears(&self, channel: Id, user: Id, command: &str) -> String {
        said(&self.asks(channel, user, command, json!({})).await)
    }

    pub async fn chooses(&self, channel: Id, user: Id, menu: &str, message: Id) -> String {
        said(
            &self
                .answered(self.fake.menu(channel, user, menu, message))
                .await,
        )
    }

    pub async fn presses(&self, channel: Id, user: Id, message: Id, button: &str) -> Message {
        self.answered(self.fake.presses(channel, user, message, button))
            .await
    }

    /// Somebody is asked back whether they mean it, and says yes; what they are told in the question's place.
    pub async fn confirms(&self, channel: Id, user: Id, question: &Message, what: &str) -> String {
        let pressed = self
            .fake
            .presses(channel, user, question.id, &button(question, what));
        let changed = |world: &World| {
            let pressed = &world.interactions[&pressed];
            match pressed.callback? {
                7 => Some(words_of(&pressed.body["data"])),
                // What takes longer is promised first.
                _ => world
                    .find_hidden(question.id)
                    .map(said)
                    .filter(|now| *now != said(question)),
            }
        };
        self.fake
            .until_within(CONFIRMED_WITHIN, "a changed question", changed)
            .await
    }

    /// The first entry of a log channel that says this.
    pub async fn logged(&self, log: Id, text: &str) -> Message {
        let entry = |world: &World| {
            world
                .posts(log)
                .into_iter()
                .find(|entry| said(entry).contains(text))
                .cloned()
        };
        self.fake.until("a log entry", entry).await
    }

    /// The answer to a command, menu or button, once it is shown.
    pub async fn answered(&self, asked: Id) -> Message {
        let answer = self.fake.answer(asked).await;
        assert_eq!(
            answer.flags & EPHEMERAL,
            EPHEMERAL,
            "everybody sees {answer:?}"
        );
        let interaction = self.fake.interaction(asked);
        let took = interaction.answered_at.map(|at| at - interaction.at);
        assert!(
            took.is_some_and(|took| took < 3_000),
            "acknowledged after {took:?} ms"
        );
        answer
    }

    /// Asks again and again, until the answer holds this.
    pub async fn until_told(&self, part: &str, ask: impl AsyncFn() -> String) -> String {
        let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
        loop {
            let answer = ask().await;
            if answer.contains(part) {
                return answer;
            }
            assert!(
                kith_system::clock::monotonic() < end,
                "never told: {part}\n{answer}\n{}",
                self.log()
            );
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }

    /// Waits until a text is in no file any more.
    pub async fn is_gone(&self, text: &str) {
        let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
        while !self.kith.files_with(text).is_empty() {
            assert!(
                kith_system::clock::monotonic() < end,
                "{text} is still in {:?}",
                self.kith.files_with(text)
            );
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    /// Waits until a text is on disk.
    pub async fn is_stored(&self, text: &str) {
        kith_testkit::until(
            || !(self.kith.files_with(text).is_empty()),
            || format!("never stored: {text}\n{}", self.log()),
        )
        .await;
    }
}

/// Everything a message says: its text and its embeds.
pub fn said(message: &Message) -> String {
    let mut out = message.text.clone();
    for embed in &message.embeds {
        out.push_str(&words_of(embed));
    }
    out
}

/// The id of the button of a message that does this: `why`, `raw`, `pause`, `back`, `forget` …
pub fn button(message: &Message, what: &str) -> String {
    let rows = message
        .components
        .iter()
        .flat_map(|row| row["components"].as_array().into_iter().flatten());
    let mut ids = rows.filter_map(|button| button["custom_id"].as_str());
    let found = ids.find(|id| id.starts_with(&format!("kith:{what}:")));
    found
        .unwrap_or_else(|| panic!("no button {what}: {:?}", message.components))
        .to_owned()
}

fn words_of(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\n{text}"),
        Value::Array(items) => items.iter().map(words_of).collect(),
        Value::Object(fields) => fields.values().map(words_of).collect(),
        _ => String::new(),
    }
}
