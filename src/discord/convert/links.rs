//! Links to places and files of Discord, which are little more than ids: words stand in their place. Only links to messages
//! of the same channel stay, for the prompt names the line they lead to.

use std::borrow::Cow;
use std::ops::Range;

use super::markup::sanitize_name;
use kith_core::chat::ChannelId;

const DOMAINS: [&str; 3] = ["discord.com", "discordapp.com", "discordapp.net"];
/// So many digits are an id.
const ID_DIGITS: usize = 15;

/// Says what stands for a channel, or for a message in it; for something else where there is no channel.
type PlaceNamer<'a> = &'a dyn Fn(Option<u64>, bool) -> String;

/// A text of the channel `here` with words in the place of such links.
pub(super) fn name_links<'t>(text: &'t str, here: ChannelId, name: PlaceNamer<'_>) -> Cow<'t, str> {
    let mut named = Cow::Borrowed(text);
    let mut from = 0;
    while let Some(place) = find_link(&named, from) {
        from = place.end;
        let Some(words) = describe_link(&named[place.clone()], here, name) else {
            continue;
        };
        from = place.start + words.len();
        named.to_mut().replace_range(place, &words);
    }
    named
}

fn find_link(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = &text[from..];
    let starts = ["https://", "http://"].map(|scheme| rest.find(scheme));
    let start = from + starts.into_iter().flatten().min()?;
    let is_end = |c: char| c.is_whitespace() || "<>()[]|*\"'`，。）】".contains(c);
    let length = text[start..].find(is_end);
    Some(start..length.map_or(text.len(), |length| start + length))
}

/// What stands for a link; none where it may stay.
fn describe_link(link: &str, here: ChannelId, name_place: PlaceNamer<'_>) -> Option<String> {
    let (_, address) = link.split_once("://")?;
    let (host, path) = address.split_once('/')?;
    let host = host.to_ascii_lowercase();
    let is_discord = |domain: &&&str| {
        let below = host.strip_suffix(**domain);
        below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
    };
    DOMAINS.iter().find(is_discord)?;
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    let is_id = |part: &&str| part.bytes().take_while(u8::is_ascii_digit).count() >= ID_DIGITS;
    let id = |digits: &str| digits.parse::<u64>().ok();
    match *parts.as_slice() {
        ["channels", _, channel, message]
            if id(channel) == Some(here.0) && id(message).is_some() =>
        {
            None
        }
        ["channels", _, channel, ref behind @ ..] => {
            Some(name_place(id(channel), !behind.is_empty()))
        }
        ["emojis", _] => {
            let mut pairs = query.split('&');
            let name = pairs.find_map(|pair| pair.strip_prefix("name="));
            let name = name.map_or("emoji".into(), sanitize_name);
            Some(format!(":{name}:"))
        }
        ["attachments" | "ephemeral-attachments", _, _, file] => Some(sanitize_name(file).into()),
        _ if parts.iter().any(is_id) => Some(name_place(None, false)),
        _ => None,
    }
}
