//! serenity's own client against the fake: what it really asks for is served.

use std::sync::Arc;

use serenity::all::{Client, Context, EventHandler, GatewayIntents, Message as Heard};
use serenity::http::HttpBuilder;
use tokio::sync::mpsc;

use crate::fake_discord::*;

struct Listener(mpsc::UnboundedSender<String>);

#[serenity::async_trait]
impl EventHandler for Listener {
    async fn message(&self, context: Context, message: Heard) {
        let _ = self.0.send(message.content);
        if !message.author.bot {
            message.channel_id.say(&context.http, "heard").await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_serenity_client_connects_hears_answers_and_comes_back_after_a_drop() {
    let fake = FakeDiscord::start(World::small());
    fake.heartbeat_every(200);
    let http = HttpBuilder::new(TOKEN).proxy(fake.origin()).ratelimiter_disabled(true).build();
    let (sender, mut heard) = mpsc::unbounded_channel();
    let intents = GatewayIntents::non_privileged() | GatewayIntents::MESSAGE_CONTENT;
    let builder = serenity::client::ClientBuilder::new_with_http(http, intents).event_handler(Listener(sender));
    let mut client: Client = builder.await.unwrap();
    let shards = Arc::clone(&client.shard_manager);
    let running = tokio::spawn(async move { client.start().await });
    fake.until("identified", |world| world.log.identifies.first().map(|_| ())).await;
    fake.says(GENERAL, ANNA, "hi");
    assert_eq!(heard.recv().await.unwrap(), "hi");
    assert_eq!(heard.recv().await.unwrap(), "heard");
    assert_eq!(fake.posts(GENERAL)[0].text, "heard");
    fake.until("heartbeats", |world| (world.log.heartbeats > 1).then_some(())).await;
    fake.break_links(LinkFault::Reconnect);
    fake.until("resumed", |world| world.log.resumes.first().map(|resume| assert!(resume.granted))).await;
    fake.says(GENERAL, ANNA, "still there?");
    assert_eq!(heard.recv().await.unwrap(), "still there?");
    shards.shutdown_all().await;
    running.await.unwrap().unwrap();
}
