//! Visible actions on their way to Discord: journaled, sent with a nonce that Discord de-duplicates, and settled with
//! what came of it (Law 3). What is not said at once stays in the outbox and is delivered in its channel's order; what is
//! too old by then, or not wanted any more, is dropped and told.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::sleep;

use super::delivery_order::{DeliveryQueuePlace, OutboxEntry, SETTLED};
use super::stickers;
use super::task_event::DiscordTaskEvent;
use crate::daemon::deliveries::stored_action::{
    StoredAction, build_delivered_event, build_part_nonce, to_stored_event,
};
use crate::daemon::store_retry::{journal_patiently, retry_until_stored};
use kith_core::back_off::BackOffSchedule;
use kith_core::chat::{Author, ChannelId, MessageId, Millis};
use kith_core::event::ChatEvent;
use kith_core::outgoing::{OutgoingAction, STALE, VisibleAction};
use kith_core::report::{DeliveryFailure, FailureKind};
use kith_discord::DiscordConnection;
use kith_discord::send::{Attachment, DeliveryContext, KnownMessage, MessagePost, SentMessage};
use kith_store::{AppendOutcome, JournalOutcome, Store};
use kith_system::clock;

/// Before the time an action was journaled, in Discord's nonce.
const TIME: char = '-';
/// Before the number of a part there, from the second on.
const PLACE: char = '+';
/// The first wait before what a stop left open is looked for again, or stored; it doubles.
const LOOK_FOR_IT: Duration = Duration::from_secs(1);
/// The longest of these waits.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Journals, sends and settles an action; answers with what is stored of it, in order. As long as nobody knows whether
/// it was said, or it may still be said, this waits. Messages wait for those before them in their channel.
pub(super) async fn deliver_outgoing(
    entry: OutboxEntry,
    outgoing: OutgoingAction,
    own: Author,
    mut place: DeliveryQueuePlace,
) -> Result<Vec<StoredAction>, DeliveryFailure> {
    let OutboxEntry { discord, store, .. } = &entry;
    // What is not there is not worth a line in the journal, and is told so that the model can choose again.
    let attachment = stickers::find_attachment(discord, store, &outgoing)
        .await
        .map_err(to_gone_failure)?;
    let in_doubt = match journal_patiently(store, &outgoing, || entry.record_wait(true))
        .await
        .map_err(|error| error.to_string())?
    {
        JournalOutcome::New => false,
        JournalOutcome::Unsettled => true,
        JournalOutcome::Settled => return Err("it was said before".into()),
    };
    let mut is_late = entry.end_wait();
    let Some(post) = build_message_post(&outgoing, attachment) else {
        return deliver_reaction(&entry, &outgoing, &own).await;
    };
    if place.must_wait() {
        is_late = true;
        entry.record_wait(true);
        place.wait_until_first().await;
        entry.end_wait();
    }
    let known = KnownMessage {
        is_uncertain: in_doubt,
        is_late,
        ..KnownMessage::default()
    };
    let said = discord
        .message_sender()
        .deliver_message(&post, known, &entry)
        .await?;
    Ok(settle_sent_messages(store, &outgoing, &own, said).await)
}

fn to_gone_failure(why: String) -> DeliveryFailure {
    DeliveryFailure {
        kind: FailureKind::Gone,
        why,
    }
}

/// What earlier runs left open in a channel: what was journaled before `started`.
pub(super) struct UnsettledActions {
    pub discord: DiscordConnection,
    pub store: Store,
    pub task_sender: mpsc::Sender<DiscordTaskEvent>,
    pub channel: ChannelId,
    pub own: Author,
    pub started: Millis,
}

impl UnsettledActions {
    /// Settles it, oldest first. Answers how much of it is not said any more. As long as nobody knows whether it was said, or
    /// it may still be said, this waits: a prompt that does not show it would have it said again.
    pub async fn settle(&self) -> usize {
        let mut waits = BackOffSchedule::new(LOOK_FOR_IT, LONGEST_WAIT);
        loop {
            match self.find_open_actions().await {
                Ok(found) => return self.settle_each(found).await,
                Err(why) => {
                    tracing::warn!(channel = %self.channel, "what a stop left open is not settled yet: {why}")
                }
            }
            sleep(waits.next_wait()).await;
        }
    }

    /// What is open, each with the message it asks for and what of that stands there, where that is known.
    async fn find_open_actions(
        &self,
    ) -> Result<Vec<(OutgoingAction, Option<(MessagePost, Option<KnownMessage>)>)>, String> {
        let Self {
            discord,
            store,
            channel,
            started,
            ..
        } = self;
        let open = store
            .pending_outbox()
            .await
            .map_err(|error| error.to_string())?;
        let is_left =
            |outgoing: &OutgoingAction| outgoing.channel == *channel && outgoing.at < *started;
        let open: Vec<OutgoingAction> = open.into_iter().filter(is_left).collect();
        let settled = store
            .find_settled_messages(*channel, SETTLED)
            .await
            .map_err(|error| error.to_string())?;
        let mut to_be_posted = Vec::with_capacity(open.len());
        for outgoing in &open {
            let attachment = stickers::find_attachment(discord, store, outgoing).await;
            // A sticker that is not there any more cannot be looked for.
            to_be_posted.push(
                attachment
                    .ok()
                    .and_then(|attachment| build_message_post(outgoing, attachment)),
            );
        }
        let posts: Vec<MessagePost> = to_be_posted.iter().flatten().cloned().collect();
        let mut traces = match discord
            .message_sender()
            .find_deliveries(*channel, &posts, &settled)
            .await
        {
            Ok(traces) => Some(traces.into_iter()),
            Err(why)
                if (why.is_transient() || why.retry_delay().is_some())
                    && !open.iter().all(is_stale) =>
            {
                return Err(why.to_string());
            }
            Err(why) => {
                tracing::warn!(%channel, "what a stop left open cannot be looked for: {why}");
                None
            }
        };
        let mut known = |post| {
            let traces = traces
                .as_mut()
                .map(|traces| traces.next().unwrap_or_default());
            (
                post,
                traces.map(|traces| KnownMessage {
                    lookup: traces,
                    is_uncertain: false,
                    is_late: true,
                }),
            )
        };
        let found = open
            .into_iter()
            .zip(to_be_posted)
            .map(|(outgoing, post)| (outgoing, post.map(&mut known)));
        Ok(found.collect())
    }

    async fn settle_each(&self, found: Vec<Found>) -> usize {
        let Self {
            discord,
            store,
            task_sender,
            own,
            ..
        } = self;
        let mut dropped = 0;
        for (outgoing, post) in found {
            let entry = OutboxEntry::new(
                discord.clone(),
                store.clone(),
                task_sender.clone(),
                &outgoing,
            );
            let said = match post {
                Some((post, Some(known))) => match discord
                    .message_sender()
                    .deliver_message(&post, known, &entry)
                    .await
                {
                    Ok(said) => {
                        settle_sent_messages(store, &outgoing, own, said).await;
                        Ok(())
                    }
                    Err(failed) => Err(failed.why),
                },
                Some((_, None)) => Err("nobody knows whether it was said".to_owned()),
                None if is_stale(&outgoing) => Err("it is too old now".to_owned()),
                None => deliver_reaction(&entry, &outgoing, own)
                    .await
                    .map(drop)
                    .map_err(|undelivered| undelivered.why),
            };
            if let Err(why) = said {
                tracing::warn!(channel = %self.channel, "what a stop left open is not said: {why}");
                dropped += 1;
                retry_until_stored(|| store.drop_outgoing(outgoing.nonce.clone())).await;
            }
        }
        dropped
    }
}

/// What a stop left open, what of it is to be posted, and what is known of where it stands; none where nobody knows.
type Found = (OutgoingAction, Option<(MessagePost, Option<KnownMessage>)>);

fn is_stale(outgoing: &OutgoingAction) -> bool {
    clock::now() - outgoing.at > STALE
}

async fn deliver_reaction(
    entry: &OutboxEntry,
    outgoing: &OutgoingAction,
    own: &Author,
) -> Result<Vec<StoredAction>, DeliveryFailure> {
    let OutboxEntry { discord, store, .. } = entry;
    let VisibleAction::React { message, emoji } = &outgoing.action else {
        return Err("nothing to be done".into());
    };
    check_reaction(discord, store, outgoing.channel, (*message, emoji)).await?;
    discord
        .message_sender()
        .deliver_reaction((outgoing.channel, *message), emoji, outgoing.at, entry)
        .await?;
    let incoming = build_delivered_event(outgoing, own.clone(), *message);
    let stored = settle_one(store, outgoing.nonce.clone(), &incoming).await;
    Ok(vec![StoredAction {
        is_new: stored.new,
        what: to_stored_event(incoming, &stored),
    }])
}

/// Whether a reaction would be let through, as far as that is known: an emoji that is there already takes no permission.
async fn check_reaction(
    discord: &DiscordConnection,
    store: &Store,
    channel: ChannelId,
    (message, emoji): (MessageId, &str),
) -> Result<(), DeliveryFailure> {
    let may = |is_there| {
        discord
            .directory()
            .may_react(channel, is_there, clock::now())
    };
    if may(false) {
        return Ok(());
    }
    let found = store.find_message(channel, message).await;
    let line = found.unwrap_or_default().filter(|_| may(true));
    if line.is_some_and(|line| line.reactions.iter().any(|mark| *mark.emoji == *emoji)) {
        return Ok(());
    }
    let why = "Discord does not let it react there: the thread is closed, or the permission \"Add Reactions\" is missing.";
    Err(DeliveryFailure {
        kind: FailureKind::NotAllowed,
        why: why.into(),
    })
}

/// Stores what was said. Discord's own word of it may have been faster: then it is known already.
async fn settle_sent_messages(
    store: &Store,
    outgoing: &OutgoingAction,
    own: &Author,
    said: Vec<SentMessage>,
) -> Vec<StoredAction> {
    let mut settled = Vec::with_capacity(said.len());
    for (part, sent) in said.into_iter().enumerate() {
        let mut incoming = build_delivered_event(outgoing, own.clone(), sent.id);
        if let ChatEvent::Message(message) = &mut incoming {
            message.at = sent.at;
            message.text = sent.text.into();
            message.reply_to = message.reply_to.filter(|_| part == 0);
        }
        let stored = settle_one(store, build_part_nonce(&outgoing.nonce, part), &incoming).await;
        settled.push(StoredAction {
            is_new: stored.new,
            what: to_stored_event(incoming, &stored),
        });
    }
    settled
}

async fn settle_one(store: &Store, nonce: String, incoming: &ChatEvent) -> AppendOutcome {
    retry_until_stored(|| store.settle(nonce.clone(), incoming.clone())).await
}

/// The message an action asks for. The time it was journaled is in its nonce, because turns are counted anew in a new
/// database, and Discord would take a second `1.1` for the first.
fn build_message_post(
    outgoing: &OutgoingAction,
    attachment: Option<Attachment>,
) -> Option<MessagePost> {
    let post = MessagePost::from_action(outgoing, attachment)?;
    Some(MessagePost {
        nonce: format!("{}{TIME}{:x}", outgoing.nonce, outgoing.at),
        ..post
    })
}

/// The outbox's nonce of an action and the place of its message: `12.3` and 1 of `12.3-19…+1`.
pub(super) fn parse_discord_nonce(nonce: &str) -> Option<(&str, usize)> {
    let (outgoing, rest) = nonce.split_once(TIME)?;
    Some((
        outgoing,
        rest.split_once(PLACE)
            .map_or(Some(0), |(_, place)| place.parse().ok())?,
    ))
}
