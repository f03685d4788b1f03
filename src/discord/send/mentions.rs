//! What the companion wrote becomes what Discord is sent: names become mentions, `:smile:` the guild's emoji, a named
//! sticker a sticker. Text in code stays as it is, and nothing here can ping anybody by itself.

use std::sync::LazyLock;

use kith_core::chat::{ChannelId, GuildId, UserId};
use kith_core::directory::Directory;
use kith_language::{Language, history};

const MOST_STICKERS: usize = 3;
/// How a sticker stands in what the companion reads of others, with what ends it; prompts make its brackets round.
static STICKERS: LazyLock<Vec<(String, char)>> = LazyLock::new(|| {
    let words = Language::ALL.map(|language| history::sticker().in_language(language));
    words
        .iter()
        .flat_map(|word| [(format!("[{word}: "), ']'), (format!("({word}: "), ')')])
        .collect()
});
/// The longest markup such as `<:name:id>`, in bytes.
const LONGEST_MARKUP: usize = 64;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderedText {
    pub content: String,
    pub users: Vec<UserId>,
    /// Stickers of the guild that go with it.
    pub stickers: Vec<u64>,
    /// What was put in, and what stood there.
    replacements: Vec<(String, String)>,
}

impl RenderedText {
    /// A piece of [`RenderedText::content`] as it was written.
    pub(super) fn restore_source_text(&self, piece: &str) -> String {
        self.replacements
            .iter()
            .fold(piece.to_owned(), |text, (put, stood)| {
                text.replace(put, stood)
            })
    }
}

/// Words `text` for a channel. In direct messages it stays as it is: who else writes to the companion is nobody's
/// business.
pub fn render_mentions(directory: &Directory, channel: ChannelId, text: &str) -> RenderedText {
    let Some(guild) = directory.find_guild(channel) else {
        return RenderedText {
            content: text.trim().to_owned(),
            ..RenderedText::default()
        };
    };
    let place = GuildChannel {
        directory,
        guild,
        channel,
    };
    let mut rendered = RenderedText::default();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let found = is_standalone(&rendered.content, first)
            .then(|| place.resolve_mention(rest, &mut rendered))
            .flatten();
        let (length, put) = found.map_or_else(
            || (measure_verbatim(rest, first), None),
            |(length, put)| (length, Some(put)),
        );
        let source = &rest[..length];
        rendered.content.push_str(put.as_deref().unwrap_or(source));
        if let Some(put) = put.filter(|put| {
            !put.is_empty() && rendered.replacements.iter().all(|(known, _)| known != put)
        }) {
            rendered.replacements.push((put, source.to_owned()));
        }
        rest = &rest[length..];
    }
    rendered.content = rendered.content.trim().to_owned();
    rendered
}

struct GuildChannel<'a> {
    directory: &'a Directory,
    guild: GuildId,
    channel: ChannelId,
}

impl GuildChannel<'_> {
    /// How many bytes at the start of `rest` mean something, and what is put in their place.
    fn resolve_mention(&self, rest: &str, rendered: &mut RenderedText) -> Option<(usize, String)> {
        let inside = rest.get(1..)?;
        if let Some((start, end)) = STICKERS.iter().find(|(start, _)| rest.starts_with(start)) {
            let name = rest[start.len()..].split_once(*end)?.0;
            let sticker = self.directory.find_sticker(self.guild, name.trim())?.id;
            let fits =
                rendered.stickers.len() < MOST_STICKERS && !rendered.stickers.contains(&sticker);
            return fits.then(|| {
                rendered.stickers.push(sticker);
                (start.len() + name.len() + 1, String::new())
            });
        }
        match rest.as_bytes().first()? {
            b'@' if !rest.starts_with("@everyone") && !rest.starts_with("@here") => {
                let (user, length) = self.directory.find_named_user(Some(self.guild), inside)?;
                if user == self.directory.me {
                    return None;
                }
                if !rendered.users.contains(&user) {
                    rendered.users.push(user);
                }
                Some((1 + length, format!("<@{user}>")))
            }
            b'#' => {
                let (id, length) = self.find_channel(inside)?;
                Some((1 + length, format!("<#{id}>")))
            }
            b':' => {
                let emoji = self
                    .directory
                    .find_emoji(self.guild, inside.split_once(':')?.0)?;
                let animated = if emoji.animated { "a" } else { "" };
                Some((
                    emoji.name.len() + 2,
                    format!("<{animated}:{}:{}>", emoji.name, emoji.id),
                ))
            }
            _ => None,
        }
    }

    /// The one channel of the longest name at the start of `text`, if everybody here may read it, and the length of
    /// the name.
    fn find_channel(&self, text: &str) -> Option<(ChannelId, usize)> {
        let ends = |name: &str| {
            let next = text[name.len()..].chars().next();
            next.is_none_or(|c| !c.is_ascii_alphanumeric() && !"-_".contains(c))
        };
        let channels = self
            .directory
            .list_channels(self.guild)
            .map(|known| (known.channel.id, &*known.channel.name));
        let named =
            channels.filter(|(_, name)| !name.is_empty() && text.starts_with(name) && ends(name));
        let named: Vec<(ChannelId, usize)> = named.map(|(id, name)| (id, name.len())).collect();
        let longest = named.iter().map(|(_, length)| *length).max()?;
        let mut of_that_name = named.into_iter().filter(|(_, length)| *length == longest);
        let found = of_that_name
            .next()
            .filter(|_| of_that_name.next().is_none())?;
        self.directory
            .is_readable_in(found.0, self.channel)
            .then_some(found)
    }
}

/// Whether a mark is the beginning of something and not the middle of an address or a word.
fn is_standalone(before: &str, mark: char) -> bool {
    match before.chars().next_back() {
        None => true,
        Some(last) if matches!(mark, '@' | '#') => {
            !last.is_ascii_alphanumeric() && !"/._-@#\\&=?".contains(last)
        }
        Some(last) => last != '\\',
    }
}

/// How many bytes at the start of `rest` are taken over together: code, Discord's own markup, or one character.
fn measure_verbatim(rest: &str, first: char) -> usize {
    let run = rest.len() - rest.trim_start_matches('`').len();
    match first {
        '`' => {
            let marks = &rest[..run.min(3)];
            let code = rest[marks.len()..]
                .find(marks)
                .map(|end| end + 2 * marks.len());
            code.unwrap_or(run)
        }
        '<' => {
            let ends = |c: char| c.is_whitespace() || matches!(c, '<' | '>');
            let end = rest[1..]
                .find(ends)
                .map(|end| end + 1)
                .filter(|end| rest[*end..].starts_with('>'));
            let end = end.filter(|end| {
                *end < LONGEST_MARKUP && rest[1..].starts_with(['@', '#', ':', 'a', 't', '/', 'h'])
            });
            end.map_or(1, |end| end + 1)
        }
        other => other.len_utf8(),
    }
}

/// A reaction as an address takes it: the character, or `name:id` of the guild's own emoji. None if it names an emoji
/// that the guild does not have.
pub(super) fn resolve_reaction(
    directory: &Directory,
    channel: ChannelId,
    emoji: &str,
) -> Option<String> {
    let emoji = emoji.trim();
    let markup = emoji
        .strip_prefix('<')
        .and_then(|inside| inside.strip_suffix('>'));
    let markup = markup.and_then(|inside| {
        inside
            .strip_prefix('a')
            .unwrap_or(inside)
            .strip_prefix(':')?
            .split_once(':')
    });
    if let Some((name, id)) =
        markup.filter(|(name, id)| !name.is_empty() && id.parse::<u64>().is_ok())
    {
        return Some(format!("{name}:{id}"));
    }
    let name = emoji.trim_matches(':');
    match directory
        .find_guild(channel)
        .and_then(|guild| directory.find_emoji(guild, name))
    {
        Some(own) => Some(format!("{}:{}", own.name, own.id)),
        // No emoji is made of letters.
        None if name.is_empty() || name.contains(|c: char| c.is_ascii_alphabetic()) => None,
        None => Some(emoji.to_owned()),
    }
}
