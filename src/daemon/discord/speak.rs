//! Visible actions on their way to Discord: journaled, sent with a nonce that Discord de-duplicates, and settled with
//! what came of it (Law 3). Where it is not known whether something was said, it is looked for first, and only then
//! said again; what is too old by then is dropped and told.

use std::time::Duration;

use tokio::time::sleep;

use super::super::deliver::{Put, arrived, delivery};
use super::super::restart::STALE_SEND;
use super::stickers;
use crate::clock;
use crate::core::back_off::Waits;
use crate::core::chat::{Author, ChannelId, Millis};
use crate::core::outgoing::{Action, Outgoing};
use crate::core::report::{Hindrance, Undelivered};
use crate::platform::discord::Discord;
use crate::platform::discord::rest::RestError;
use crate::platform::discord::send::{Fate, Parcel, Post, SendFailed, Sent, Traces};
use crate::store::{Incoming, Journaled, Pending, Store, Stored};

/// Between what the outbox knows an action by and the number of a part.
const PART: char = '.';
/// Before the time an action was journaled, in Discord's nonce.
const TIME: char = '-';
/// Before the number of a part there, from the second on.
const PLACE: char = '+';
/// The first wait before it is looked for what may have been said; it doubles.
const LOOK_FOR_IT: Duration = Duration::from_secs(1);
/// The longest of these waits.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Journals, sends and settles an action; answers with what is stored of it, in order. As long as nobody knows whether
/// it was said, this waits.
pub(in crate::daemon) async fn put(
    discord: &Discord,
    store: &Store,
    outgoing: Outgoing,
    own: &Author,
) -> Result<Vec<Put>, Undelivered> {
    // What is not there is not worth a line in the journal, and is told so that the model can choose again.
    let parcel = stickers::parcel(discord, store, &outgoing).await.map_err(gone)?;
    match store.journal(outgoing.clone()).await.map_err(|error| error.to_string())? {
        Journaled::New | Journaled::Unsettled => {}
        Journaled::Settled => return Err("it was said before".into()),
    }
    let Some(post) = post(&outgoing, parcel) else { return react(discord, store, &outgoing, own).await };
    match discord.courier().send(&post).await {
        Ok(said) => Ok(settle(store, &outgoing, own, said).await),
        Err(failed) => after_failure(discord, store, &outgoing, &post, own, failed).await,
    }
}

fn gone(why: String) -> Undelivered {
    Undelivered { hindrance: Hindrance::Gone, why }
}

/// Goes on until it is known what became of a message.
async fn after_failure(
    discord: &Discord,
    store: &Store,
    outgoing: &Outgoing,
    post: &Post,
    own: &Author,
    mut failed: SendFailed,
) -> Result<Vec<Put>, Undelivered> {
    let mut waits = Waits::new(LOOK_FOR_IT, LONGEST_WAIT);
    while failed.fate == Fate::Unknown {
        sleep(waits.another()).await;
        let Ok(settled) = store.settled(outgoing.channel, SETTLED).await else { continue };
        let posts = std::slice::from_ref(post);
        let traces = match discord.courier().find_own(outgoing.channel, posts, &settled).await {
            Ok(traces) => traces.into_iter().next().unwrap_or_default(),
            Err(why) if is_stale(outgoing) => return Err(refused(&why)),
            Err(_) => continue,
        };
        match say_the_rest(discord, outgoing, post, traces).await {
            Ok(said) if said.is_empty() => break,
            Ok(said) => return Ok(settle(store, outgoing, own, said).await),
            Err(again) => failed = again,
        }
    }
    if failed.said.is_empty() {
        return Err(undelivered(failed));
    }
    tracing::warn!(channel = %outgoing.channel, "a long message was said only in part: {}", failed.why);
    Ok(settle(store, outgoing, own, failed.said).await)
}

/// Own messages that other actions became are among so many of the newest.
const SETTLED: usize = 200;

/// What was said of a message, with the parts that were not, where it is fresh enough to say them now.
async fn say_the_rest(
    discord: &Discord,
    outgoing: &Outgoing,
    post: &Post,
    traces: Traces,
) -> Result<Vec<Sent>, SendFailed> {
    if traces.is_whole() || is_stale(outgoing) {
        return Ok(traces.parts.into_iter().flatten().collect());
    }
    discord.courier().resume(post, &traces).await
}

/// Settles what earlier runs left open in a channel, oldest first: what was journaled before `started`. Answers how much
/// of it is not said any more. As long as nobody knows whether it was said, this waits: a prompt that does not show it
/// would have it said again.
pub(super) async fn settle_outbox(
    discord: &Discord,
    store: &Store,
    channel: ChannelId,
    own: &Author,
    started: Millis,
) -> usize {
    let mut dropped = 0;
    let mut waits = Waits::new(LOOK_FOR_IT, LONGEST_WAIT);
    while let Err(why) = settle_all(discord, store, channel, own, started, &mut dropped).await {
        tracing::warn!(%channel, "what a stop left open is not settled yet: {why}");
        sleep(waits.another()).await;
    }
    dropped
}

async fn settle_all(
    discord: &Discord,
    store: &Store,
    channel: ChannelId,
    own: &Author,
    started: Millis,
    dropped: &mut usize,
) -> Result<(), String> {
    let open = store.pending_outbox().await.map_err(|error| error.to_string())?;
    let is_left = |outgoing: &Outgoing| outgoing.channel == channel && outgoing.at < started;
    let open: Vec<Outgoing> = open.into_iter().filter(is_left).collect();
    let settled = store.settled(channel, SETTLED).await.map_err(|error| error.to_string())?;
    let mut to_be_posted = Vec::with_capacity(open.len());
    for outgoing in &open {
        let parcel = stickers::parcel(discord, store, outgoing).await;
        // A sticker that is not there any more cannot be looked for.
        to_be_posted.push(parcel.ok().and_then(|parcel| post(outgoing, parcel)));
    }
    let posts: Vec<Post> = to_be_posted.iter().flatten().cloned().collect();
    let traces = match discord.courier().find_own(channel, &posts, &settled).await {
        Ok(traces) => Some(traces),
        Err(why) if why.may_pass() && !open.iter().all(is_stale) => return Err(why.to_string()),
        Err(why) => {
            tracing::warn!(%channel, "what a stop left open cannot be looked for: {why}");
            None
        }
    };
    let mut traces = traces.map(Vec::into_iter);
    for (outgoing, post) in open.iter().zip(&to_be_posted) {
        let is_done = match (post, &mut traces) {
            (Some(_), None) => false,
            (Some(post), Some(traces)) => {
                let traces = traces.next().unwrap_or_default();
                settle_post(discord, store, outgoing, post, traces, own).await?
            }
            (None, _) => !is_stale(outgoing) && react(discord, store, outgoing, own).await.is_ok(),
        };
        if !is_done {
            *dropped += 1;
            store.drop_outgoing(outgoing.nonce.clone()).await.map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// Settles a message that may have been said; answers whether any of it was.
async fn settle_post(
    discord: &Discord,
    store: &Store,
    outgoing: &Outgoing,
    post: &Post,
    traces: Traces,
    own: &Author,
) -> Result<bool, String> {
    let said = match say_the_rest(discord, outgoing, post, traces).await {
        Err(failed) if failed.fate == Fate::Unknown => return Err(failed.why),
        Ok(said) => said,
        Err(failed) => {
            tracing::warn!(channel = %outgoing.channel, "what a stop left open is not said: {}", failed.why);
            failed.said
        }
    };
    let was_said = !said.is_empty();
    if was_said {
        settle(store, outgoing, own, said).await;
    }
    Ok(was_said)
}

fn is_stale(outgoing: &Outgoing) -> bool {
    clock::now() - outgoing.at > STALE_SEND
}

async fn react(discord: &Discord, store: &Store, outgoing: &Outgoing, own: &Author) -> Result<Vec<Put>, Undelivered> {
    let Action::React { message, emoji } = &outgoing.action else { return Err("nothing to be done".into()) };
    let done = discord.courier().react(outgoing.channel, *message, emoji).await;
    done.map_err(|why| refused(&why))?;
    let incoming = delivery(outgoing, own.clone(), *message);
    let stored = settle_one(store, outgoing.nonce.clone(), &incoming).await;
    Ok(vec![Put { is_new: stored.new, what: arrived(incoming, &stored) }])
}

fn undelivered(failed: SendFailed) -> Undelivered {
    Undelivered { hindrance: failed.hindrance, why: failed.why }
}

fn refused(why: &RestError) -> Undelivered {
    Undelivered { hindrance: why.hindrance(), why: why.to_string() }
}

/// Stores what was said. Discord's own word of it may have been faster: then it is known already.
async fn settle(store: &Store, outgoing: &Outgoing, own: &Author, said: Vec<Sent>) -> Vec<Put> {
    let mut settled = Vec::with_capacity(said.len());
    for (part, sent) in said.into_iter().enumerate() {
        let mut incoming = delivery(outgoing, own.clone(), sent.id);
        if let Incoming::Message(message) = &mut incoming {
            message.at = sent.at;
            message.text = sent.text.into();
            message.reply_to = message.reply_to.filter(|_| part == 0);
        }
        let stored = settle_one(store, nonce_of(&outgoing.nonce, part), &incoming).await;
        settled.push(Put { is_new: stored.new, what: arrived(incoming, &stored) });
    }
    settled
}

async fn settle_one(store: &Store, nonce: String, incoming: &Incoming) -> Stored {
    until_stored(|| store.settle(nonce.clone(), incoming.clone())).await
}

/// What is done stays done when the store does not take it: it is offered again until it does, and if the process ends
/// before, what was journaled tells.
pub(in crate::daemon) async fn until_stored<T>(offer: impl Fn() -> Pending<T>) -> T {
    let mut waits = Waits::new(LOOK_FOR_IT, LONGEST_WAIT);
    loop {
        match offer().await {
            Ok(stored) => return stored,
            Err(error) => tracing::warn!(%error, "what it did is not stored yet; it is tried again"),
        }
        sleep(waits.another()).await;
    }
}

/// The outbox's nonce of one of the messages an action became.
pub(in crate::daemon) fn nonce_of(nonce: &str, place: usize) -> String {
    if place == 0 { nonce.to_owned() } else { format!("{nonce}{PART}{place}") }
}

/// The message an action asks for. The time it was journaled is in its nonce, because turns are counted anew in a new
/// database, and Discord would take a second `1.1` for the first.
fn post(outgoing: &Outgoing, parcel: Option<Parcel>) -> Option<Post> {
    let post = Post::of(outgoing, parcel)?;
    Some(Post { nonce: format!("{}{TIME}{:x}", outgoing.nonce, outgoing.at), ..post })
}

/// The outbox's nonce of the action that one of Discord's belongs to, and the place of its message: `12.3` and 1 of
/// `12.3-19…+1`.
pub(super) fn outgoing_of(nonce: &str) -> Option<(&str, usize)> {
    let (outgoing, rest) = nonce.split_once(TIME)?;
    Some((outgoing, rest.split_once(PLACE).map_or(Some(0), |(_, place)| place.parse().ok())?))
}
