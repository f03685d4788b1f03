//! What was written while nobody listened, fetched over REST. It hands over raw values, which are converted singly, and
//! never more than it was told to fetch: then the newest are there, and that older ones are missing is said.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::convert::read_object_id;
use super::missed_events::MissedEvent;
use super::rest::{RequestPriority, RestClient, RestError, RestRequest, RestRoute};
use kith_core::chat::{ChannelId, MessageId};

/// Messages on a page: the most Discord gives.
const PAGE: usize = 100;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MissedMessages {
    /// The messages as Discord lists them, oldest first, each once, without any up to the one that was known.
    pub messages: Vec<Value>,
    /// Those of the newest page up to the known one that were edited at some time, oldest first.
    pub edited: Vec<Value>,
    pub newest: NewestPage,
    /// Whether messages older than these were missed, too, and were not fetched.
    pub gap: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewestPage {
    ids: BTreeSet<u64>,
    /// Everything from this id on that is not there is gone.
    first_id: u64,
}

impl NewestPage {
    fn from_messages(page: &[Value]) -> Self {
        let ids: BTreeSet<u64> = page.iter().filter_map(read_object_id).collect();
        let oldest = ids.first().copied().unwrap_or_default();
        Self {
            ids,
            first_id: if page.len() < PAGE { 0 } else { oldest },
        }
    }

    /// Whether a message that was known before the page was fetched is gone. An empty page tells nothing: Discord shows
    /// one to whom the history is hidden from.
    pub fn is_deleted(&self, message: MessageId) -> bool {
        !self.ids.is_empty() && message.0 >= self.first_id && !self.ids.contains(&message.0)
    }
}

/// What was missed in a channel, by what a former session told of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MissedInChannel {
    /// The messages as they are now, oldest first, without any up to the one that was known.
    pub messages: Vec<Value>,
    /// Older ones that were edited, as they are now, oldest first.
    pub edited: Vec<Value>,
    pub deleted: Vec<MessageId>,
    pub newest: Option<MessageId>,
}

impl MissedInChannel {
    /// Of what happened after a message. Events may have overtaken each other, and come twice.
    pub fn from_events(events: Vec<MissedEvent>, after: MessageId) -> Self {
        let (mut written, mut now) = (BTreeSet::new(), BTreeMap::<u64, Value>::new());
        let mut deleted = Vec::new();
        for event in events {
            let message = match event {
                MissedEvent::Created(message) => {
                    written.extend(read_object_id(&message));
                    message
                }
                // What has no author or no text is no whole message, only what a link in it shows.
                MissedEvent::Updated(message)
                    if message["author"].is_object() && message["content"].is_string() =>
                {
                    message
                }
                MissedEvent::Updated(_) => continue,
                MissedEvent::Deleted(ids) => {
                    deleted.extend(ids);
                    continue;
                }
            };
            let Some(id) = read_object_id(&message) else {
                continue;
            };
            let known = now.get(&id);
            if known.is_none_or(|known| edit_time(known) <= edit_time(&message)) {
                now.insert(id, message);
            }
        }
        deleted
            .iter()
            .for_each(|id: &MessageId| drop(now.remove(&id.0)));
        let newest = written.last().copied().map(MessageId);
        let (messages, edited): (Vec<_>, Vec<(u64, Value)>) = now
            .into_iter()
            .partition(|(id, _)| *id > after.0 && written.contains(id));
        let is_edited = |(_, message): &(u64, Value)| !edit_time(message).is_empty();
        let edited = edited.into_iter().filter(is_edited).collect();
        let values = |those: Vec<(u64, Value)>| those.into_iter().map(|(_, value)| value).collect();
        Self {
            messages: values(messages),
            edited: values(edited),
            deleted,
            newest,
        }
    }
}

/// Before all others where it was not edited. Discord writes all times in one form.
fn edit_time(message: &Value) -> &str {
    message["edited_timestamp"].as_str().unwrap_or_default()
}

/// What was written in a channel after a message, from at most so many pages of 100 (at least one is fetched). Nothing
/// where its history may not be read.
///
/// # Errors
/// What REST says. Then nothing is known to be missed or not, and it should be asked again.
pub async fn fetch_missed_messages(
    rest: &RestClient,
    channel: ChannelId,
    after: MessageId,
    pages: u32,
) -> Result<MissedMessages, RestError> {
    match fetch_pages(rest, channel, after.0, pages.max(1)).await {
        Err(
            RestError::Forbidden { .. }
            | RestError::NotFound { .. }
            | RestError::AbilityDisabled(_),
        ) => Ok(MissedMessages::default()),
        fetched => fetched,
    }
}

/// From the newest page backwards, until the known message is reached or the pages are used up: so the newest are there
/// whatever happens. The first page is fetched even where nothing was missed, for it tells what was deleted.
async fn fetch_pages(
    rest: &RestClient,
    channel: ChannelId,
    after: u64,
    pages: u32,
) -> Result<MissedMessages, RestError> {
    let mut found = BTreeMap::new();
    let mut missed = MissedMessages {
        gap: true,
        ..MissedMessages::default()
    };
    let mut before = None;
    for _ in 0..pages {
        let page = fetch_page(rest, channel, before).await?;
        if before.is_none() {
            missed.newest = NewestPage::from_messages(&page);
            let known = page
                .iter()
                .filter(|message| read_object_id(message).is_some_and(|id| id <= after));
            missed.edited = known
                .rev()
                .filter(|message| message["edited_timestamp"].is_string())
                .cloned()
                .collect();
        }
        let is_last = page.len() < PAGE;
        let oldest = page.iter().filter_map(read_object_id).min();
        let with_id = page
            .into_iter()
            .filter_map(|message| Some((read_object_id(&message)?, message)));
        found.extend(with_id.filter(|(id, _)| *id > after));
        if is_last || oldest.is_none_or(|oldest| oldest <= after) {
            missed.gap = false;
            break;
        }
        before = oldest;
    }
    missed.messages = found.into_values().collect();
    Ok(missed)
}

async fn fetch_page(
    rest: &RestClient,
    channel: ChannelId,
    before: Option<u64>,
) -> Result<Vec<Value>, RestError> {
    let call = RestRequest::get(RestRoute::messages(channel))
        .query("limit", PAGE)
        .priority(RequestPriority::Background);
    match rest
        .call(
            before
                .into_iter()
                .fold(call, |call, id| call.query("before", id)),
        )
        .await?
    {
        Value::Array(page) => Ok(page),
        _ => Err(RestError::Unreadable(
            "a page of messages that is no list".into(),
        )),
    }
}
