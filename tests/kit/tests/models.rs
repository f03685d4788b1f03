//! Whatever the fake sends, serenity 0.12.5 reads it without losing the event.

use serde_json::{Value, json};
use serenity::model::channel::{Channel as SerenityChannel, Message as SerenityMessage};
use serenity::model::event::{Event, GatewayEvent};
use serenity::model::guild::{Member as SerenityMember, PartialGuild};

use crate::client::{Client, INTENTS};
use crate::fake_discord::*;
use crate::rest::ask;

/// The next dispatch, as serenity reads it; it must not be one that serenity gave up on.
async fn next(client: &mut Client) -> Event {
    let frame = client.next().await;
    match serde_json::from_value::<GatewayEvent>(frame.clone()) {
        Ok(GatewayEvent::Dispatch(_, Event::Unknown(unknown))) => {
            panic!("{} is lost: {frame}", unknown.kind)
        }
        Ok(GatewayEvent::Dispatch(_, event)) => event,
        other => panic!("{other:?} for {frame}"),
    }
}

async fn identify(world: World) -> (FakeDiscord, Client) {
    let fake = FakeDiscord::start(world);
    let mut client = Client::connect(&fake).await;
    client.identify(INTENTS).await;
    assert!(matches!(next(&mut client).await, Event::Ready(_)));
    (fake, client)
}

#[tokio::test]
async fn serenity_reads_guilds_and_messages_of_every_kind() {
    let mut world = World::small();
    world.add_thread(GENERAL, "cats", ANNA);
    let (fake, mut client) = identify(world).await;
    let Event::GuildCreate(created) = next(&mut client).await else {
        panic!("a guild is announced")
    };
    assert_eq!(
        (created.guild.channels.len(), created.guild.threads.len()),
        (3, 1)
    );
    assert!(
        created
            .guild
            .roles
            .values()
            .any(|role| role.tags.bot_id.is_some())
    );

    let hi = fake.says(GENERAL, ANNA, &format!("hi <@{BOT}> <@&{MODS}>"));
    let Event::MessageCreate(heard) = next(&mut client).await else {
        panic!("a message")
    };
    assert_eq!(
        (
            heard.message.mentions.len(),
            heard.message.mention_roles.len()
        ),
        (1, 1)
    );
    assert!(heard.message.member.is_some());
    let rich =
        Message::by(BEN, "look")
            .reply_to(hi)
            .sticker(WAVE)
            .file("cat.png", "image/png", [1, 2, 3]);
    let rich = fake.post(GENERAL, rich.poll("Cats?", &["yes", "of course"]));
    let Event::MessageCreate(heard) = next(&mut client).await else {
        panic!("a message")
    };
    assert!(heard.message.referenced_message.is_some() && heard.message.poll.is_some());
    assert_eq!(
        (
            heard.message.sticker_items.len(),
            heard.message.attachments.len()
        ),
        (1, 1)
    );
    fake.post(RANDOM, Message::by(BEN, "").forward(GENERAL, rich));
    let Event::MessageCreate(heard) = next(&mut client).await else {
        panic!("a forward")
    };
    assert_eq!(heard.message.message_snapshots[0].content, "look");
    fake.post(
        GENERAL,
        Message::by_webhook(77, "News", "read all about it"),
    );
    let Event::MessageCreate(heard) = next(&mut client).await else {
        panic!("a webhook")
    };
    assert!(heard.message.webhook_id.is_some());
}

#[tokio::test]
async fn serenity_reads_every_other_event_there_is() {
    let mut world = World::small();
    world.add_thread(GENERAL, "cats", ANNA);
    let (fake, mut client) = identify(world).await;
    assert!(matches!(next(&mut client).await, Event::GuildCreate(_)));
    let hi = fake.says(GENERAL, ANNA, "hi");
    let rich = fake.says(GENERAL, BEN, "look");
    for _ in [hi, rich] {
        assert!(matches!(next(&mut client).await, Event::MessageCreate(_)));
    }
    fake.reacts(ANNA, GENERAL, hi, &format!("smile_cat:{SMILE_CAT}"));
    fake.unreacts(ANNA, GENERAL, hi, &format!("smile_cat:{SMILE_CAT}"));
    fake.clears_reactions(GENERAL, rich);
    fake.unfurls(
        GENERAL,
        hi,
        json!({"type": "link", "url": "https://example.com/", "title": "An example"}),
    );
    fake.edits(GENERAL, hi, "hello");
    fake.deletes(GENERAL, &[hi]);
    let more: Vec<Id> = ["a", "b"]
        .iter()
        .map(|text| fake.says(GENERAL, ANNA, text))
        .collect();
    fake.deletes(GENERAL, &more);
    fake.types(GENERAL, ANNA);
    let new = fake.world(|world| world.add_user("Nora"));
    fake.joins(GUILD, new, Some(GENERAL));
    fake.changes_member(GUILD, new, |member| member.nick = Some("Nono".into()));
    fake.leaves(GUILD, new);
    let thread = fake.opens_thread(GENERAL, ANNA, "dogs");
    fake.changes_channel(thread, |thread| thread.name = "wolves".into());
    fake.removes_channel(thread);
    let channel = fake.opens_channel(GUILD, "new");
    fake.changes_channel(channel, |channel| channel.topic = Some("new things".into()));
    fake.removes_channel(channel);
    fake.changes_role(GUILD, MODS, |role| role.name = "Guards".into());
    fake.changes_expressions(GUILD, |guild| guild.emojis.clear());
    fake.guild_outage(GUILD);
    fake.guild_comes_back(GUILD);
    let dm = fake.world(|world| world.dm(ANNA));
    fake.says(dm, ANNA, "psst");
    let mut kinds = Vec::new();
    while kinds.len() < 26 {
        kinds.push(next(&mut client).await.name().unwrap());
    }
    assert_eq!(kinds.last().unwrap(), "MESSAGE_CREATE");
    client
        .send(json!({"op": 8, "d": {"guild_id": GUILD.to_string(), "query": "", "limit": 0}}))
        .await;
    let Event::GuildMembersChunk(chunk) = next(&mut client).await else {
        panic!("members")
    };
    assert_eq!(chunk.members.len(), 7);
}

#[tokio::test]
async fn serenity_reads_what_rest_answers() {
    let fake = FakeDiscord::start(World::small());
    let get = async |path: String| {
        let (status, body) = ask(&fake, "GET", &path, Value::Null).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    };
    let id = fake.post(GENERAL, Message::by(ANNA, "hi").sticker(WAVE));
    fake.reacts(BEN, GENERAL, id, "👍");
    serde_json::from_value::<Vec<SerenityMessage>>(
        get(format!("/channels/{GENERAL}/messages")).await,
    )
    .unwrap();
    serde_json::from_value::<SerenityChannel>(get(format!("/channels/{GENERAL}")).await).unwrap();
    serde_json::from_value::<PartialGuild>(get(format!("/guilds/{GUILD}")).await).unwrap();
    let mut member = get(format!("/guilds/{GUILD}/members/{ANNA}")).await;
    member["guild_id"] = GUILD.to_string().into();
    serde_json::from_value::<SerenityMember>(member).unwrap();
    for path in ["gateway", "gateway/bot", "applications/@me", "users/@me"] {
        get(format!("/{path}")).await;
    }
    for path in ["channels", "roles", "emojis", "stickers", "threads/active"] {
        get(format!("/guilds/{GUILD}/{path}")).await;
    }
}
