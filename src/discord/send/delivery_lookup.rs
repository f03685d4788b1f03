//! After a crash: looks in a channel for what was sent before it, so that nothing is said twice. Own messages are told
//! by what they say, for Discord does not keep nonces.

use serde_json::Value;

use super::{Attachment, MessagePost, MessageSender, SentMessage};
use crate::rest::{RequestPriority, RestError, RestRequest, RestRoute};
use crate::snowflake::{smallest_snowflake, snowflake_time};
use kith_core::chat::{ChannelId, MINUTE, MessageId, Millis};
use kith_core::outgoing::STALE;

/// How far this machine's clock may be off Discord's.
const CLOCK_SLACK: Millis = 2 * MINUTE;
/// A message comes at most this long after it was written down: it is given up before.
const LATEST: Millis = STALE + MINUTE;
const PAGE: usize = 100;
const MOST_PAGES: usize = 20;
/// The longest name that stands in the place of a mention, in characters.
const LONGEST_NAME: usize = 100;

/// What was found of one message: for each of its parts the message that it became.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryLookup {
    /// In the order of the parts.
    pub parts: Vec<Option<SentMessage>>,
}

impl DeliveryLookup {
    pub fn is_complete(&self) -> bool {
        self.parts.iter().all(Option::is_some)
    }
}

impl MessageSender {
    /// Looks for messages that were journaled in a channel and never settled; `posts` is all of them that belong to
    /// this channel, oldest first. A message of the companion's own is a trace of a part if it says the same and was
    /// posted between two minutes before the part was journaled and eleven minutes after; each is a trace of one part
    /// only, and those in `settled` (what other actions became) of none. Answers with one [`DeliveryLookup`] a
    /// post, in the same order: what is whole is settled; of what is not, [`MessageSender::send_missing_parts`] posts the rest while that
    /// still makes sense to those who read it, else it is dropped and reported.
    ///
    /// # Errors
    /// The channel could not be read: nothing is known, the posts stay unsettled.
    pub async fn find_deliveries(
        &self,
        channel: ChannelId,
        posts: &[MessagePost],
        settled: &[MessageId],
    ) -> Result<Vec<DeliveryLookup>, RestError> {
        let Some(oldest) = posts.iter().map(|post| post.at).min() else {
            return Ok(Vec::new());
        };
        let newest = posts.iter().map(|post| post.at).max().unwrap_or(oldest);
        let mut own = self
            .fetch_own_messages(channel, oldest - CLOCK_SLACK, newest + LATEST)
            .await?;
        own.retain(|message| !settled.contains(&message.id));
        let lookups = posts.iter().map(|post| {
            let parts = self.split_post(post).1.into_iter().map(|part| {
                let is_trace = |message: &OwnMessage| {
                    let after = message.timestamp() - post.at;
                    let is_it = match &post.attachment {
                        Some(attachment) => message.has_attachment(attachment),
                        None => message.has_text(&part.written),
                    };
                    (-CLOCK_SLACK..=LATEST).contains(&after) && is_it
                };
                let found = own.iter().position(is_trace)?;
                let message = own.remove(found);
                Some(SentMessage {
                    id: message.id,
                    at: message.timestamp(),
                    text: part.written,
                })
            });
            DeliveryLookup {
                parts: parts.collect(),
            }
        });
        Ok(lookups.collect())
    }

    /// The companion's own messages in a channel between two times, oldest first.
    async fn fetch_own_messages(
        &self,
        channel: ChannelId,
        from: Millis,
        until: Millis,
    ) -> Result<Vec<OwnMessage>, RestError> {
        let me = self.directory().me.to_string();
        let mut after = smallest_snowflake(from).0;
        let mut own = Vec::new();
        for _ in 0..MOST_PAGES {
            let call = RestRequest::get(RestRoute::messages(channel))
                .query("after", after)
                .query("limit", PAGE);
            let page = self
                .rest
                .call(call.priority(RequestPriority::Background))
                .await?;
            let page = page.as_array().map_or(&[][..], Vec::as_slice);
            let ids = page
                .iter()
                .filter_map(|message| message["id"].as_str()?.parse().ok());
            let Some(last) = ids.max().filter(|last| *last > after) else {
                break;
            };
            let mine = page
                .iter()
                .filter(|message| message["author"]["id"].as_str() == Some(&me));
            own.extend(mine.filter_map(OwnMessage::from_json));
            after = last;
            if page.len() < PAGE || snowflake_time(MessageId(last)) > until {
                break;
            }
        }
        own.sort_by_key(|message| message.id);
        Ok(own)
    }
}

struct OwnMessage {
    id: MessageId,
    content: String,
    stickers: Vec<u64>,
    question: Option<String>,
    descriptions: Vec<String>,
}

impl OwnMessage {
    fn from_json(message: &Value) -> Option<Self> {
        let id = MessageId(message["id"].as_str()?.parse().ok()?);
        let list = |key: &str| message[key].as_array().map_or(&[][..], Vec::as_slice);
        Some(Self {
            id,
            content: message["content"].as_str()?.to_owned(),
            stickers: list("sticker_items")
                .iter()
                .filter_map(|item| item["id"].as_str()?.parse().ok())
                .collect(),
            question: message["poll"]["question"]["text"]
                .as_str()
                .map(str::to_owned),
            descriptions: list("attachments")
                .iter()
                .filter_map(|file| Some(file["description"].as_str()?.to_owned()))
                .collect(),
        })
    }

    fn timestamp(&self) -> Millis {
        snowflake_time(self.id)
    }

    fn has_text(&self, written: &str) -> bool {
        (!written.is_empty() || !self.stickers.is_empty())
            && is_same_text(written.trim(), self.content.trim())
    }

    fn has_attachment(&self, attachment: &Attachment) -> bool {
        self.content.is_empty()
            && match attachment {
                Attachment::Poll(poll) => self.question.as_ref() == Some(&poll.question),
                Attachment::Sticker(id) => self.stickers == [*id],
                Attachment::Picture(picture) => self.descriptions == [&*picture.caption],
            }
    }
}

/// Whether a text as it was written became this content. A mention may stand for any name: who is called what may have
/// changed, and after a start nobody is known yet.
fn is_same_text(written: &str, content: &str) -> bool {
    // Every place in `written` that the content so far may reach.
    let mut reached = vec![0];
    let mut rest = content;
    while !rest.is_empty() && !reached.is_empty() {
        let (piece, meaning) = split_first_piece(rest);
        let mut next = Vec::new();
        for at in reached {
            let ahead = &written[at..];
            if ahead.starts_with(piece) {
                next.push(at + piece.len());
            }
            match meaning {
                MarkupMeaning::Plain => {}
                MarkupMeaning::Emoji(name) => {
                    let inside = ahead
                        .strip_prefix(':')
                        .and_then(|ahead| ahead.strip_prefix(name));
                    next.extend(
                        inside
                            .filter(|ahead| ahead.starts_with(':'))
                            .map(|_| at + name.len() + 2),
                    );
                }
                MarkupMeaning::Name(sign) if ahead.starts_with(sign) => {
                    let ends = ahead
                        .char_indices()
                        .map(|(end, _)| end)
                        .chain([ahead.len()]);
                    next.extend(ends.skip(2).take(LONGEST_NAME).map(|end| at + end));
                }
                MarkupMeaning::Name(_) => {}
            }
        }
        next.sort_unstable();
        next.dedup();
        reached = next;
        rest = &rest[piece.len()..];
    }
    reached.contains(&written.len())
}

/// What a piece of a message's content may stand for besides itself.
#[derive(Clone, Copy)]
enum MarkupMeaning<'a> {
    Plain,
    /// A name behind this sign.
    Name(char),
    Emoji(&'a str),
}

/// The piece a content begins with: markup, or the text before the next.
fn split_first_piece(content: &str) -> (&str, MarkupMeaning<'_>) {
    let meaning = |inside: &'_ str| {
        let is_id = |id: &str| id.parse::<u64>().is_ok();
        let person = inside
            .strip_prefix('@')
            .map(|id| id.trim_start_matches(['!', '&']));
        if person.is_some_and(is_id) {
            return Some(MarkupMeaning::Name('@'));
        }
        inside
            .strip_prefix('#')
            .filter(|id| is_id(id))
            .map(|_| MarkupMeaning::Name('#'))
    };
    if let Some((inside, _)) = content
        .strip_prefix('<')
        .and_then(|inside| inside.split_once('>'))
    {
        let whole = &content[..inside.len() + 2];
        let emoji = inside
            .strip_prefix('a')
            .unwrap_or(inside)
            .strip_prefix(':')
            .and_then(|rest| rest.split_once(':'));
        match (meaning(inside), emoji) {
            (Some(meaning), _) => return (whole, meaning),
            (None, Some((name, id))) if id.parse::<u64>().is_ok() => {
                return (whole, MarkupMeaning::Emoji(name));
            }
            _ => {}
        }
    }
    let end = content
        .char_indices()
        .skip(1)
        .find(|(_, c)| *c == '<')
        .map_or(content.len(), |(at, _)| at);
    (&content[..end], MarkupMeaning::Plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_known_by_what_it_says_whoever_is_called_what() {
        for (written, content) in [
            ("hi", "hi"),
            (
                "hi @Anna Maria, look: :smile: in #general!",
                "hi <@1>, look: <a:smile:2> in <#3>!",
            ),
            ("@小明你好 @everyone", "<@5>你好 @everyone"),
            ("a <3 b <@9> c", "a <3 b <@9> c"),
            ("@a @a @a", "<@1> <@1> <@1>"),
        ] {
            assert!(is_same_text(written, content), "{written} / {content}");
        }
        for (written, content) in [
            ("hi", "hi!"),
            ("hi there", "hi"),
            ("hi @Anna", "hi <@1> and more"),
            (":smile:", "<:smirk:2>"),
            ("", "hi"),
            ("@", "<@1>"),
        ] {
            assert!(!is_same_text(written, content), "{written} / {content}");
        }
    }
}
