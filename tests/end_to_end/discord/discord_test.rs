//! A fake Discord with a `kith` that lives on it, and how a scripted model reads its prompts.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kith_core::chat::ChannelId;

use crate::discord::fake_discord::{BOT, FakeDiscord, Id, Millis, TOKEN, World};
use crate::discord::kith_process::{KithProcess, model};
use crate::opened_store::open_store;

pub struct DiscordTest {
    pub fake: FakeDiscord,
    pub kith: KithProcess,
}

impl DiscordTest {
    /// `kith` on a Discord with this world. The model answers by the prompt's user message; `more` stands above the
    /// tables of the settings, `tables` below them.
    pub async fn of(
        world: World,
        more: &str,
        tables: &str,
        answer: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> Self {
        Self::on(FakeDiscord::start(world), more, tables, answer).await
    }

    /// The same on a fake that is there already.
    pub async fn on(
        fake: FakeDiscord,
        more: &str,
        tables: &str,
        answer: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> Self {
        let url = model(answer).await;
        let settings = settings(&fake, &url, more, tables);
        Self::with(fake, &settings, &[]).await
    }

    /// `kith` on this fake, with these settings and files in its folder.
    pub async fn with(fake: FakeDiscord, settings: &str, files: &[(&str, &str)]) -> Self {
        let files: Vec<_> = files
            .iter()
            .copied()
            .chain([("kith.toml", settings)])
            .collect();
        let kith = KithProcess::furnished(&files, &[("DISCORD_TOKEN", TOKEN)]).await;
        let test = Self { fake, kith };
        test.is_there().await;
        test
    }

    /// The requests of the console go to this port, with the token of the data folder.
    pub fn reach_console(&mut self, port: u16) {
        let token = std::fs::read_to_string(self.kith.dir.path().join("data/room.token")).unwrap();
        self.kith.url = format!("http://127.0.0.1:{port}");
        self.kith.token = token.trim().to_owned();
    }

    /// Waits until it is connected.
    pub async fn is_there(&self) {
        self.fake
            .until_true("a session", |world| !world.log.identifies.is_empty())
            .await;
        let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
        while self.fake.connected() == 0 {
            assert!(
                kith_system::clock::monotonic() < end,
                "never connected\n{}",
                self.log()
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Somebody mentions the companion and says this.
    pub fn calls(&self, channel: Id, user: Id, text: &str) -> Id {
        self.fake.says(channel, user, &format!("<@{BOT}> {text}"))
    }

    /// The same, and what the companion says next.
    pub async fn talk(&self, channel: Id, user: Id, text: &str) -> String {
        let known = self.fake.posts(channel).len();
        self.calls(channel, user, text);
        self.post(channel, known).await
    }

    /// Waits for the companion's next text in a channel, after `known` of them.
    pub async fn post(&self, channel: Id, known: usize) -> String {
        self.fake
            .until("a post", |world| {
                world
                    .posts(channel)
                    .get(known)
                    .map(|post| post.text.clone())
            })
            .await
    }

    /// Stays until nothing more could come of what happened, and answers how much the companion has posted there.
    pub async fn posts_in_peace(&self, channel: Id) -> usize {
        tokio::time::sleep(Duration::from_millis(900)).await;
        self.fake.posts(channel).len()
    }

    /// What a channel's messages on record say, oldest first. The process must have ended.
    pub async fn stored(&self, channel: Id) -> Vec<String> {
        let store = open_store(&self.kith);
        let lines = store
            .load_history(ChannelId(channel), None, 1_000)
            .await
            .unwrap();
        lines
            .into_iter()
            .map(|line| line.message.text.to_string())
            .collect()
    }

    /// Waits until the companion itself knows that so many of its actions were delivered: what is said after this is
    /// said to somebody who remembers them.
    pub async fn knows_it_did(&self, actions: u32) {
        let database = self.kith.database();
        let done = || database.number("SELECT count(*) FROM outbox WHERE state = 1");
        kith_testkit::until(
            || done() >= i64::from(actions),
            || format!("{} of {actions} actions\n{}", done(), self.log()),
        )
        .await;
    }

    /// Time passes while the process is stopped: how far channels were heard and what waits in the outbox is that much
    /// older.
    pub fn time_passes(&self, by: Millis) {
        let database = self.kith.database();
        database.change(&format!(
            "UPDATE outbox SET journaled_at = journaled_at - {by}"
        ));
        database.change(&format!(
            "UPDATE read_positions SET message = message - {}",
            by << 22
        ));
    }

    /// A word of the daemon's log and the fake's state, for a test that fails.
    pub fn log(&self) -> String {
        self.kith.log()
    }
}

/// What a model was shown, prompt by prompt.
pub type Prompts = Arc<Mutex<Vec<String>>>;

/// A model that keeps what it was shown and answers with the number of the prompt.
pub fn remembering() -> (Prompts, impl Fn(&str) -> String + Send + Sync + 'static) {
    let prompts = Prompts::default();
    let kept = prompts.clone();
    let answer = move |user: &str| {
        let mut kept = kept.lock().unwrap();
        kept.push(user.to_owned());
        say(&format!("answer {}", kept.len()))
    };
    (prompts, answer)
}

/// Settings that live on `fake`, with a model at `url` and nothing that takes time.
pub fn settings(fake: &FakeDiscord, url: &str, more: &str, tables: &str) -> String {
    // What a scenario tells is not to depend on whether something tempts it; those that are about that say so.
    let never = if more.contains("talkativeness") {
        ""
    } else {
        "talkativeness = \"about 0 an hour\"\n"
    };
    crate::discord::kith_process::settings(url, &(never.to_owned() + more))
        + &format!("[discord]\napi_base = \"{}\"\n{tables}", fake.api())
}

pub fn on(channel: u64) -> String {
    format!("[channel.{channel}]\nmode = \"on\"\n")
}

/// One message of the model.
pub fn say(text: &str) -> String {
    format!("<turn><send_message>{text}</send_message></turn>")
}
