//! The bot says something: everything Discord checks on the way, the nonce that keeps it from being said twice, and
//! what becomes of the body.

use serde_json::{Map, Value, json};

use super::errors::{code, form, snowflake};
use super::form;
use super::http::{Answer, Body, Call};
use super::routes::Result;
use crate::fake_discord::shared_state::State;
use crate::fake_discord::wire;
use crate::fake_discord::world::permissions as may;
use crate::fake_discord::world::{EPHEMERAL, Message, Reference};
use crate::fake_discord::{Id, Millis};

/// Bits of `flags` a bot may set: no previews, no notification, and for answers only for one person's eyes.
const SETTABLE_FLAGS: u64 = (1 << 2) | (1 << 6) | (1 << 12);

impl State {
    pub(super) fn post_message(&mut self, channel: Id, call: &Call) -> Result {
        form::message(&call.body, "message")?;
        let rights = self.rights(channel)?;
        let speaking = self.speaking(channel)?;
        if rights & speaking == 0 {
            return Err(code(50013));
        }
        let place = self.world.channel(channel);
        let recipient = place.recipient.and_then(|user| self.world.users.get(&user));
        if recipient.is_some_and(|user| user.closed) {
            return Err(code(50007));
        }
        self.not_locked(channel, rights)?;
        if let Some(said) = self.said_before(channel, &call.body) {
            let body = wire::message(&self.world, said);
            return Ok(Answer::json(body));
        }
        let mut message = self.compose(call)?;
        message.channel = channel;
        // Only answers to interactions can be for one person.
        message.flags &= !EPHEMERAL;
        self.check_reference(
            channel,
            rights,
            &call.body["message_reference"],
            &mut message,
        )?;
        self.check_parts(channel, rights, &message)?;
        self.check_slow_mode(channel, rights)?;
        let id = self.post(channel, message);
        let body = wire::message(&self.world, self.message_there(channel, id)?);
        Ok(Answer::json(body))
    }

    /// What was said with the same enforced nonce not long ago.
    fn said_before(&self, channel: Id, body: &Value) -> Option<&Message> {
        if body["enforce_nonce"] != true {
            return None;
        }
        let oldest = self.clock.now() - self.nonce_expires;
        self.world
            .channel(channel)
            .messages
            .values()
            .rev()
            .find(|said| {
                said.author == self.world.bot
                    && said.nonce.as_ref() == Some(&body["nonce"])
                    && said.at.unwrap_or_default() >= oldest
            })
    }

    pub(super) fn compose(&mut self, call: &Call) -> Result<Message> {
        let body = &call.body;
        let mut message = Message::by(self.world.bot, body["content"].as_str().unwrap_or_default());
        let array = |key: &str| body[key].as_array().cloned().unwrap_or_default();
        message.nonce = body.get("nonce").filter(|nonce| !nonce.is_null()).cloned();
        message.enforced = body["enforce_nonce"] == true;
        message.tts = body["tts"] == true;
        message.flags = body["flags"].as_u64().unwrap_or(0) & SETTABLE_FLAGS;
        message.embeds = array("embeds").into_iter().map(shown_embed).collect();
        let mut number = 0;
        message.components = array("components")
            .into_iter()
            .map(|row| shown_component(row, &mut number))
            .collect();
        message.allowed_mentions = Some(body["allowed_mentions"].clone()).filter(Value::is_object);
        for sticker in array("sticker_ids") {
            message.stickers.push(snowflake("sticker_ids", &sticker)?);
        }
        message.poll = Some(&body["poll"])
            .filter(|poll| !poll.is_null())
            .map(|poll| shown_poll(poll, self.clock.now()));
        let files = call.files.iter().map(|file| {
            (
                file.name.clone(),
                file.content_type.clone(),
                file.bytes.clone(),
            )
        });
        message.files = files.collect();
        message.shows = array("attachments")
            .iter()
            .map(|one| one["description"].as_str().map(str::to_owned))
            .collect();
        for attachment in array("attachments") {
            let number = attachment["id"]
                .as_u64()
                .or_else(|| attachment["id"].as_str()?.parse().ok());
            let part = format!("files[{}]", number.unwrap_or(u64::MAX));
            if !call.files.iter().any(|file| file.part == part) {
                return Err(form(
                    "attachments",
                    "ATTACHMENT_NOT_FOUND",
                    "There is no file for this attachment",
                ));
            }
        }
        Ok(message)
    }

    fn check_reference(
        &self,
        channel: Id,
        rights: u64,
        reference: &Value,
        message: &mut Message,
    ) -> Result<()> {
        if reference.is_null() {
            return Ok(());
        }
        let known = [
            "type",
            "message_id",
            "channel_id",
            "guild_id",
            "fail_if_not_exists",
        ];
        form::keys(reference, &known)?;
        let original = snowflake("message_reference.message_id", &reference["message_id"])?;
        if !reference["channel_id"].is_null() && reference["channel_id"] != wire::id(channel) {
            let why = "Cannot reply to a message in a different channel";
            return Err(form(
                "message_reference",
                "MESSAGE_REFERENCE_CANNOT_REPLY_CROSS_CHANNEL",
                why,
            ));
        }
        if rights & may::READ_MESSAGE_HISTORY == 0 {
            return Err(code(160_002));
        }
        if self.world.message(channel, original).is_some() {
            message.kind = 19;
            message.reference = Some(Reference {
                message: original,
                channel,
                forward: false,
            });
            Ok(())
        } else if reference["fail_if_not_exists"] == false {
            Ok(())
        } else {
            Err(form(
                "message_reference",
                "MESSAGE_REFERENCE_UNKNOWN_MESSAGE",
                "Unknown message",
            ))
        }
    }

    /// What the message carries, and whether the bot may.
    fn check_parts(&self, channel: Id, rights: u64, message: &Message) -> Result<()> {
        if message.is_empty() && message.files.is_empty() {
            return Err(code(50006));
        }
        let needs = [
            (!message.embeds.is_empty(), may::EMBED_LINKS),
            (!message.files.is_empty(), may::ATTACH_FILES),
            (message.poll.is_some(), may::SEND_POLLS),
        ];
        if needs
            .into_iter()
            .any(|(has, right)| has && rights & right == 0)
        {
            return Err(code(50013));
        }
        let Some(guild) = self.world.guild_of(channel) else {
            return Ok(());
        };
        if message
            .stickers
            .iter()
            .any(|sticker| !guild.stickers.contains_key(sticker))
        {
            return Err(code(50081));
        }
        let text = message.text.to_lowercase();
        if guild
            .blocked_words
            .iter()
            .any(|word| text.contains(&word.to_lowercase()))
        {
            return Err(code(200_000));
        }
        Ok(())
    }

    fn check_slow_mode(&self, channel: Id, rights: u64) -> Result<()> {
        let place = self.world.channel(channel);
        let free = may::MANAGE_MESSAGES | may::MANAGE_CHANNELS | may::BYPASS_SLOWMODE;
        if place.slow_mode == 0 || rights & free != 0 {
            return Ok(());
        }
        let own = place
            .messages
            .values()
            .filter(|message| message.author == self.world.bot);
        let last = own.filter_map(|message| message.at).max().unwrap_or(0);
        let until =
            last.saturating_add(Millis::try_from(place.slow_mode * 1000).unwrap_or(Millis::MAX));
        let left = until - self.clock.now();
        if left <= 0 {
            return Ok(());
        }
        let mut refusal = code(20016);
        if let Body::Json(body) = &mut refusal.body {
            body["retry_after"] = (left as f64 / 1000.0).into();
        }
        Err(refusal)
    }
}

/// An embed as Discord shows it again.
fn shown_embed(mut embed: Value) -> Value {
    embed["type"] = "rich".into();
    embed["content_scan_version"] = 0.into();
    if let Some(fields) = embed["fields"].as_array_mut() {
        fields
            .iter_mut()
            .filter(|field| field["inline"].is_null())
            .for_each(|field| field["inline"] = false.into());
    }
    let kept: Map<String, Value> = match embed {
        Value::Object(map) => map
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .collect(),
        _ => Map::new(),
    };
    kept.into()
}

/// A poll as Discord shows it again.
fn shown_poll(poll: &Value, now: Millis) -> Value {
    let answers = poll["answers"].as_array().into_iter().flatten().zip(1..);
    let answers =
        answers.map(|(answer, id)| json!({"answer_id": id, "poll_media": answer["poll_media"]}));
    let hours = poll["duration"].as_i64().unwrap_or(24);
    json!({
        "question": poll["question"],
        "answers": answers.collect::<Vec<_>>(),
        "expiry": crate::fake_discord::timestamp(now + hours * 3_600_000),
        "allow_multiselect": poll["allow_multiselect"] == true,
        "layout_type": 1,
        "results": {"is_finalized": false, "answer_counts": []},
    })
}

/// Components get numbers.
fn shown_component(mut component: Value, number: &mut u64) -> Value {
    *number += 1;
    component["id"] = json!(*number);
    if let Some(inner) = component["components"].as_array_mut() {
        let numbered = std::mem::take(inner)
            .into_iter()
            .map(|one| shown_component(one, number))
            .collect();
        *inner = numbered;
    }
    component
}
