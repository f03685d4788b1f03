//! Discord cannot be reached for a while: what was to be said is said when it can, once and in time, or not at all where
//! nobody wants it any more.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use kith_core::chat::MessageId;
use kith_core::report::{DeliveryFailure, FailureKind};
use kith_core::secret::Secret;
use kith_discord::rest::{
    RequestPacing, RestClient, RestError, RestRequest, RestRoute, RestSettings,
};
use kith_discord::send::{
    DeliveryContext, DeliveryStatus, KnownMessage, MessagePost, MessageSender, SendError,
    SentMessage,
};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::fake_discord::{ANNA, ConnectionPolicy, FakeDiscord, Fault, GENERAL, World};
use super::server_rules::{HERE, message_sender, post, rest};
use super::*;

const POST: &str = "POST /channels/*/messages";

/// The keeper of an outbox with nothing in it but one message.
struct Outbox {
    /// Why it is not to be said any more.
    withdrawn: Mutex<Option<&'static str>>,
    asked: AtomicU32,
    /// Whether it is known not to be said, once it waits.
    waits: watch::Sender<Option<bool>>,
}

impl Outbox {
    fn new() -> Self {
        Self {
            withdrawn: Mutex::default(),
            asked: AtomicU32::default(),
            waits: watch::Sender::new(None),
        }
    }

    /// Waits until it is known that the message waits, and is not said.
    async fn until_it_waits(&self) {
        self.waits
            .subscribe()
            .wait_for(|known| *known == Some(true))
            .await
            .unwrap();
    }
}

impl DeliveryContext for Outbox {
    fn find_settled_messages(&self) -> BoxFuture<'_, Option<Vec<MessageId>>> {
        async { Some(Vec::new()) }.boxed()
    }

    fn find_withdrawal(&self) -> BoxFuture<'_, Option<DeliveryFailure>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let why = *self.withdrawn.lock().unwrap();
        async move {
            why.map(|why| DeliveryFailure {
                kind: FailureKind::Gone,
                why: why.into(),
            })
        }
        .boxed()
    }

    fn record_wait(&self, known: bool) {
        self.waits.send_replace(Some(known));
    }
}

/// Waits a few milliseconds where it would wait seconds, and gives up after `total` what it would after most of a minute.
fn hurried(total: u64) -> RequestPacing {
    let (first_again, longest_again) = (Duration::from_millis(20), Duration::from_millis(100));
    RequestPacing {
        total: Duration::from_millis(total),
        request: Duration::from_millis(700),
        first_retry_wait: first_again,
        longest_retry_wait: longest_again,
        ..pace()
    }
}

async fn deliver(
    message_sender: &MessageSender,
    post: &MessagePost,
    outbox: &Outbox,
) -> Result<Vec<SentMessage>, SendError> {
    message_sender
        .deliver_message(post, KnownMessage::default(), outbox)
        .await
}

fn town(total: u64) -> (FakeDiscord, MessageSender) {
    let fake = FakeDiscord::start(World::small());
    let rest = rest(&fake, hurried(total));
    (fake, message_sender(&rest))
}

fn texts(fake: &FakeDiscord) -> Vec<String> {
    fake.posts(GENERAL)
        .into_iter()
        .map(|post| post.text)
        .collect()
}

#[tokio::test]
async fn what_could_not_be_said_while_connections_were_refused_is_said_once_when_they_are_not() {
    let (fake, message_sender) = town(5_000);
    fake.rest_door(ConnectionPolicy::Refused);
    let (hi, outbox) = (post(GENERAL, "hi", "7.0"), Outbox::new());
    let (said, ()) = tokio::join!(deliver(&message_sender, &hi, &outbox), async {
        outbox.until_it_waits().await;
        fake.rest_door(ConnectionPolicy::Open);
    });
    assert_eq!(said.unwrap().len(), 1);
    assert_eq!(texts(&fake), ["hi"]);
    assert!(
        outbox.asked.load(Ordering::Relaxed) > 0,
        "it is asked whether it is still wanted"
    );
}

#[tokio::test]
async fn connections_that_end_before_anything_was_asked_throw_nothing_away() {
    let (fake, message_sender) = town(5_000);
    fake.nonces_expire_after(0);
    fake.rest_door(ConnectionPolicy::Slammed);
    let (hi, outbox) = (post(GENERAL, "hi", "7.0"), Outbox::new());
    let (said, ()) = tokio::join!(deliver(&message_sender, &hi, &outbox), async {
        outbox
            .waits
            .subscribe()
            .wait_for(Option::is_some)
            .await
            .unwrap();
        fake.rest_door(ConnectionPolicy::Open);
    });
    assert_eq!(said.unwrap().len(), 1);
    assert_eq!(texts(&fake), ["hi"]);
}

#[tokio::test]
async fn a_wait_that_discord_asks_for_and_nobody_waits_for_in_line_is_waited_for_in_the_outbox() {
    let (fake, message_sender) = town(200);
    fake.fault(POST, Fault::RouteLimit(Duration::from_secs(1)));
    let (hi, outbox) = (post(GENERAL, "hi", "7.0"), Outbox::new());
    assert_eq!(
        deliver(&message_sender, &hi, &outbox).await.unwrap().len(),
        1
    );
    let asked = fake.requests(POST);
    assert_eq!((asked.len(), texts(&fake)), (2, vec!["hi".to_owned()]));
    assert!(asked[1].at - asked[0].at >= 1_000, "{asked:?}");
}

#[tokio::test]
async fn a_wait_that_ends_too_late_is_not_begun() {
    let (fake, message_sender) = town(200);
    fake.fault(POST, Fault::RouteLimit(Duration::from_secs(3_600)));
    let (hi, outbox) = (post(GENERAL, "hi", "7.0"), Outbox::new());
    let failed = deliver(&message_sender, &hi, &outbox).await.unwrap_err();
    assert_eq!(
        (failed.status, failed.failure_kind),
        (DeliveryStatus::NotSent, FailureKind::TooFast),
        "{failed}"
    );
    assert_eq!(*outbox.waits.borrow(), None);
}

#[tokio::test]
async fn what_is_too_old_is_not_said_any_more() {
    let fake = FakeDiscord::start(World::small());
    let rest = rest(
        &fake,
        RequestPacing {
            stale: Duration::from_millis(400),
            tries: 1,
            ..hurried(5_000)
        },
    );
    let message_sender = message_sender(&rest);
    fake.rest_door(ConnectionPolicy::Refused);
    let (hi, outbox) = (post(GENERAL, "hi", "7.0"), Outbox::new());
    let failed = deliver(&message_sender, &hi, &outbox).await.unwrap_err();
    assert_eq!(
        (failed.status, failed.failure_kind),
        (DeliveryStatus::NotSent, FailureKind::NoAnswer),
        "{failed}"
    );
    assert!(
        failed.why.contains("too old") && failed.why.contains("cannot be reached"),
        "{failed}"
    );
    fake.rest_door(ConnectionPolicy::Open);
    assert!(texts(&fake).is_empty());
}

#[tokio::test]
async fn what_gets_too_old_while_it_waits_in_line_is_not_said_any_more() {
    let fake = FakeDiscord::start(World::small());
    let patient = RequestPacing {
        stale: Duration::from_millis(400),
        ..hurried(5_000)
    };
    let message_sender = message_sender(&rest(&fake, patient));
    let (hi, outbox) = (post(GENERAL, "hi", "7.0"), Outbox::new());
    fake.fault(POST, Fault::RouteLimit(Duration::from_secs(1)));
    let failed = deliver(&message_sender, &hi, &outbox).await.unwrap_err();
    assert_eq!(failed.status, DeliveryStatus::NotSent, "{failed}");
    assert!(failed.why.contains("too old"), "{failed}");
    assert!(texts(&fake).is_empty());
    let message = MessageId(fake.says(GENERAL, ANNA, "hello"));
    fake.fault(
        "PUT /channels/*/messages/*/reactions/*/@me",
        Fault::RouteLimit(Duration::from_secs(1)),
    );
    let now = kith_system::clock::now();
    let reaction = message_sender.deliver_reaction((HERE, message), "👀", now, &outbox);
    let failed = reaction.await.unwrap_err();
    assert!(failed.why.contains("too old"), "{}", failed.why);
}

#[tokio::test]
async fn what_nobody_wants_any_more_when_discord_is_back_is_not_said() {
    let (fake, message_sender) = town(5_000);
    fake.rest_door(ConnectionPolicy::Refused);
    let (hi, outbox) = (post(GENERAL, "hi", "7.0"), Outbox::new());
    let (failed, ()) = tokio::join!(deliver(&message_sender, &hi, &outbox), async {
        outbox.until_it_waits().await;
        *outbox.withdrawn.lock().unwrap() = Some("what it answers was deleted");
        fake.rest_door(ConnectionPolicy::Open);
    });
    let failed = failed.unwrap_err();
    assert_eq!(
        (failed.status, failed.why.as_str()),
        (DeliveryStatus::NotSent, "what it answers was deleted")
    );
    assert!(fake.requests(POST).is_empty() && texts(&fake).is_empty());
}

#[tokio::test]
async fn of_a_long_message_only_the_rest_is_said_when_discord_is_back() {
    let (fake, message_sender) = town(200);
    fake.nonces_expire_after(0);
    let long = post(
        GENERAL,
        &format!("{}one.\n\n{}two", "word ".repeat(300), "word ".repeat(300)),
        "7.0",
    );
    let outbox = Outbox::new();
    // The first part is posted although nobody says so, the second has to wait.
    fake.fault(POST, Fault::DoneBut504);
    fake.faults(POST, Fault::RouteLimit(Duration::from_millis(500)), 2);
    let said = deliver(&message_sender, &long, &outbox).await.unwrap();
    assert_eq!(said.len(), 2);
    let ends: Vec<bool> = texts(&fake)
        .iter()
        .map(|text| text.ends_with("two"))
        .collect();
    assert_eq!(ends, [false, true]);
}

#[tokio::test]
async fn a_reaction_waits_like_a_message_and_not_longer_than_it_is_wanted() {
    let (fake, message_sender) = town(5_000);
    let (hi, hello) = (
        fake.says(GENERAL, ANNA, "hi"),
        fake.says(GENERAL, ANNA, "hello"),
    );
    let react = async |message: u64, withdrawn: Option<&'static str>| {
        let outbox = Outbox::new();
        fake.rest_door(ConnectionPolicy::Refused);
        let (done, ()) = tokio::join!(
            message_sender.deliver_reaction(
                (HERE, MessageId(message)),
                "👀",
                kith_system::clock::now(),
                &outbox
            ),
            async {
                outbox.until_it_waits().await;
                *outbox.withdrawn.lock().unwrap() = withdrawn;
                fake.rest_door(ConnectionPolicy::Open);
            }
        );
        done
    };
    react(hi, None).await.unwrap();
    assert_eq!(
        react(hello, Some("it is paused")).await.unwrap_err().why,
        "it is paused"
    );
    let marks =
        |message| fake.world(|world| world.message(GENERAL, message).unwrap().reactions.len());
    assert_eq!((marks(hi), marks(hello)), (1, 0));
}

#[tokio::test]
async fn whether_a_message_is_still_there_is_known_or_nobody_knows() {
    let (fake, message_sender) = town(300);
    let hi = MessageId(fake.says(GENERAL, ANNA, "hi"));
    assert_eq!(message_sender.has_message(HERE, hi).await, Ok(true));
    fake.deletes(GENERAL, &[hi.0]);
    assert_eq!(message_sender.has_message(HERE, hi).await, Ok(false));
    fake.rest_door(ConnectionPolicy::Refused);
    assert!(message_sender.has_message(HERE, hi).await.is_err());
    fake.rest_door(ConnectionPolicy::Open);
}

/// Accepts connections and says this on each, whatever is asked.
async fn says_on_connecting(words: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(words).await;
        }
    });
    port
}

#[tokio::test]
async fn without_tls_or_a_way_through_the_proxy_nothing_was_asked() {
    let no_tls = says_on_connecting(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
    let no_way = says_on_connecting(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n").await;
    // Its answer to "host not found", the only look-up of a name that leaves this machine for nowhere.
    let no_name = says_on_connecting(&[5, 0, 5, 4, 0, 1, 0, 0, 0, 0, 0, 0]).await;
    for (base, proxy) in [
        (format!("https://127.0.0.1:{no_tls}/api/v10"), String::new()),
        (
            "https://discord.invalid/api/v10".to_owned(),
            format!("http://127.0.0.1:{no_way}"),
        ),
        (
            "https://discord.invalid/api/v10".to_owned(),
            format!("socks5://127.0.0.1:{no_name}"),
        ),
    ] {
        let settings = RestSettings {
            pace: hurried(2_000),
            ..RestSettings::new(&base, Secret::new(TOKEN), &proxy)
        };
        let error = RestClient::new(settings)
            .unwrap()
            .call(RestRequest::get(RestRoute::me()))
            .await
            .unwrap_err();
        assert!(
            matches!(error, RestError::Unreachable(_)),
            "{base} {proxy}: {error:?}"
        );
        assert_eq!(
            (error.can_have_happened(), error.retry_delay()),
            (false, Some(None))
        );
    }
}
