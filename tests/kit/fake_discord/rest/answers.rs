//! Answers to interactions: the callback within three seconds, then edits, further answers and deletions for a quarter
//! of an hour.

use serde_json::{Value, json};

use super::errors::{code, form, not_found};
use super::form;
use super::http::{Answer, Call};
use super::messages::replace;
use super::routes::Result;
use crate::fake_discord::shared_state::State;
use crate::fake_discord::wire;
use crate::fake_discord::world::{EPHEMERAL, Interaction, LOADING, Message};
use crate::fake_discord::{Id, Millis};

/// How long an interaction waits for its callback.
const CALLBACK_WITHIN_MS: Millis = 3_000;
const TOKEN_LASTS_MS: Millis = 15 * 60_000;

impl State {
    pub(super) fn callback(&mut self, id: Id, token: &str, call: &Call) -> Result {
        form::keys(&call.body, &["type", "data"])?;
        let now = self.clock.now();
        let asked = self
            .world
            .interactions
            .get_mut(&id)
            .filter(|asked| asked.token == token);
        let asked = asked.ok_or_else(|| code(10062))?;
        if asked.callback.is_some() {
            return Err(code(40060));
        }
        if now - asked.at > CALLBACK_WITHIN_MS {
            return Err(code(10062));
        }
        let kind = call.body["type"].as_u64().unwrap_or(0);
        let data = &call.body["data"];
        if !data.is_null() && matches!(kind, 4 | 7) {
            form::message(data, "answer")?;
        }
        asked.callback = Some(kind);
        asked.answered_at = Some(now);
        asked.body = call.body.clone();
        let mut asked = asked.clone();
        match kind {
            4 => self.show(&mut asked, &with_body(call, data), 0)?,
            5 => self.show(
                &mut asked,
                &with_body(call, &json!({"flags": data["flags"]})),
                LOADING,
            )?,
            6 => {}
            7 => self.update_pressed(&asked, &with_body(call, data))?,
            8 | 9 => {}
            _ => {
                return Err(form(
                    "type",
                    "BASE_TYPE_CHOICES",
                    "Value must be one of {1, 4, 5, 6, 7, 8, 9, 10}.",
                ));
            }
        }
        self.world.interactions.insert(id, asked.clone());
        if call
            .query
            .get("with_response")
            .is_none_or(|wanted| wanted != "true")
        {
            return Ok(Answer::nothing());
        }
        let mut body = json!({"interaction": {"id": wire::id(id), "type": 2}});
        if let Some(answer) = &asked.answer {
            body["interaction"]["response_message_id"] = wire::id(answer.id);
            if kind == 4 {
                body["resource"] =
                    json!({"type": 4, "message": wire::message(&self.world, answer)});
            }
        }
        Ok(Answer::json(body))
    }

    /// The interaction's own answer comes into being.
    fn show(&mut self, asked: &mut Interaction, call: &Call, flags: u64) -> Result<()> {
        let message = self.answer_message(asked, call, flags)?;
        asked.answer = Some(message);
        Ok(())
    }

    /// A message that answers an interaction: among the others, or for the caller's eyes only.
    fn answer_message(&mut self, asked: &Interaction, call: &Call, flags: u64) -> Result<Message> {
        let mut message = self.compose(call)?;
        if message.is_empty() && message.files.is_empty() && flags & LOADING == 0 {
            return Err(code(50006));
        }
        message.flags |= flags;
        message.kind = 20;
        message.interaction = Some(json!({
            "id": wire::id(asked.id),
            "type": if asked.on.is_some() { 3 } else { 2 },
            "user": wire::user_of(&self.world, asked.user),
            "authorizing_integration_owners": {"0": self.world.channel(asked.channel).guild.unwrap_or(0).to_string()},
        }));
        if let (Some(metadata), Some(on)) = (message.interaction.as_mut(), asked.on) {
            metadata["interacted_message_id"] = wire::id(on);
        }
        if message.flags & EPHEMERAL == 0 {
            let id = self.post(asked.channel, message);
            return self.message_there(asked.channel, id).cloned();
        }
        message.id = self.new_id();
        message.channel = asked.channel;
        message.at = Some(self.clock.now());
        self.resolve(&mut message);
        Ok(message)
    }

    /// The message whose button was pressed changes.
    fn update_pressed(&mut self, asked: &Interaction, call: &Call) -> Result<()> {
        let on = asked
            .on
            .ok_or_else(|| form("type", "", "Only a button's message can be updated"))?;
        let new = self.compose(call)?;
        if self.world.message(asked.channel, on).is_some() {
            self.edit(asked.channel, on, |message| {
                replace(message, new, &call.body)
            });
            return Ok(());
        }
        let hidden = self.world.interactions.values_mut();
        let mut hidden =
            hidden.flat_map(|asked| asked.answer.iter_mut().chain(&mut asked.followups));
        let message = hidden
            .find(|message| message.id == on)
            .ok_or_else(|| code(10008))?;
        replace(message, new, &call.body);
        Ok(())
    }

    /// The interaction of a token that still works and was acknowledged.
    fn of_token(&self, app: Id, token: &str) -> Result<Id> {
        if app != self.world.bot {
            return Err(code(10015));
        }
        let asked = self
            .world
            .interactions
            .values()
            .find(|asked| asked.token == token);
        let asked = asked.ok_or_else(|| code(50027))?;
        if self.clock.now() - asked.at > TOKEN_LASTS_MS {
            return Err(code(50027));
        }
        if asked.callback.is_none() {
            Err(code(10015))
        } else {
            Ok(asked.id)
        }
    }

    pub(super) fn follow_up(&mut self, app: Id, token: &str, call: &Call) -> Result {
        form::message(&call.body, "answer")?;
        let id = self.of_token(app, token)?;
        let asked = self.world.interactions[&id].clone();
        let message = self.answer_message(&asked, call, 0)?;
        let body = wire::message(&self.world, &message);
        if let Some(asked) = self.world.interactions.get_mut(&id) {
            asked.followups.push(message);
        }
        Ok(Answer::json(body))
    }

    /// GET, PATCH or DELETE of an answer: `@original`, or a further one by id.
    pub(super) fn answered(
        &mut self,
        method: &str,
        app: Id,
        token: &str,
        which: &str,
        call: &Call,
    ) -> Result {
        let id = self.of_token(app, token)?;
        let mut asked = self.world.interactions[&id].clone();
        let pressed = asked.on.filter(|_| matches!(asked.callback, Some(6 | 7)));
        let seen =
            |on: &Id| which == "@original" && self.world.message(asked.channel, *on).is_some();
        if let Some(on) = pressed.filter(seen) {
            return match method {
                "GET" => self.get_message(asked.channel, on),
                "PATCH" => self.patch_message(asked.channel, on, call),
                _ => self.delete_message(asked.channel, on),
            };
        }
        // A message that only one person sees is in no channel.
        if let (Some(on), "@original", "PATCH") = (pressed, which, method) {
            form::message(&call.body, "answer")?;
            self.update_pressed(&asked, call)?;
            let hidden = self.world.find_hidden(on).ok_or_else(|| code(10008))?;
            return Ok(Answer::json(wire::message(&self.world, hidden)));
        }
        let slot = match which {
            "@original" => asked.answer.as_mut(),
            other => asked
                .followups
                .iter_mut()
                .find(|message| message.id.to_string() == other),
        };
        let message = slot.ok_or_else(|| code(10008))?;
        match method {
            "GET" => {}
            "PATCH" => {
                form::message(&call.body, "answer")?;
                let new = self.compose(call)?;
                replace(message, new, &call.body);
                message.flags &= !LOADING;
                if message.is_empty() && message.files.is_empty() {
                    return Err(code(50006));
                }
                let changed = message.clone();
                if message.flags & EPHEMERAL == 0 {
                    self.edit(asked.channel, message.id, |stored| *stored = changed);
                }
            }
            "DELETE" => {
                let (channel, gone) = (asked.channel, message.id);
                asked.answer = asked.answer.filter(|answer| answer.id != gone);
                asked.followups.retain(|one| one.id != gone);
                self.delete(channel, &[gone]);
                self.world.interactions.insert(id, asked);
                return Ok(Answer::nothing());
            }
            _ => return Err(not_found()),
        }
        let body = wire::message(&self.world, message);
        self.world.interactions.insert(id, asked);
        Ok(Answer::json(body))
    }
}

/// The same call with another body: what stands in `data`.
fn with_body(call: &Call, data: &Value) -> Call {
    Call {
        body: data.clone(),
        ..call.clone()
    }
}
