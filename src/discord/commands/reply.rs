//! What is sent back to somebody who asked: always for them alone, never pinging anybody, never longer than Discord
//! takes.

use kith_language::commands;
use serde_json::{Map, Value, json};

use super::super::embed_limits::{LONGEST_CONTENT, render_embed, truncate_text};
use super::super::rest::FileUpload;
use super::buttons::{DestructiveAction, EmbedButton};
use super::interaction::ReplyTarget;
use kith_commands::{Caller, CommandAnswer};
use kith_core::chat::{ChannelId, GuildId, MessageId, UserId};
use kith_core::persona::Language;

const EPHEMERAL: u32 = 1 << 6;

mod callback {
    pub const MESSAGE: u8 = 4;
    pub const MESSAGE_LATER: u8 = 5;
    pub const UPDATE_LATER: u8 = 6;
    pub const UPDATE: u8 = 7;
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct CommandReply {
    body: Map<String, Value>,
    pub file: Option<FileUpload>,
    /// Whether it says why something is not done.
    pub is_refused: bool,
}

impl CommandReply {
    /// What the command service answered, if anything; `largest_file` in bytes.
    pub fn new(answer: CommandAnswer, caller: &Caller, largest_file: usize) -> Option<Self> {
        Some(match answer {
            CommandAnswer::Nothing => return None,
            CommandAnswer::Text(text) => Self::from_text(&text),
            CommandAnswer::Refused(text) => Self {
                is_refused: true,
                ..Self::from_text(&text)
            },
            CommandAnswer::Card(log_embed) => {
                // What it is about lies in the channel it is asked in, or else its guild is not known here.
                let about = log_embed
                    .linked_message
                    .filter(|(channel, _)| *channel == caller.channel);
                let link = about
                    .map(|(channel, message)| build_message_url(caller.guild, channel, message));
                let raw = log_embed.raw.map(|turn| {
                    let label = commands::prompt_and_answer().in_language(caller.language);
                    let button =
                        json!({ "type": 2, "style": 2, "label": label, "custom_id": EmbedButton::Raw(turn).id() });
                    json!({ "type": 1, "components": [button] })
                });
                let rows: Vec<Value> = raw.into_iter().collect();
                Self::from_parts(
                    "",
                    json!([render_embed(&log_embed, link.as_deref(), caller.language)]),
                    rows.into(),
                )
            }
            CommandAnswer::File { bytes, .. } if bytes.len() > largest_file => {
                Self::from_text(&describe_size_limit(bytes.len(), caller.language))
            }
            CommandAnswer::File { text, name, bytes } => {
                let mut reply = Self::from_text(&text);
                reply.body.insert(
                    "attachments".into(),
                    json!([{ "id": "0", "filename": name }]),
                );
                Self {
                    file: Some(FileUpload { name, bytes }),
                    ..reply
                }
            }
        })
    }

    pub fn from_text(text: &str) -> Self {
        Self::from_parts(&truncate_text(text, LONGEST_CONTENT), json!([]), json!([]))
    }

    /// Asks whether it is really meant.
    pub fn from_destructive_action(
        action: DestructiveAction,
        user: UserId,
        language: Language,
    ) -> Self {
        let (question, yes) = match action {
            DestructiveAction::ForgetMe => (
                commands::ask_forget_everything(),
                commands::forget_everything_button(),
            ),
            DestructiveAction::Reset => (
                commands::ask_reset_everything(),
                commands::reset_everything_button(),
            ),
        };
        let (question, yes) = (question.in_language(language), yes.in_language(language));
        let no = commands::better_not().in_language(language);
        let row = json!({ "type": 1, "components": [
            { "type": 2, "style": 4, "label": yes, "custom_id": EmbedButton::Confirm(user, action).id() },
            { "type": 2, "style": 2, "label": no, "custom_id": EmbedButton::Cancel(user).id() },
        ] });
        Self::from_parts(&question, json!([]), json!([row]))
    }

    fn from_parts(content: &str, embeds: Value, components: Value) -> Self {
        let body = [
            ("content", content.into()),
            ("embeds", embeds),
            ("components", components),
            ("allowed_mentions", json!({ "parse": [] })),
        ];
        Self {
            body: body
                .map(|(name, value)| (name.to_owned(), value))
                .into_iter()
                .collect(),
            file: None,
            is_refused: false,
        }
    }

    pub fn first_response(&self, target: ReplyTarget) -> Value {
        let mut data = self.body.clone();
        match target {
            ReplyTarget::New => {
                data.insert("flags".into(), EPHEMERAL.into());
                json!({ "type": callback::MESSAGE, "data": data })
            }
            ReplyTarget::InPlace => json!({ "type": callback::UPDATE, "data": data }),
        }
    }

    pub fn into_follow_up(mut self) -> (Value, Option<FileUpload>) {
        self.body.insert("flags".into(), EPHEMERAL.into());
        self.into_edit()
    }

    pub fn into_edit(self) -> (Value, Option<FileUpload>) {
        (self.body.into(), self.file)
    }
}

/// The first answer where the real one takes longer.
pub(super) fn build_deferred_response(target: ReplyTarget) -> Value {
    match target {
        ReplyTarget::New => {
            json!({ "type": callback::MESSAGE_LATER, "data": { "flags": EPHEMERAL } })
        }
        ReplyTarget::InPlace => json!({ "type": callback::UPDATE_LATER }),
    }
}

pub(crate) fn build_message_url(
    guild: Option<GuildId>,
    channel: ChannelId,
    message: MessageId,
) -> String {
    let guild = guild.map_or_else(|| "@me".to_owned(), |guild| guild.to_string());
    format!("https://discord.com/channels/{guild}/{channel}/{message}")
}

fn describe_size_limit(bytes: usize, language: Language) -> String {
    let size = bytes.div_ceil(1 << 20);
    commands::file_too_large(size).in_language(language)
}
