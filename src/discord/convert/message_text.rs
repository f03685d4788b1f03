//! A message as it was written, borrowed from its JSON. What comes of it is decided elsewhere.

use std::borrow::Cow;

use serde_json::Value;

use super::components::{TextComponent, read_components};
use super::json::{
    read_field, read_flag, read_id, read_ids, read_list, read_number, read_text, read_time,
};
use kith_core::chat::{MessagePicture, Millis};

const EPHEMERAL: u64 = 1 << 6;
/// The message notifies nobody: so the daemon speaks where it is not the companion that does.
pub const SILENT: u64 = 1 << 12;
const VOICE_MESSAGE: u64 = 1 << 13;
/// The media types of pictures that models can be shown.
const PICTURES: [&str; 5] = [
    "image/png",
    "image/jpeg",
    "image/jpg",
    "image/gif",
    "image/webp",
];
const PLAIN_TEXT: &str = "text/plain";
/// How a message refers to the one it forwards.
const FORWARD: u64 = 1;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DiscordPerson<'a> {
    pub id: u64,
    /// Whether they are told as a member of the guild: then no nick means that they have none.
    pub is_member: bool,
    pub nick: Option<&'a str>,
    pub global_name: Option<&'a str>,
    pub username: &'a str,
    pub bot: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MessageFile<'a> {
    pub name: &'a str,
    pub bytes: u64,
    pub kind: &'a str,
    pub description: Option<&'a str>,
    pub seconds: Option<f64>,
    pub url: &'a str,
    /// Width times height.
    pub pixels: Option<u64>,
}

/// What a message shows: its own, or a forwarded one's.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MessageBody<'a> {
    pub content: Cow<'a, str>,
    pub files: Vec<MessageFile<'a>>,
    pub is_recording: bool,
    pub stickers: Vec<&'a str>,
    /// What bots lay out: texts, buttons and menus, from top to bottom.
    pub components: Vec<TextComponent<'a>>,
    /// The texts of each embed that has any, from top to bottom.
    pub embeds: Vec<Vec<Cow<'a, str>>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PollText<'a> {
    pub question: &'a str,
    pub answers: Vec<&'a str>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PollResult<'a> {
    pub question: &'a str,
    /// The answer that won; none of a tie.
    pub winner: Option<&'a str>,
    pub winner_votes: &'a str,
    pub votes: &'a str,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct DiscordMessage<'a> {
    pub id: u64,
    pub channel: u64,
    pub guild: Option<u64>,
    pub kind: u64,
    /// None where an edit does not tell.
    pub author: Option<DiscordPerson<'a>>,
    /// The webhook that posted it, unless it is the application's own.
    pub webhook: Option<u64>,
    pub application: Option<u64>,
    pub is_interaction: bool,
    pub is_ephemeral: bool,
    pub is_silent: bool,
    pub body: MessageBody<'a>,
    pub forwarded: Vec<MessageBody<'a>>,
    pub poll: Option<PollText<'a>>,
    pub poll_result: Option<PollResult<'a>>,
    pub mentions: Vec<DiscordPerson<'a>>,
    pub mention_roles: Vec<u64>,
    pub reply_to: Option<u64>,
    /// Who wrote that, where Discord tells.
    pub replied_user: Option<u64>,
    /// The message it replies to, or that its thread was opened at, as Discord quotes it.
    pub quoted: Option<&'a Value>,
    pub forwarded_message: Option<u64>,
    pub nonce: Option<Cow<'a, str>>,
    pub edited_at: Option<Millis>,
}

impl<'a> DiscordMessage<'a> {
    /// From JSON; none if it has no id or no channel. In a channel's history the channel is given.
    pub fn from_json(value: &'a Value) -> Option<Self> {
        let reference = read_field(value, "message_reference");
        let is_forward = reference.is_some_and(|reference| read_kind(reference) == FORWARD);
        let referred = reference.and_then(|reference| read_id(reference, "message_id"));
        let application = read_id(value, "application_id");
        let webhook = read_id(value, "webhook_id");
        let interaction =
            read_field(value, "interaction_metadata").or_else(|| read_field(value, "interaction"));
        let snapshots = read_list(value, "message_snapshots")
            .iter()
            .filter_map(|one| read_field(one, "message"));
        Some(Self {
            id: read_id(value, "id")?,
            channel: read_id(value, "channel_id")?,
            guild: read_id(value, "guild_id"),
            kind: read_kind(value),
            author: read_field(value, "author")
                .and_then(|user| DiscordPerson::from_json(user, read_field(value, "member"))),
            webhook: webhook.filter(|id| Some(*id) != application),
            application,
            is_interaction: interaction.is_some(),
            is_ephemeral: read_flags(value) & EPHEMERAL != 0,
            is_silent: read_flags(value) & SILENT != 0,
            body: MessageBody::from_json(value),
            forwarded: snapshots.map(MessageBody::from_json).collect(),
            poll: read_field(value, "poll").map(PollText::from_json),
            poll_result: read_list(value, "embeds")
                .iter()
                .find(|embed| is_poll_result(embed))
                .map(PollResult::from_json),
            mentions: read_list(value, "mentions")
                .iter()
                .filter_map(|user| DiscordPerson::from_json(user, read_field(user, "member")))
                .collect(),
            mention_roles: read_ids(value, "mention_roles"),
            reply_to: referred.filter(|_| !is_forward),
            replied_user: read_field(value, "referenced_message")
                .and_then(|one| read_id(read_field(one, "author")?, "id")),
            quoted: read_field(value, "referenced_message"),
            forwarded_message: referred.filter(|_| is_forward),
            nonce: read_field(value, "nonce").and_then(|nonce| match nonce {
                Value::String(text) => Some(Cow::Borrowed(text.as_str())),
                other => other.as_u64().map(|number| Cow::Owned(number.to_string())),
            }),
            edited_at: read_time(value, "edited_timestamp"),
        })
    }
}

impl DiscordMessage<'_> {
    /// The pictures and texts that were sent along, forwarded ones included.
    pub fn pictures(&self) -> Vec<MessagePicture> {
        std::iter::once(&self.body)
            .chain(&self.forwarded)
            .flat_map(MessageBody::pictures)
            .collect()
    }
}

/// The pictures that were sent along with a message in JSON, without forwarded ones: those are others'.
pub fn read_pictures(message: &Value) -> Vec<MessagePicture> {
    let files = MessageBody::from_json(message);
    files.pictures().filter(|file| !file.is_text).collect()
}

impl<'a> DiscordPerson<'a> {
    /// A user, with what the guild knows of them; none without an id.
    pub fn from_json(user: &'a Value, member: Option<&'a Value>) -> Option<Self> {
        Some(Self {
            id: read_id(user, "id")?,
            is_member: member.is_some(),
            nick: member.and_then(|member| read_text(member, "nick")),
            global_name: read_text(user, "global_name"),
            username: read_text(user, "username").unwrap_or_default(),
            bot: read_flag(user, "bot"),
        })
    }
}

impl<'a> MessageBody<'a> {
    fn pictures(&self) -> impl Iterator<Item = MessagePicture> {
        let files = self.files.iter();
        let pictures = files
            .map(|file| (file, file.kind.starts_with(PLAIN_TEXT)))
            .filter(|(file, is_text)| *is_text || PICTURES.contains(&file.kind))
            .filter(|(file, _)| !file.url.is_empty());
        pictures.map(|(file, is_text)| MessagePicture {
            url: file.url.into(),
            name: file.name.into(),
            bytes: file.bytes,
            pixels: file.pixels,
            is_text,
        })
    }

    fn from_json(value: &'a Value) -> Self {
        Self {
            content: read_text(value, "content").unwrap_or_default().into(),
            files: read_list(value, "attachments")
                .iter()
                .map(MessageFile::from_json)
                .collect(),
            is_recording: read_flags(value) & VOICE_MESSAGE != 0,
            stickers: read_list(value, "sticker_items")
                .iter()
                .filter_map(|sticker| read_text(sticker, "name"))
                .collect(),
            components: read_components(read_list(value, "components")),
            embeds: read_list(value, "embeds")
                .iter()
                .filter(|embed| !is_poll_result(embed))
                .map(read_embed_texts)
                .filter(|texts| !texts.is_empty())
                .collect(),
        }
    }
}

impl<'a> MessageFile<'a> {
    fn from_json(value: &'a Value) -> Self {
        Self {
            name: read_text(value, "filename").unwrap_or_default(),
            bytes: read_field(value, "size")
                .and_then(read_number)
                .unwrap_or_default(),
            kind: read_text(value, "content_type").unwrap_or_default(),
            description: read_text(value, "description"),
            seconds: read_field(value, "duration_secs").and_then(Value::as_f64),
            url: read_text(value, "url").unwrap_or_default(),
            pixels: compute_area(
                read_field(value, "width").and_then(read_number),
                read_field(value, "height").and_then(read_number),
            ),
        }
    }
}

impl<'a> PollText<'a> {
    fn from_json(value: &'a Value) -> Self {
        let media_text = |media: Option<&'a Value>| {
            media
                .and_then(|media| read_text(media, "text"))
                .unwrap_or_default()
        };
        Self {
            question: media_text(read_field(value, "question")),
            answers: read_list(value, "answers")
                .iter()
                .map(|answer| media_text(read_field(answer, "poll_media")))
                .collect(),
        }
    }
}

impl<'a> PollResult<'a> {
    fn from_json(embed: &'a Value) -> Self {
        let find = |name: &str| {
            let mut fields = read_list(embed, "fields").iter();
            let field = fields.find(|field| read_text(field, "name") == Some(name));
            field.and_then(|field| read_text(field, "value"))
        };
        Self {
            question: find("poll_question_text").unwrap_or_default(),
            winner: find("victor_answer_text").or_else(|| find("victor_answer_emoji_name")),
            winner_votes: find("victor_answer_votes").unwrap_or("0"),
            votes: find("total_votes").unwrap_or("0"),
        }
    }
}

fn is_poll_result(embed: &Value) -> bool {
    read_text(embed, "type") == Some("poll_result")
}

/// The texts of an embed: who it is by, its title, what it says, its fields, its footer.
fn read_embed_texts(embed: &Value) -> Vec<Cow<'_, str>> {
    let part_text = |part: &str, name: &str| {
        read_field(embed, part)
            .and_then(|part| read_text(part, name))
            .map(Cow::Borrowed)
    };
    let own = |name: &str| read_text(embed, name).map(Cow::Borrowed);
    let fields = read_list(embed, "fields").iter().filter_map(|field| {
        match (read_text(field, "name"), read_text(field, "value")) {
            (Some(name), Some(value)) => Some(format!("{name}: {value}").into()),
            (name, value) => name.or(value).map(Cow::Borrowed),
        }
    });
    let above = [
        part_text("author", "name"),
        own("title"),
        own("description"),
    ];
    above
        .into_iter()
        .flatten()
        .chain(fields)
        .chain(part_text("footer", "text"))
        .collect()
}

fn compute_area(width: Option<impl Into<u64>>, height: Option<impl Into<u64>>) -> Option<u64> {
    Some(width?.into().saturating_mul(height?.into()))
}

fn read_kind(value: &Value) -> u64 {
    read_field(value, "type")
        .and_then(read_number)
        .unwrap_or_default()
}

fn read_flags(value: &Value) -> u64 {
    read_field(value, "flags")
        .and_then(read_number)
        .unwrap_or_default()
}
