//! Cards with Approve and Deny: each a message of its own that may ring, for people decide on it, and that loses its
//! buttons when somebody has. One that a killed process posted is found again by its buttons.

use kith_language::approvals;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::sleep;

use super::super::commands::buttons::EmbedButton;
use super::super::commands::reply::build_message_url;
use super::super::embed_limits::{render_embed, render_whole_embed};
use super::{LogChannel, LogChannels, LogChannelsState, PostFailure, lock};
use crate::event::DiscordEvent;
use crate::rest::{RequestPriority, RestError, RestRequest, RestRoute, RetrySafety};
use kith_core::chat::{ChannelId, GuildId, MessageId, Millis, ProposalId, UserId};
use kith_core::persona::Language;
use kith_observe::LogEmbed;
use kith_system::clock;

/// The messages of a page in which a card of an earlier run is looked for.
const PAGE: usize = 100;
const GREEN: u8 = 3;
const RED: u8 = 4;

#[derive(Clone, Debug)]
pub struct ApprovalEmbed {
    pub id: ProposalId,
    /// Whom it is about, if it is about a member: moderators know people by more than their names.
    pub about: Option<UserId>,
    pub guild: GuildId,
    pub log_embed: LogEmbed,
    /// Until when it is worth asking.
    pub until: Millis,
}

impl LogChannels {
    /// Posts a card with its buttons in the log channel `to`, and tells of it as [`DiscordEvent::ApprovalPosted`]. Where this bot, `me`,
    /// may have posted it before, it is looked for first. Needs a tokio runtime.
    pub fn ask(&self, to: ChannelId, question: ApprovalEmbed, before: Option<UserId>) {
        let (state, channel_state) = (Arc::clone(&self.0), self.ensure_channel_state(to));
        tokio::spawn(async move {
            state
                .post_approval(to, &channel_state, question, before)
                .await
        });
    }

    /// Whether a card that asks can show all there is: nobody decides on what they cannot read.
    pub fn can_show_whole(&self, guild: GuildId, log_embed: LogEmbed) -> bool {
        let (log_embed, link) = self.0.redact_embed(log_embed, guild);
        render_whole_embed(&log_embed, link.as_deref(), self.0.options.language).is_some()
    }

    /// It is decided: the card says so, and has no buttons any more. Needs a tokio runtime.
    pub fn show_decision(
        &self,
        (log, message): (ChannelId, MessageId),
        guild: GuildId,
        log_embed: LogEmbed,
    ) {
        let state = Arc::clone(&self.0);
        tokio::spawn(async move {
            let body = json!({ "embeds": [state.render_approval(log_embed, guild)], "components": [], "allowed_mentions": { "parse": [] } });
            match state
                .rest
                .call(RestRequest::patch(RestRoute::message(log, message)).json(body))
                .await
            {
                Ok(_) | Err(RestError::NotFound { .. }) => {}
                Err(error) => {
                    tracing::warn!(%error, log_channel = %log, "a card still asks what is decided")
                }
            }
        });
    }
}

impl LogChannelsState {
    async fn post_approval(
        &self,
        log: ChannelId,
        channel_state: &LogChannel,
        question: ApprovalEmbed,
        before: Option<UserId>,
    ) {
        let ApprovalEmbed {
            id,
            about,
            guild,
            log_embed,
            until,
        } = question;
        let mut found = None;
        if let Some(me) = before {
            found = self.find_approval_message(log, me, id).await;
        }
        let body = json!({
            "content": about.map(|about| format!("<@{about}>")).unwrap_or_default(),
            "embeds": [self.render_approval(log_embed, guild)],
            "components": [build_button_row(id, self.options.language)],
            "allowed_mentions": { "parse": [] },
            "nonce": format!("ask{:x}", id.0),
            "enforce_nonce": true,
        });
        while found.is_none() && clock::now() < until {
            let call = RestRequest::post(RestRoute::messages(log))
                .json(body.clone())
                .safety(RetrySafety::ByNonce);
            match self.rest.call(call).await {
                Ok(posted) => found = read_message_id(&posted),
                Err(error) => match self.classify_error(log, &error) {
                    PostFailure::Content => return,
                    PostFailure::Transient(wait) => sleep(wait).await,
                    PostFailure::Refused(notice) => {
                        self.report_once(channel_state, notice).await;
                        self.wait_for_change(log, channel_state).await;
                    }
                },
            }
        }
        if let Some(message) = found {
            // Whoever listens may have ended.
            let _ = self
                .out
                .send(DiscordEvent::ApprovalPosted { id, log, message })
                .await;
        }
    }

    async fn find_approval_message(
        &self,
        log: ChannelId,
        me: UserId,
        id: ProposalId,
    ) -> Option<MessageId> {
        let call = RestRequest::get(RestRoute::messages(log))
            .query("limit", PAGE)
            .priority(RequestPriority::Background);
        let page = self.rest.call(call).await.ok()?;
        let wanted = EmbedButton::Approve(id).id();
        let is_it = |message: &&Value| {
            let rows = message["components"].as_array().into_iter().flatten();
            let mut buttons =
                rows.flat_map(|row| row["components"].as_array().into_iter().flatten());
            message["author"]["id"].as_str() == Some(&me.to_string())
                && buttons.any(|button| button["custom_id"].as_str() == Some(&wanted))
        };
        page.as_array()?
            .iter()
            .find(is_it)
            .and_then(read_message_id)
    }

    fn render_approval(&self, log_embed: LogEmbed, guild: GuildId) -> Value {
        let (log_embed, link) = self.redact_embed(log_embed, guild);
        let (link, language) = (link.as_deref(), self.options.language);
        // What came of a call may leave no room for all it was given: by then that is decided.
        render_whole_embed(&log_embed, link, language)
            .unwrap_or_else(|| render_embed(&log_embed, link, language))
    }

    fn redact_embed(&self, log_embed: LogEmbed, guild: GuildId) -> (LogEmbed, Option<String>) {
        let link = log_embed
            .linked_message
            .map(|(channel, message)| build_message_url(Some(guild), channel, message));
        (log_embed.into_redacted(&lock(&self.redactor)), link)
    }
}

fn build_button_row(id: ProposalId, language: Language) -> Value {
    let button = |style: u8, label: &str, button: EmbedButton| json!({ "type": 2, "style": style, "label": label, "custom_id": button.id() });
    let approve = button(
        GREEN,
        &approvals::approve_button().in_language(language),
        EmbedButton::Approve(id),
    );
    let deny = button(
        RED,
        &approvals::deny_button().in_language(language),
        EmbedButton::Deny(id),
    );
    json!({ "type": 1, "components": [approve, deny] })
}

fn read_message_id(message: &Value) -> Option<MessageId> {
    message["id"].as_str()?.parse().ok().map(MessageId)
}
