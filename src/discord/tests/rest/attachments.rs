//! What is posted in the place of words, and threads: as Discord takes them, once, and found again after a crash.

use kith_core::chat::{ChannelId, GuildId, MessageId};
use kith_core::outgoing::Poll;
use kith_discord::rest::RestError;
use kith_discord::send::{
    Attachment, DeliveryLookup, MessagePost, MessageSender, PictureUpload, StickerFolder,
};

use super::fake_discord::permissions as may;
use super::fake_discord::{ANNA, BOT, FakeDiscord, Fault, GENERAL, GUILD, Id, WAVE, World};
use super::pace;
use super::server_rules::{HERE, message_sender, post, rest};

const THREADS: &str = "POST /channels/*/threads";

fn start() -> (FakeDiscord, MessageSender) {
    let mut world = World::small();
    world.bot_may(GUILD, may::SEND_POLLS);
    let fake = FakeDiscord::start(world);
    let message_sender = message_sender(&rest(&fake, pace()));
    (fake, message_sender)
}

fn poll() -> Attachment {
    let answers = vec!["Heat".into(), "咒".into()];
    Attachment::Poll(Poll {
        question: "which film?".into(),
        answers,
        hours: 48,
        several: true,
    })
}

fn picture() -> Attachment {
    let (file, caption) = ("sticker.png".into(), "a cat that nods".into());
    Attachment::Picture(PictureUpload {
        file,
        caption,
        bytes: b"\x89PNG\r\n\x1a\n and more"[..].into(),
    })
}

fn carrying(attachment: Attachment, nonce: &str) -> MessagePost {
    MessagePost {
        attachment: Some(attachment),
        ..post(GENERAL, "[what the history says]", nonce)
    }
}

#[tokio::test]
async fn a_poll_a_sticker_and_a_picture_go_up_as_discord_takes_them() {
    let (fake, message_sender) = start();
    let parcels = [
        (poll(), "7.1"),
        (Attachment::Sticker(WAVE), "7.2"),
        (picture(), "7.3"),
    ];
    for (attachment, nonce) in parcels {
        let said = message_sender
            .send(&carrying(attachment, nonce))
            .await
            .unwrap();
        assert_eq!(
            (said.len(), said[0].text.as_str()),
            (1, "[what the history says]")
        );
    }
    let posts = fake.posts(GENERAL);
    assert!(posts.iter().all(|post| post.text.is_empty()), "{posts:?}");
    let shown = posts[0].poll.as_ref().unwrap();
    assert_eq!(
        (&shown["question"]["text"], &shown["allow_multiselect"]),
        (&"which film?".into(), &true.into())
    );
    assert_eq!(shown["answers"][1]["poll_media"]["text"], "咒");
    assert_eq!(posts[1].stickers, [WAVE]);
    assert_eq!(posts[2].attachments[0]["description"], "a cat that nods");
    assert_eq!(
        fake.requests("POST /channels/*/messages")[2].files,
        [("sticker.png".to_owned(), 17)]
    );
}

#[tokio::test]
async fn an_answer_that_got_lost_posts_none_of_them_twice() {
    let (fake, message_sender) = start();
    for (attachment, nonce) in [(poll(), "7.1"), (picture(), "7.2")] {
        fake.fault("POST /channels/*/messages", Fault::DoneBut504);
        message_sender
            .send(&carrying(attachment, nonce))
            .await
            .unwrap();
    }
    assert_eq!(
        (
            fake.posts(GENERAL).len(),
            fake.requests("POST /channels/*/messages").len()
        ),
        (2, 4)
    );
}

#[tokio::test]
async fn after_a_crash_each_is_found_by_what_it_carries() {
    let (_fake, message_sender) = start();
    let sent: Vec<MessagePost> = [
        (poll(), "7.1"),
        (Attachment::Sticker(WAVE), "7.2"),
        (picture(), "7.3"),
    ]
    .into_iter()
    .map(|(attachment, nonce)| carrying(attachment, nonce))
    .collect();
    for post in &sent {
        message_sender.send(post).await.unwrap();
    }
    let other = Attachment::Poll(Poll {
        question: "another?".into(),
        answers: vec!["a".into(), "b".into()],
        hours: 1,
        several: false,
    });
    let sought: Vec<MessagePost> = sent.into_iter().chain([carrying(other, "7.4")]).collect();
    let traces = message_sender
        .find_deliveries(HERE, &sought, &[])
        .await
        .unwrap();
    assert_eq!(
        traces
            .iter()
            .map(DeliveryLookup::is_complete)
            .collect::<Vec<_>>(),
        [true, true, true, false]
    );
}

async fn open(
    message_sender: &MessageSender,
    on: Option<Id>,
    name: &str,
) -> Result<ChannelId, RestError> {
    message_sender
        .open_thread((GuildId(GUILD), HERE), on.map(MessageId), name, None)
        .await
}

fn threads(fake: &FakeDiscord) -> usize {
    fake.world(|world| {
        world
            .channels
            .values()
            .filter(|channel| channel.thread.is_some())
            .count()
    })
}

#[tokio::test]
async fn a_thread_is_opened_once_however_often_it_is_asked_for() {
    let (fake, message_sender) = start();
    fake.opens_thread(GENERAL, ANNA, "film night");
    let first = open(&message_sender, None, "film night").await.unwrap();
    assert_eq!(
        open(&message_sender, None, "film night").await.unwrap(),
        first
    );
    assert_ne!(
        open(&message_sender, None, "book night").await.unwrap(),
        first
    );
    let hi = fake.says(GENERAL, ANNA, "hi");
    for _ in 0..2 {
        assert_eq!(
            open(&message_sender, Some(hi), "about that").await.unwrap(),
            ChannelId(hi)
        );
    }
    let other = open(&message_sender, Some(hi), "something else")
        .await
        .unwrap_err();
    assert!(matches!(other, RestError::Invalid { .. }), "{other}");
    assert_eq!(threads(&fake), 4);
}

#[tokio::test]
async fn a_thread_whose_answer_got_lost_is_found_and_one_that_is_not_there_is_not_made_up() {
    let (fake, message_sender) = start();
    fake.fault(THREADS, Fault::DoneButDrop);
    let found = open(&message_sender, None, "film night").await.unwrap();
    let owner = fake.world(|world| world.channel(found.0).thread.as_ref().unwrap().owner);
    assert_eq!((owner, threads(&fake)), (BOT, 1));
    fake.fault(THREADS, Fault::Drop);
    open(&message_sender, None, "book night").await.unwrap_err();
    let hi = fake.says(GENERAL, ANNA, "hi");
    fake.fault("POST /channels/*/messages/*/threads", Fault::DoneBut504);
    assert_eq!(
        open(&message_sender, Some(hi), "about that").await.unwrap(),
        ChannelId(hi)
    );
    assert_eq!(threads(&fake), 2);
}

#[tokio::test]
async fn the_hosts_folder_gives_what_is_in_it_and_nothing_else() {
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("Nod.PNG"), b"picture").unwrap();
    std::fs::write(folder.path().join("notes.txt"), b"mine").unwrap();
    std::fs::write(folder.path().join("huge.gif"), vec![0; (8 << 20) + 1]).unwrap();
    let sticker_folder = StickerFolder::new(folder.path());
    assert_eq!(sticker_folder.list_names().await, ["Nod", "huge"]);
    let found = sticker_folder.find(" nod ").await.unwrap();
    assert_eq!(
        (found.file.as_str(), found.caption.as_str(), &*found.bytes),
        ("sticker.png", "Nod", &b"picture"[..])
    );
    for name in ["notes", "huge", "../Nod", "", "Nod.PNG"] {
        assert_eq!(sticker_folder.find(name).await, None, "{name}");
    }
    assert!(
        StickerFolder::new(&folder.path().join("nowhere"))
            .list_names()
            .await
            .is_empty()
    );
}
