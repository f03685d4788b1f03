//! Deeds about members: nowhere on by themselves, caused only by who may, done only after a click by who could do it by
//! hand, exactly as they were proposed, and once.

mod from_console;
mod proposals;

use kith_testkit::{assert_has, assert_lacks};
use serde_json::json;

use crate::discord::fake_discord::permissions as may;
use crate::discord::prelude::*;

/// Everything a bot and a moderator need.
const POWERS: u64 =
    may::BAN_MEMBERS | may::KICK_MEMBERS | may::MODERATE_MEMBERS | may::MANAGE_MESSAGES;

/// A guild in which the bot may do all of it, and moderators, too.
fn world() -> World {
    let mut world = World::small();
    world.bot_may(GUILD, POWERS);
    world
        .guild_mut(GUILD)
        .roles
        .get_mut(&MODS)
        .unwrap()
        .permissions |= POWERS;
    world
}

/// On, with a log channel, and these settings of moderation.
fn moderated(table: &str) -> String {
    format!(
        "[guild.{GUILD}]\nmode = \"on\"\nlog_channel = \"{LOG}\"\n[guild.{GUILD}.moderation]\n{table}\n"
    )
}

const ALL: &str =
    "actions = [\"timeout_member\", \"kick_member\", \"ban_member\", \"delete_message\"]";

/// The number of the line in which Ben offers pills.
fn line(prompt: &str) -> String {
    let line = prompt
        .lines()
        .rfind(|line| line.contains("Ben") && line.contains("pills"))
        .unwrap_or_default();
    line.chars().take_while(char::is_ascii_digit).collect()
}

/// A model that does this about Ben as long as it knows of no result, and then says so.
fn does(deed: &'static str, more: &'static str) -> impl Fn(&str) -> String + Send + Sync + 'static {
    move |prompt: &str| {
        let knows = [
            "not done",
            "done: ",
            "there is no",
            "moderator approved",
            "said no",
            "answered in time",
        ];
        match knows.iter().any(|known| prompt.contains(known)) || line(prompt).is_empty() {
            true => say("I saw to it"),
            false => format!(
                "<turn><{deed} line=\"{}\"{more}>sells pills</{deed}></turn>",
                line(prompt)
            ),
        }
    }
}

struct ModerationTest {
    test: DiscordTest,
    shown: PromptLog,
}

impl ModerationTest {
    async fn of(
        world: World,
        table: &str,
        model: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> Self {
        let (test, shown) = DiscordTest::watched(world, "", &moderated(table), model).await;
        Self { test, shown }
    }

    /// Ben sells pills, and somebody asks the companion to do something about it; waits for what it says.
    async fn asked_by(&self, user: Id) {
        self.test.fake.says(GENERAL, BEN, "buy my pills");
        assert_eq!(
            self.test
                .talk(GENERAL, user, "do something about Ben")
                .await,
            "I saw to it"
        );
    }

    async fn card(&self) -> Message {
        self.test
            .fake
            .until("a card", |world| asking(world).first().cloned())
            .await
    }

    async fn presses(&self, user: Id, card: &Message, what: &str) -> String {
        said(
            &self
                .test
                .presses(LOG, user, card.id, &button(card, what))
                .await,
        )
    }

    /// The card as it is once it says this, without buttons.
    async fn says(&self, card: &Message, text: &str) -> String {
        let shown = |world: &World| {
            let now = world.message(LOG, card.id)?;
            (said(now).contains(text) && now.components.is_empty()).then(|| said(now))
        };
        self.test.fake.until(text, shown).await
    }

    async fn next_prompt(&self) -> String {
        self.test.talk(GENERAL, ANNA, "and now?").await;
        self.shown.last()
    }

    fn bans(&self) -> usize {
        let done = self.test.fake.requests("PUT /guilds/*/bans/*");
        done.iter()
            .filter(|request| request.status == Some(204))
            .count()
    }

    fn is_member(&self) -> bool {
        self.test
            .fake
            .world(|world| world.guilds[&GUILD].members.contains_key(&BEN))
    }
}

fn asking(world: &World) -> Vec<Message> {
    let has_buttons = |post: &&Message| {
        post.components
            .iter()
            .any(|row| row.to_string().contains("kith:approve:"))
    };
    world
        .posts(LOG)
        .into_iter()
        .filter(has_buttons)
        .cloned()
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nothing_is_switched_on_a_ban_is_an_unknown_tool_and_costs_no_word_of_the_prompt() {
    let scene = ModerationTest::of(world(), "", does("ban_member", "")).await;
    scene.asked_by(MO).await;
    let prompts = scene.shown.all();
    assert_lacks(&prompts[0], ["ban_member"]);
    assert_has(&prompts[1], ["there is no \"ban_member\" here"]);
    assert!(
        scene.is_member()
            && scene
                .test
                .fake
                .requests("GET /guilds/*/members/*")
                .is_empty()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_moderator_approves_is_done_once_and_everybody_who_should_know_is_told() {
    let scene = ModerationTest::of(world(), ALL, does("ban_member", "")).await;
    scene.asked_by(MO).await;
    assert_has(
        scene.shown.last(),
        ["a moderator has to approve that you ban Ben"],
    );
    let card = scene.card().await;
    assert_has(
        said(&card),
        [
            "Ban Ben from the server?",
            "#general",
            "sells pills",
            "within 1 h",
        ],
    );
    assert!(
        card.text.contains(&format!("<@{BEN}>")) && card.mentions.is_empty(),
        "{card:?}"
    );
    assert!(scene.is_member(), "nobody has approved it yet");
    let press = |user| {
        scene
            .test
            .fake
            .presses(LOG, user, card.id, &button(&card, "approve"))
    };
    let (first, second) = (press(MO), press(HOST));
    let answers = [
        scene.test.answered(first).await,
        scene.test.answered(second).await,
    ];
    let approved = answers
        .iter()
        .filter(|answer| answer.text.starts_with("Approved: Ban Ben"))
        .count();
    let before = answers
        .iter()
        .filter(|answer| answer.text.contains("decided before"))
        .count();
    assert_eq!((approved, before), (1, 1), "{answers:?}");
    scene.says(&card, ": done.").await;
    assert_eq!((scene.bans(), scene.is_member()), (1, false));
    let reason = scene
        .test
        .fake
        .world(|world| world.guilds[&GUILD].bans[&BEN].reason.clone());
    assert_eq!(reason.as_deref(), Some("sells pills"));
    assert_has(
        scene.next_prompt().await,
        ["a moderator approved that you ban Ben from the server: it is done"],
    );
    assert!(
        !scene.next_prompt().await.contains("it is done"),
        "it is told once"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ban_denied_to_who_may_not_and_then_asked_for_by_who_may_is_done_by_a_click_once() {
    let scene = ModerationTest::of(world(), ALL, does("ban_member", "")).await;
    scene.asked_by(ANNA).await;
    assert_has(
        scene.shown.last(),
        ["not done: who asked for it may not have it done"],
    );
    let entry = scene
        .test
        .logged(LOG, "ban\\_member not done in #general")
        .await;
    assert_lacks(said(&entry), ["Ben"]);
    assert!(scene.test.fake.world(|world| asking(world).is_empty()) && scene.is_member());
    scene.asked_by(MO).await;
    let card = scene.card().await;
    assert!(scene.is_member(), "nobody has approved it yet");
    assert!(
        scene
            .presses(MO, &card, "approve")
            .await
            .starts_with("Approved: Ban Ben")
    );
    scene.says(&card, "Approved by Mo: done.").await;
    assert_eq!((scene.bans(), scene.is_member()), (1, false));
    assert_has(
        scene.next_prompt().await,
        ["a moderator approved that you ban Ben from the server: it is done"],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_denied_is_not_done() {
    let scene = ModerationTest::of(world(), ALL, does("kick_member", "")).await;
    scene.asked_by(MO).await;
    let card = scene.card().await;
    assert_has(scene.presses(MO, &card, "deny").await, ["Denied: Kick Ben"]);
    scene.says(&card, "Denied by Mo").await;
    assert_has(
        scene.next_prompt().await,
        ["a moderator said no: you may not kick Ben"],
    );
    assert!(
        scene.is_member()
            && scene
                .test
                .fake
                .requests("DELETE /guilds/*/members/*")
                .is_empty()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_no_click_is_wanted_it_is_done_at_once_and_the_model_knows() {
    let table = format!("{ALL}\nwithout_approval = [\"timeout_member\", \"delete_message\"]");
    let scene =
        ModerationTest::of(world(), &table, does("timeout_member", " minutes=\"10\"")).await;
    let before = scene.test.fake.now();
    scene.test.fake.says(GENERAL, BEN, "buy my pills");
    scene.test.calls(GENERAL, MO, "do something about Ben");
    let until = |world: &World| world.guilds[&GUILD].members[&BEN].timed_out_until;
    let until = scene.test.fake.until("a time-out", until).await;
    assert!(
        (600_000..660_000).contains(&(until - before)),
        "{}",
        until - before
    );
    scene.test.posts_in_peace(GENERAL).await;
    assert_eq!(scene.shown.count(), 1, "it was done, so the turn is over");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guild_without_a_log_channel_of_its_own_is_asked_about_in_the_hosts() {
    let mut world = world();
    let home = world.add_guild("The host's own", HOST);
    let watch = world.add_channel(home, "watch");
    let tables = format!(
        "[discord.log]\nchannel = \"{watch}\"\n[guild.{GUILD}]\nmode = \"on\"\n[guild.{GUILD}.moderation]\n{ALL}\n"
    );
    let (test, _) = DiscordTest::watched(world, "", &tables, does("ban_member", "")).await;
    test.fake.says(GENERAL, BEN, "buy my pills");
    test.calls(GENERAL, MO, "do something about Ben");
    let card = test.logged(watch, "Ban Ben from the server?").await;
    assert_has(said(&card), ["The Lounge #general"]);
    test.presses(watch, HOST, card.id, &button(&card, "approve"))
        .await;
    test.fake
        .until_true("a ban", |world| {
            world.guilds[&GUILD].bans.contains_key(&BEN)
        })
        .await;
}
