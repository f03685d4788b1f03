//! What is told to people about a decision or a turn, in a neutral form: a title, short fields, a link, a colour. Platforms
//! and pages put it into their own shapes (`discord/embed_limits.rs`).

mod approval_card;
pub mod formats;
mod notice;
mod turn;

use kith_core::chat::{Channel, ChannelId, ChannelKind, MessageId, TurnId};
use kith_core::persona::Language;
use kith_core::redactor::Redactor;
use kith_language::embeds;

pub use approval_card::{render_denial, render_proposal};
pub use notice::{
    render_budget, render_notice, render_refusal, render_session, render_slow_call, render_sticker,
};
pub use turn::{describe_end, render_turn, render_turn_fields};

/// What a card is about, for its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardSeverity {
    Spoke,
    #[default]
    Quiet,
    Warning,
    Failed,
}

impl CardSeverity {
    /// The colour of such a card, as 0xRRGGBB: Discord's own green, grey, yellow and red.
    pub fn colour(self) -> u32 {
        match self {
            Self::Spoke => 0x57_F287,
            Self::Quiet => 0x95_A5A6,
            Self::Warning => 0xFE_E75C,
            Self::Failed => 0xED_4245,
        }
    }
}

/// A titled list of short facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogEmbed {
    pub severity: CardSeverity,
    /// One line.
    pub title: String,
    /// A few lines.
    pub text: String,
    /// Names and values, short ones.
    pub fields: Vec<(String, String)>,
    /// One small line at the end.
    pub footer: String,
    /// The message it is about, for a link to it.
    pub linked_message: Option<(ChannelId, MessageId)>,
    /// The turn it is about whose prompt and answer the reader may see, too.
    pub raw: Option<TurnId>,
}

impl LogEmbed {
    /// Adds a field, unless there is nothing to say.
    pub fn add_field(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            self.fields.push((name.to_owned(), value));
        }
    }

    /// The same with every secret in its texts replaced, for a place more people see than the settings.
    pub fn into_redacted(mut self, redactor: &Redactor) -> Self {
        let fields = self
            .fields
            .iter_mut()
            .flat_map(|(name, value)| [name, value]);
        for text in [&mut self.title, &mut self.text, &mut self.footer]
            .into_iter()
            .chain(fields)
        {
            *text = redactor.redact(text).into_owned();
        }
        self
    }
}

/// Whether what people and the model wrote is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuotePolicy {
    Shown,
    /// Only that there was something, and how much.
    #[default]
    Hidden,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbedAudience {
    /// Who runs the daemon: may see how the model's server fails.
    Operator,
    Guild,
    /// Those who are in the channel itself, and nobody else.
    Channel,
}

#[derive(Clone, Copy, Debug)]
pub struct RenderContext<'a> {
    pub channel: &'a Channel,
    /// The guild's name, where cards of several guilds stand together.
    pub guild: Option<&'a str>,
    pub readers: EmbedAudience,
    /// Not shown where a reader of the card may not see the channel. See [`RenderContext::can_show_text`].
    pub quote: QuotePolicy,
    pub language: Language,
}

impl RenderContext<'_> {
    /// Whether text is shown: that of a direct message never leaves it (Law 11).
    pub fn can_show_text(&self) -> bool {
        self.quote == QuotePolicy::Shown && self.is_open()
    }

    /// Whether the channel may be shown to its readers at all.
    fn is_open(&self) -> bool {
        self.channel.kind != ChannelKind::Direct || self.readers == EmbedAudience::Channel
    }

    /// Where it happened, in words: `#general`, `Friends #general`. Who a direct message is with is not told.
    pub fn place(&self) -> String {
        if self.channel.kind == ChannelKind::Direct {
            return embeds::direct_message().in_language(self.language);
        }
        self.guild
            .map_or(String::new(), |guild| format!("{guild} "))
            + "#"
            + &self.channel.name
    }

    /// A link to a message, where its readers can follow it.
    fn message_link(&self, message: Option<MessageId>) -> Option<(ChannelId, MessageId)> {
        message
            .filter(|_| self.is_open())
            .map(|message| (self.channel.id, message))
    }
}
