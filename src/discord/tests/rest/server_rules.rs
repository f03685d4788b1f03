//! Sending where a server has rules: permissions, AutoMod, slow mode, threads, deleted originals. The fake Discord
//! holds every request against Discord's own description.

use std::sync::{Arc, RwLock};
use std::time::Duration;

use kith_core::chat::{ChannelId, GuildId, HOUR, MessageId, UserId};
use kith_core::directory::{Directory, Guild, GuildEmoji, GuildRole, GuildSticker, PermissionSet};
use kith_core::secret::Secret;
use kith_discord::rest::{
    DiscordAbility, RequestPacing, RestClient, RestRequest, RestRoute, RestSettings,
};
use kith_discord::send::{DeliveryStatus, MessagePost, MessageSender, SendError};

use super::fake_discord::permissions as may;
use super::fake_discord::{
    self, ANNA, BOT, FakeDiscord, Fault, For, GENERAL, GUILD, Id, SMILE_CAT, WAVE, World,
};
use super::pace;
use super::texts::text_channel;

pub const HERE: ChannelId = ChannelId(GENERAL);
const LOUNGE: GuildId = GuildId(GUILD);

/// What is known of the small world.
fn directory() -> Directory {
    let mut directory = Directory {
        me: UserId(BOT),
        ..Directory::default()
    };
    let everyone = GuildRole {
        name: "@everyone".into(),
        permissions: PermissionSet(!0),
        position: 0,
        bot: None,
    };
    let guild = Guild {
        emoji: [GuildEmoji {
            id: SMILE_CAT,
            name: "smile_cat".into(),
            animated: false,
        }]
        .into(),
        stickers: [GuildSticker {
            id: WAVE,
            name: "wave".into(),
        }]
        .into(),
        roles: [(GUILD, everyone)].into(),
        ..Guild::default()
    };
    directory.put_guild(
        LOUNGE,
        guild,
        vec![text_channel(LOUNGE, GENERAL, "general")],
    );
    directory
        .names
        .put(Some(LOUNGE), UserId(ANNA), "Anna".into());
    directory
}

pub fn rest(fake: &FakeDiscord, pace: RequestPacing) -> RestClient {
    let settings = RestSettings::new(&fake.api(), Secret::new(fake_discord::TOKEN), "");
    RestClient::new(RestSettings { pace, ..settings }).unwrap()
}

pub fn message_sender(rest: &RestClient) -> MessageSender {
    MessageSender::new(rest.clone(), Arc::new(RwLock::new(directory())))
}

pub fn post(channel: Id, text: &str, nonce: &str) -> MessagePost {
    MessagePost {
        channel: ChannelId(channel),
        text: text.into(),
        attachment: None,
        reply_to: None,
        nonce: nonce.into(),
        at: kith_system::clock::now(),
    }
}

fn start() -> (FakeDiscord, RestClient, MessageSender) {
    let fake = FakeDiscord::start(World::small());
    let rest = rest(&fake, pace());
    let message_sender = message_sender(&rest);
    (fake, rest, message_sender)
}

#[tokio::test]
async fn what_is_done_with_messages_is_as_discord_describes_it() {
    let (fake, _, message_sender) = start();
    let hi = MessageId(fake.says(GENERAL, ANNA, "hi"));
    let reply = MessagePost {
        reply_to: Some(hi),
        ..post(
            GENERAL,
            "@Anna :smile_cat: in #general [sticker: wave]",
            "7.0",
        )
    };
    let said = message_sender.send(&reply).await.unwrap();
    let posted = &fake.posts(GENERAL)[0];
    assert_eq!(
        posted.text,
        format!("<@{ANNA}> <:smile_cat:{SMILE_CAT}> in <#{GENERAL}>")
    );
    assert_eq!(
        (&*posted.stickers, &*posted.mentions, posted.replies_to()),
        (&[WAVE][..], &[ANNA][..], Some(hi.0))
    );
    let mine = said[0].id;

    message_sender.show_typing(HERE);
    fake.until("typing", |world| {
        world.channel(GENERAL).typing.first().copied()
    })
    .await;
    message_sender
        .edit_message(HERE, mine, "never mind, @Anna")
        .await
        .unwrap();
    for emoji in ["👀", ":smile_cat:"] {
        message_sender.react(HERE, hi, emoji).await.unwrap();
        message_sender.react(HERE, hi, emoji).await.unwrap();
    }
    let reactions = fake.world(|world| world.message(GENERAL, hi.0).unwrap().reactions.clone());
    assert_eq!(
        reactions
            .iter()
            .filter(|reaction| reaction.users.contains(&BOT))
            .count(),
        2
    );

    let one = std::slice::from_ref(&reply);
    let traces = message_sender
        .find_deliveries(HERE, one, &[])
        .await
        .unwrap();
    assert_eq!(traces[0].parts, [None], "it was edited");
    message_sender
        .delete_message(HERE, mine, "taken back")
        .await
        .unwrap();
    message_sender
        .delete_message(HERE, mine, "taken back")
        .await
        .unwrap();
    assert!(fake.posts(GENERAL).is_empty());
}

#[tokio::test]
async fn what_is_done_with_members_is_as_discord_describes_it() {
    let (fake, _, message_sender) = start();
    fake.world(|world| {
        world.bot_may(
            GUILD,
            may::BAN_MEMBERS | may::MODERATE_MEMBERS | may::CHANGE_NICKNAME,
        )
    });
    message_sender
        .set_nick(LOUNGE, Some("Juniper"))
        .await
        .unwrap();
    message_sender
        .time_out(
            LOUNGE,
            UserId(ANNA),
            kith_system::clock::now() + HOUR,
            "spam",
        )
        .await
        .unwrap();
    message_sender
        .ban(LOUNGE, UserId(ANNA), 3_600, "more spam")
        .await
        .unwrap();
    message_sender
        .ban(LOUNGE, UserId(ANNA), 3_600, "more spam")
        .await
        .unwrap();
    let ban = fake.world(|world| world.guild_mut(GUILD).bans[&ANNA].clone());
    assert_eq!(
        (ban.reason.as_deref(), ban.delete_seconds),
        (Some("more spam"), 3_600)
    );
}

#[tokio::test]
async fn a_picture_becomes_the_avatar_and_one_that_may_have_become_it_is_not_sent_again() {
    let (fake, _, message_sender) = start();
    let picture = b"\x89PNG\r\n\x1a\n and more";
    message_sender.set_avatar(picture).await.unwrap();
    message_sender
        .set_guild_avatar(LOUNGE, Some(picture))
        .await
        .unwrap();
    message_sender.set_guild_avatar(LOUNGE, None).await.unwrap();
    fake.fault("PATCH /users/@me", Fault::DoneBut504);
    message_sender.set_avatar(picture).await.unwrap_err();
    assert_eq!(fake.requests("PATCH /users/@me").len(), 2);
}

#[tokio::test]
async fn a_long_text_goes_up_in_parts_discord_takes() {
    let (fake, _, message_sender) = start();
    let code = (0..300)
        .map(|line| format!("let x{line} = 1;\n"))
        .collect::<String>();
    message_sender
        .send(&post(
            GENERAL,
            &format!("look:\n```rust\n{code}```\n{}", "很好。".repeat(900)),
            "7.0",
        ))
        .await
        .unwrap();
    let posts = fake.posts(GENERAL);
    assert!(
        posts.len() >= 4 && posts.iter().all(|post| post.text.chars().count() <= 2_000),
        "{}",
        posts.len()
    );
}

#[tokio::test]
async fn where_it_may_not_post_it_asks_once_and_again_when_that_changed() {
    let (fake, rest, message_sender) = start();
    fake.world(|world| world.overwrite(GENERAL, For::Role(GUILD), 0, may::SEND_MESSAGES));
    for _ in 0..3 {
        let SendError { status, why, .. } = message_sender
            .send(&post(GENERAL, "hi", "7.0"))
            .await
            .unwrap_err();
        assert_eq!(status, DeliveryStatus::NotSent, "{why}");
    }
    assert_eq!(fake.requests("POST /channels/*/messages").len(), 1);
    let hi = fake.says(GENERAL, ANNA, "hi");
    message_sender
        .react(HERE, MessageId(hi), "👀")
        .await
        .unwrap();

    fake.world(|world| world.overwrite(GENERAL, For::Role(GUILD), 0, 0));
    rest.clear_refusals(HERE);
    message_sender
        .send(&post(GENERAL, "hi", "7.0"))
        .await
        .unwrap();
}

#[tokio::test]
async fn without_the_history_it_posts_without_replying() {
    let (fake, rest, message_sender) = start();
    let hi = MessageId(fake.says(GENERAL, ANNA, "hi"));
    fake.world(|world| world.overwrite(GENERAL, For::Role(GUILD), 0, may::READ_MESSAGE_HISTORY));
    for nonce in ["7.0", "7.1"] {
        message_sender
            .send(&MessagePost {
                reply_to: Some(hi),
                ..post(GENERAL, nonce, nonce)
            })
            .await
            .unwrap();
    }
    assert!(!rest.has_ability(HERE, DiscordAbility::Reply));
    assert_eq!(
        (
            fake.posts(GENERAL).len(),
            fake.requests("POST /channels/*/messages").len()
        ),
        (2, 3)
    );
}

#[tokio::test]
async fn a_reply_survives_its_original_and_an_archived_thread_opens() {
    let (fake, _, message_sender) = start();
    let hi = fake.says(GENERAL, ANNA, "hi");
    fake.deletes(GENERAL, &[hi]);
    message_sender
        .send(&MessagePost {
            reply_to: Some(MessageId(hi)),
            ..post(GENERAL, "oh", "7.0")
        })
        .await
        .unwrap();
    assert_eq!(
        (
            fake.posts(GENERAL)[0].text.as_str(),
            fake.posts(GENERAL)[0].replies_to()
        ),
        ("oh", None)
    );

    let thread = fake.opens_thread(GENERAL, ANNA, "plans");
    fake.world(|world| world.channel_mut(thread).thread.as_mut().unwrap().archived = true);
    message_sender
        .send(&post(thread, "hi", "7.1"))
        .await
        .unwrap();
    assert!(!fake.world(|world| world.channel(thread).thread.as_ref().unwrap().archived));
}

#[tokio::test]
async fn automod_and_slow_mode_are_respected() {
    let (fake, _, message_sender) = start();
    fake.world(|world| world.guild_mut(GUILD).blocked_words.push("darn".into()));
    let failed = message_sender
        .send(&post(GENERAL, "darn it", "7.0"))
        .await
        .unwrap_err();
    assert!(
        failed.status == DeliveryStatus::NotSent && failed.why.contains("AutoMod"),
        "{failed}"
    );
    assert_eq!(fake.requests("POST /channels/*/messages").len(), 1);

    fake.world(|world| world.channel_mut(GENERAL).slow_mode = 1);
    for nonce in ["7.1", "7.2"] {
        message_sender
            .send(&post(GENERAL, nonce, nonce))
            .await
            .unwrap();
    }
    fake.world(|world| world.channel_mut(GENERAL).slow_mode = 3_600);
    let failed = message_sender
        .send(&post(GENERAL, "no", "7.3"))
        .await
        .unwrap_err();
    assert!(
        matches!(failed.status, DeliveryStatus::RetryLater(Some(_)))
            && failed.why.contains("slow mode"),
        "{failed}"
    );
    assert_eq!(fake.posts(GENERAL).len(), 2);
}

#[tokio::test]
async fn who_knows_the_limits_is_never_told_to_slow_down() {
    let (fake, rest, message_sender) = start();
    let window = Duration::from_millis(300);
    fake.limits(|limits| {
        limits.set(&["POST /channels/*/messages"], 3, window);
        limits.set(&["PUT /channels/*/messages/*/reactions/*/@me"], 1, window);
        limits.set_global(50);
    });
    let hi = MessageId(fake.says(GENERAL, ANNA, "hi"));
    let said = async {
        for index in 0..8 {
            message_sender
                .send(&post(GENERAL, "word", &format!("7.{index}")))
                .await
                .unwrap();
        }
    };
    let reacted = async {
        for emoji in ["👀", "🎉", "💤"] {
            message_sender.react(HERE, hi, emoji).await.unwrap();
        }
    };
    let read = futures_util::future::join_all(
        (0..60).map(|_| rest.call(RestRequest::get(RestRoute::message(HERE, hi)))),
    );
    let (_, _, read) = tokio::join!(said, reacted, read);
    assert!(read.iter().all(Result::is_ok));
    assert!(fake.world(|world| {
        world
            .log
            .requests
            .iter()
            .all(|asked| asked.status != Some(429))
    }));
}
