//! A process that was killed, and the session it left: Discord tells the next one what came since, and no channel has to be
//! looked back at by a request.

use std::time::Duration;

use kith_system::clock;
use kith_testkit::assert_has;
use serde_json::json;

use super::simulated_time::SimulatedTime;
use crate::discord::discord_test::{DiscordTest, Prompts, on, remembering, settings};
use crate::discord::fake_discord::{
    ANNA, BEN, BOT, FakeDiscord, GENERAL, GUILD, Id, MO, MODS, Millis, RANDOM, Role, TOKEN, World,
};
use crate::discord::kith_process::{KithProcess, model};

const SECOND: Millis = 1_000;
const LOOK_BACK: &str = "GET /channels/*/messages";

/// What was said before a process was killed.
struct Killed {
    test: DiscordTest,
    prompts: Prompts,
    /// Messages of Anna and of Ben in the same channel.
    kept: Id,
    regretted: Id,
    /// A channel that is off.
    attic: Id,
    requests: usize,
    /// The next process has the same clock.
    _time: SimulatedTime,
}

/// A process that heard two messages, kept up to where it did, and was killed.
async fn kill_one() -> Killed {
    let mut world = World::small();
    let attic = world.add_channel(GUILD, "attic");
    let fake = FakeDiscord::start(world);
    let time = SimulatedTime::begin(clock::now());
    let (prompts, answer) = remembering();
    let url = model(answer).await;
    let settings = settings(&fake, &url, "", &(on(GENERAL) + &on(RANDOM)));
    let (variable, file) = time.variable();
    let environment = [("DISCORD_TOKEN", TOKEN), (variable, &*file)];
    let kith = KithProcess::furnished(&[("kith.toml", &settings)], &environment).await;
    let mut test = DiscordTest { fake, kith };
    test.is_there().await;
    let kept = test.fake.says(GENERAL, ANNA, "I paint boats");
    test.is_stored("I paint boats").await;
    time.pass_until(time.now() + 20 * SECOND, &test.fake).await;
    let regretted = test.fake.says(GENERAL, BEN, "I hate boats");
    test.fake.says(RANDOM, BEN, "nothing new here");
    is_recorded(&test).await;
    test.kith.kill();
    let requests = test.fake.requests(LOOK_BACK).len();
    Killed {
        test,
        prompts,
        kept,
        regretted,
        attic,
        requests,
        _time: time,
    }
}

/// Waits until it is kept up to where the session was heard.
async fn is_recorded(test: &DiscordTest) {
    let database = rusqlite::Connection::open(test.kith.dir.path().join("data/kith.db")).unwrap();
    let record = "SELECT 1 FROM meta WHERE key = 'discord.sessions'";
    let end = clock::monotonic() + kith_testkit::PATIENCE;
    while database.query_row(record, [], |_| Ok(())).is_err() {
        assert!(clock::monotonic() < end, "never kept\n{}", test.log());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

impl Killed {
    /// What happens while nobody listens.
    fn goes_on(&self) {
        let fake = &self.test.fake;
        fake.edits(GENERAL, self.kept, "I paint ships");
        fake.deletes(GENERAL, &[self.regretted]);
        fake.says(GENERAL, BEN, "no, they are fine");
        fake.says(GENERAL, ANNA, &format!("<@{BOT}> what do I paint?"));
    }

    /// It answers once, and knows what was edited and what was deleted.
    async fn knows_all(&mut self) {
        let test = &mut self.test;
        assert_eq!(test.post(GENERAL, 0).await, "answer 1");
        assert_eq!(test.posts_in_peace(GENERAL).await, 1, "{}", test.log());
        let prompt = self.prompts.lock().unwrap().last().cloned().unwrap();
        assert_has(
            &prompt,
            ["I paint ships", "no, they are fine", "what do I paint?"],
        );
        test.kith.stop();
        let stored = test.stored(GENERAL).await;
        assert_eq!(
            stored[..3],
            [
                "I paint ships",
                "no, they are fine",
                "@juno what do I paint?"
            ],
            "{}",
            test.log()
        );
    }

    /// The next process knows all, and asks each channel for it.
    async fn asks_each_channel(&mut self) {
        self.test.kith.start();
        self.knows_all().await;
        assert!(self.looks_back() >= 2, "{}", self.test.log());
    }

    fn looks_back(&self) -> usize {
        self.test.fake.requests(LOOK_BACK).len() - self.requests
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_kill_the_former_session_tells_what_came_and_no_channel_is_asked_for_it() {
    let mut killed = kill_one().await;
    killed.goes_on();
    killed.test.kith.start();
    killed.knows_all().await;
    assert_eq!(killed.looks_back(), 0, "{}", killed.test.log());
    let resumes = killed.test.fake.world(|world| world.log.resumes.len());
    assert_eq!(resumes, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_the_former_session_is_gone_each_channel_is_asked_as_ever() {
    let mut killed = kill_one().await;
    killed.goes_on();
    killed.test.fake.forget_sessions();
    killed.asks_each_channel().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_former_session_did_not_tell_is_asked_for_where_discord_has_something_newer() {
    let mut killed = kill_one().await;
    let fake = &killed.test.fake;
    fake.spoil_next("MESSAGE_CREATE", "/channel_id", json!("999"));
    fake.says(RANDOM, BEN, "is anybody here?");
    killed.goes_on();
    killed.test.kith.start();
    killed.knows_all().await;
    assert_eq!(killed.looks_back(), 1, "{}", killed.test.log());
    let stored = killed.test.stored(RANDOM).await;
    assert_eq!(stored, ["nothing new here", "is anybody here?"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_rights_changed_meanwhile_each_channel_of_the_server_is_asked() {
    let mut killed = kill_one().await;
    killed.goes_on();
    let rename = |role: &mut Role| role.name = "keepers".into();
    killed.test.fake.changes_role(GUILD, MODS, rename);
    killed.asks_each_channel().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_the_link_to_the_former_session_breaks_each_channel_is_asked() {
    let mut killed = kill_one().await;
    killed.goes_on();
    killed.test.fake.refuse_resumes(1);
    killed.asks_each_channel().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_while_a_channel_was_off_is_not_read_though_the_former_session_tells_it() {
    let mut killed = kill_one().await;
    let attic = killed.attic;
    killed.test.fake.says(attic, BEN, "the buffalo sings");
    killed.test.kith.start();
    let test = &killed.test;
    test.is_there().await;
    test.hears(attic, MO, "kith on").await;
    test.fake.says(attic, ANNA, "the cassowary runs");
    test.is_stored("cassowary").await;
    assert!(test.kith.files_with("buffalo").is_empty(), "{}", test.log());
}
