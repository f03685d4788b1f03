//! Pictures that moderators keep as stickers: kept by hand only, sent where their message can be read, gone with it.

use crate::discord::prelude::*;
use kith_testkit::{assert_has, assert_lacks};

const KEEP: &str = "Keep as sticker";

/// A whole PNG as far as anybody looks at it.
fn png(mark: &str) -> Vec<u8> {
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10".as_slice(),
        mark.as_bytes(),
        b"\0\0\0\0IEND\xaeB`\x82",
    ]
    .concat()
}

/// A test where it may send stickers in the general channel and in one that only moderators see, and tells a third what
/// happens. Whoever says "show NAME" has it try that.
async fn test() -> DiscordTest {
    let channels = [GENERAL, LOG].map(|channel| {
        format!("[channel.{channel}]\nmode = \"on\"\ntools = [\"default\", \"send_sticker\"]\n")
    });
    let tables = channels.concat() + &format!("[discord.log]\nchannel = \"{RANDOM}\"\n");
    let model = |user: &str| {
        if user.contains("there is no sticker ") || user.contains("there are no stickers") {
            return say("I have no such thing");
        }
        let newest = user
            .lines()
            .rfind(|line| line.contains(" Mo: ") && line.contains("show "))
            .unwrap_or_default();
        let name = newest.split("show ").nth(1).unwrap_or_default();
        format!("<turn><send_sticker>{name}</send_sticker></turn>")
    };
    let (test, _) = DiscordTest::watched(World::small(), "", &tables, model).await;
    test
}

impl DiscordTest {
    /// Somebody posts a picture with these words, and it is read.
    async fn gets(&self, channel: u64, text: &str, bytes: &[u8]) -> u64 {
        let id = self.fake.post(
            channel,
            Message::by(BEN, text).file("IMG_7.png", "image/png", bytes),
        );
        self.is_stored(text).await;
        id
    }

    /// Anna asks for a sticker; what is posted then.
    async fn shows(&self, channel: u64, name: &str) -> Message {
        let known = self.fake.posts(channel).len();
        self.calls(channel, MO, &format!("show {name}"));
        self.fake
            .until("a post", |world| {
                world.posts(channel).get(known).map(|post| (*post).clone())
            })
            .await
    }
}

fn caption(post: &Message) -> Option<&str> {
    post.attachments
        .first()
        .and_then(|file| file["description"].as_str())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moderator_keeps_a_picture_it_is_sent_and_the_same_menu_takes_it_out() {
    let test = test().await;
    let cat = test.gets(GENERAL, "sleepy cat", &png("cat")).await;
    assert_has(
        test.chooses(GENERAL, ANNA, KEEP, cat).await,
        ["Manage Server"],
    );
    assert!(
        test.chooses(GENERAL, BEN, KEEP, cat)
            .await
            .contains("Manage Server"),
        "it is his, and others would see it"
    );
    assert_eq!(
        test.shows(GENERAL, "sleepy cat").await.text,
        "I have no such thing",
        "nothing is kept by itself"
    );
    let kept = test.chooses(GENERAL, MO, KEEP, cat).await;
    assert_has(&kept, ["Kept as the sticker “sleepy cat”"]);
    let told = said(&test.logged(RANDOM, "A picture of").await);
    assert_has(&told, ["#general is a sticker now"]);
    assert_lacks(&told, ["sleepy"]);
    let post = test.shows(GENERAL, "Sleepy Cat").await;
    assert_eq!(
        (caption(&post), &post.attachments[0]["filename"]),
        (Some("sleepy cat"), &"sticker.png".into())
    );

    let fake = test.gets(GENERAL, "not a picture", b"<html>").await;
    assert_has(
        test.chooses(GENERAL, MO, KEEP, fake).await,
        ["no whole PNG"],
    );
    assert_has(
        test.chooses(GENERAL, MO, KEEP, cat).await,
        ["“sleepy cat” is no sticker of mine any more"],
    );
    test.logged(RANDOM, "is no sticker any more").await;
    assert_eq!(
        test.shows(GENERAL, "sleepy cat").await.text,
        "I have no such thing"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sticker_goes_with_its_message_and_with_its_author_and_leaves_no_byte() {
    let test = test().await;
    let deleted = test.gets(GENERAL, "one", &png("uniquepictureone")).await;
    let forgotten = test.gets(GENERAL, "two", &png("uniquepicturetwo")).await;
    let theirs = test
        .gets(GENERAL, "three", &png("uniquepicturethree"))
        .await;
    for message in [deleted, forgotten, theirs] {
        let kept = test.chooses(GENERAL, MO, KEEP, message).await;
        assert_has(&kept, ["Kept as the sticker"]);
    }
    test.is_stored("uniquepictureone").await;
    assert_eq!(caption(&test.shows(GENERAL, "three").await), Some("three"));
    test.fake.deletes(GENERAL, &[deleted]);
    test.is_gone("uniquepictureone").await;
    assert_has(
        test.chooses(GENERAL, BEN, "Forget this", forgotten).await,
        ["forgotten"],
    );
    test.is_gone("uniquepicturetwo").await;
    test.asks(GENERAL, BEN, "kith forget me", serde_json::json!({}))
        .await;
    test.is_gone("uniquepicturethree").await;
    for name in ["one", "two", "three"] {
        assert_eq!(test.shows(GENERAL, name).await.text, "I have no such thing");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_of_a_hidden_channel_is_shown_there_and_nowhere_else() {
    let test = test().await;
    let plan = test.gets(LOG, "the plan", &png("plan")).await;
    let kept = test.chooses(LOG, MO, KEEP, plan).await;
    assert_has(&kept, ["Kept as the sticker"]);
    assert_eq!(
        caption(&test.shows(LOG, "the plan").await),
        Some("the plan")
    );
    assert_eq!(
        test.shows(GENERAL, "the plan").await.text,
        "I have no such thing"
    );
}
