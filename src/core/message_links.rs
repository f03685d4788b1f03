//! Links to messages, as people copy them: `https://discord.com/channels/…`. No prompt shows one, for it is three long ids;
//! it names the line that the link leads to.

use std::borrow::Cow;

use crate::chat::MessageId;

/// What stands in every link to a message, right behind the host.
const PATH: &str = "/channels/";
/// What stands for a message that is not on show.
const ELSEWHERE: &str = "#message";

/// A text whose links to messages are replaced by what `name_line` says of them.
pub fn name_message_links(
    text: &str,
    name_line: impl Fn(MessageId) -> Option<String>,
) -> Cow<'_, str> {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, message, behind)) = split_at_link(rest) {
        out.push_str(before);
        out.push_str(name_line(message).as_deref().unwrap_or(ELSEWHERE));
        rest = behind;
    }
    if rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What stands around the links to messages of a text, in the prompt too; the whole text where there is none.
pub fn split_at_message_links(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let left = rest.take()?;
        let Some((before, _, behind)) = split_at_link(left) else {
            return Some(left);
        };
        rest = Some(behind);
        Some(before)
    })
}

pub fn find_linked_message(text: &str) -> Option<MessageId> {
    split_at_link(text).map(|(_, message, _)| message)
}

/// What stands before the first link, the message it leads to, and what stands behind it.
fn split_at_link(text: &str) -> Option<(&str, MessageId, &str)> {
    text.match_indices(PATH).find_map(|(at, _)| {
        let start = text[..at].rfind("https://")?;
        let is_host = |c: char| c.is_ascii_alphanumeric() || c == '.';
        let path = &text[at + PATH.len()..];
        let length = path.find(|c: char| !(c.is_ascii_digit() || "/@me".contains(c)));
        let (path, behind) = path.split_at(length.unwrap_or(path.len()));
        let mut ids = path.trim_end_matches('/').split('/');
        let (_guild, _channel, message) = (ids.next()?, ids.next()?, ids.next()?);
        let is_link = text[start + 8..at].chars().all(is_host) && ids.next().is_none();
        let message = MessageId(message.parse().ok()?);
        is_link.then_some((&text[..start], message, behind))
    })
}
