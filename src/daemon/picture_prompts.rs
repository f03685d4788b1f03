//! What a prompt shows of pictures: those of the newest lines are fetched when a turn is about to ask a model, and for one
//! that cannot see they are described first. Whatever goes wrong with a picture, the turn goes on without it.

use futures_util::future::join_all;

use super::loop_message::LoopMessage;
use super::picture_cache::{FileHash, LoadedFile};
use super::prompt_event::{FetchedPictures, PictureWait, PromptEvent};
use super::state::Daemon;
use kith_agent::picture_description::{PictureDescription, describe_picture};
use kith_core::RenderInputs;
use kith_core::channel::ChannelState;
use kith_core::chat::{ChannelId, MessageId, MessagePicture, TurnId};
use kith_core::context::{ShownPicture, format_picture_label};
use kith_language::prompt;
use kith_model::{AttachedImage, CostAttribution, Model, ModelChain, ModelFunction, ModelImage};
use kith_system::clock;

/// The most pictures and texts of a prompt, the newest.
const MOST: usize = 4;
/// Only among so many of the newest lines: older pictures are not what is spoken of, and each costs tokens in every call.
const LINES: usize = 40;

impl Daemon {
    pub(super) fn handle_prompt_event(&mut self, event: PromptEvent) {
        match event {
            PromptEvent::InputsGathered {
                turn,
                channel,
                ask,
                inputs,
            } => self.handle_prompt_inputs(turn, channel, ask, inputs),
            PromptEvent::PicturesDescribed { looked, waiting } => {
                self.handle_picture_descriptions(looked, waiting)
            }
            PromptEvent::JudgeAnswered {
                name,
                speaks,
                waiting,
            } => self.handle_judge_verdict(&name, speaks, waiting),
        }
    }

    /// The pictures a turn's prompt may show, newest first.
    fn in_view(&self, turn: TurnId, channel: ChannelId) -> Vec<(MessageId, MessagePicture)> {
        let Some(channel_state) = self.core.channel_state(channel) else {
            return Vec::new();
        };
        let Some(running) = self.turns.get(&turn) else {
            return Vec::new();
        };
        let is_seen = running.may_see() || !self.model_calls.selection().vision_models.is_empty();
        let newest = list_shown_messages(channel_state).rev().take(LINES);
        // What somebody replies to is spoken of however old it is.
        let woke = channel_state
            .turn
            .as_ref()
            .and_then(|turn| channel_state.timeline().find(turn.wake().message?));
        let replied = woke.and_then(|said| channel_state.timeline().find(said.message.reply_to?));
        let mut ids: Vec<MessageId> = newest.collect();
        ids.extend(
            replied
                .map(|said| said.message.id)
                .filter(|id| !ids.contains(id)),
        );
        let of = |id: MessageId| {
            self.pictures
                .of(id)
                .iter()
                .rev()
                .filter(|picture| is_seen || picture.is_text)
                .map(move |picture| (id, picture.clone()))
        };
        ids.into_iter().flat_map(of).take(MOST).collect()
    }

    /// Fetches what a round's prompt may show and is not there yet.
    pub(super) fn fetch_pictures(
        &self,
        turn: TurnId,
        channel: ChannelId,
    ) -> impl Future<Output = FetchedPictures> + use<> {
        let now = clock::now();
        let wanted = self
            .in_view(turn, channel)
            .into_iter()
            .filter(|(_, picture)| self.pictures.is_wanted(picture, now));
        let fetched = wanted.map(|(message, picture)| {
            let fetching = self.platform.fetch_picture(picture.clone());
            async move {
                let loaded = LoadedFile::of(&picture, fetching.await);
                (message, picture, loaded)
            }
        });
        join_all(fetched.collect::<Vec<_>>())
    }

    /// What a round needs is there: its pictures are described where its model cannot see them, then it is asked.
    pub(super) fn handle_prompt_inputs(
        &mut self,
        turn: TurnId,
        channel: ChannelId,
        ask: u32,
        gathered: Result<(RenderInputs, FetchedPictures), String>,
    ) {
        let now = clock::now();
        let inputs = gathered.map(|(inputs, fetched)| {
            for (message, picture, loaded) in fetched {
                self.pictures.fetched(message, &picture, loaded, now);
            }
            inputs
        });
        match inputs {
            Ok(inputs) => self.ask_judge(PictureWait {
                turn,
                channel,
                ask,
                inputs,
            }),
            Err(why) => self.ask_model(turn, channel, ask, Err(why)),
        }
    }

    pub(super) fn describe_pictures_or_ask(&mut self, waiting: PictureWait) {
        let PictureWait {
            turn, channel, ask, ..
        } = waiting;
        let is_blind = self
            .turns
            .get(&turn)
            .is_some_and(|running| !running.model().can_see_images());
        let pictures = if is_blind && self.is_asking(turn, channel, ask) {
            self.list_undescribed_pictures(turn, channel)
        } else {
            Vec::new()
        };
        if pictures.is_empty() {
            return self.ask_about_pictures(waiting);
        }
        if let Err(waiting) = self.start_descriptions(waiting, pictures) {
            self.ask_about_pictures(*waiting);
        }
    }

    fn ask_about_pictures(&mut self, waiting: PictureWait) {
        let PictureWait {
            turn,
            channel,
            ask,
            mut inputs,
        } = waiting;
        inputs.pictures = self.list_shown_pictures(channel);
        self.ask_model(turn, channel, ask, Ok(inputs));
    }

    fn list_undescribed_pictures(
        &mut self,
        turn: TurnId,
        channel: ChannelId,
    ) -> Vec<(FileHash, ModelImage)> {
        let now = clock::now();
        let in_view = self.in_view(turn, channel);
        let loaded = in_view
            .iter()
            .filter_map(|(_, picture)| self.pictures.loaded(picture));
        let mut pictures: Vec<(FileHash, ModelImage)> = loaded.collect();
        pictures.retain(|(hash, _)| self.pictures.is_undescribed(hash, now));
        pictures.sort_by_key(|(hash, _)| *hash);
        pictures.dedup_by_key(|(hash, _)| *hash);
        pictures
    }

    /// Gives the round back where nobody can be asked.
    fn start_descriptions(
        &self,
        waiting: PictureWait,
        pictures: Vec<(FileHash, ModelImage)>,
    ) -> Result<(), Box<PictureWait>> {
        let models = self.model_calls.selection().vision_models.clone();
        let instruction = self.prompts.picture(self.language_in(waiting.channel));
        let (Some(mut models), Ok(instruction)) = (ModelChain::from_models(models), instruction)
        else {
            return Err(Box::new(waiting));
        };
        if models.pick(0).is_err() {
            return Err(Box::new(waiting));
        }
        let attribution = CostAttribution {
            function: ModelFunction::Vision,
            ..self.attribute_turn_cost(waiting.turn, waiting.channel)
        };
        // No turn that ends takes it along: what is seen is kept for the next.
        let caller = self
            .model_calls
            .caller(attribution, None, self.core.estimator);
        let described = pictures.into_iter().map(move |(hash, image)| {
            let description =
                describe_picture(caller.clone(), models.clone(), image, instruction.clone());
            async move { (hash, description.await) }
        });
        let loop_sender = self.loop_sender.clone();
        tokio::spawn(async move {
            let looked = join_all(described).await;
            let _ = loop_sender
                .send(LoopMessage::Prompt(Box::new(
                    PromptEvent::PicturesDescribed { looked, waiting },
                )))
                .await;
        });
        Ok(())
    }

    /// Pictures were looked at: what is known of them is kept. Where the budget did not allow it nothing is known.
    pub(super) fn handle_picture_descriptions(
        &mut self,
        looked: Vec<(FileHash, PictureDescription)>,
        waiting: PictureWait,
    ) {
        let now = clock::now();
        for (hash, looked) in looked {
            let PictureDescription {
                description,
                mut earlier_failures,
            } = looked;
            match description {
                Ok(said) => self.pictures.record_description(&hash, Some(said), now),
                Err(failure) if failure.budget => {}
                Err(failure) => {
                    self.pictures.record_description(&hash, None, now);
                    earlier_failures.push(failure);
                }
            }
            for failure in earlier_failures {
                let failure = self.tell_host(failure);
                self.add_turn_note(waiting.turn, failure.message);
            }
        }
        self.ask_about_pictures(waiting);
    }

    fn list_shown_pictures(&self, channel: ChannelId) -> Vec<ShownPicture> {
        let Some(channel_state) = self.core.channel_state(channel) else {
            return Vec::new();
        };
        list_shown_messages(channel_state)
            .flat_map(|id| self.pictures.shown_pictures(id))
            .collect()
    }

    /// The pictures a model is shown, in the order of their lines.
    pub(super) fn build_attached_images(
        &mut self,
        turn: TurnId,
        channel: ChannelId,
        model: &Model,
    ) -> Vec<AttachedImage> {
        if !model.can_see_images() {
            return Vec::new();
        }
        let mut room = model.image_token_budget();
        let mut of_tools = Vec::new();
        let answered = self.turns.get(&turn).map(|running| &running.tool_pictures);
        for attached in answered.into_iter().flatten().rev() {
            if let Some(left) = room.checked_sub(attached.image.tokens()) {
                room = left;
                of_tools.insert(0, attached.clone());
            }
        }
        let mut attached: Vec<(MessageId, AttachedImage)> = Vec::new();
        for (id, picture) in self.in_view(turn, channel) {
            let Some((_, image)) = self.pictures.loaded(&picture) else {
                continue;
            };
            let Some(left) = room.checked_sub(image.tokens()) else {
                break;
            };
            let Some(channel_state) = self.core.channel_state(channel) else {
                break;
            };
            let Some(said) = channel_state
                .timeline()
                .find(id)
                .filter(|_| list_shown_messages(channel_state).any(|shown| shown == id))
            else {
                continue;
            };
            room = left;
            let label =
                format_picture_label(channel_state.policy().persona.language, said.short_id);
            attached.push((id, AttachedImage { label, image }));
        }
        // Newest first was for the room; of one line, the first stands first.
        attached.reverse();
        attached.sort_by_key(|(id, _)| *id);
        let of_lines = attached.into_iter().map(|(_, attached)| attached);
        of_lines.chain(of_tools).collect()
    }

    /// Keeps a picture that a tool of a turn answered with, for its next rounds; what is no picture is left out.
    pub(super) fn keep_tool_picture(&mut self, turn: TurnId, tool: &str, file: &[u8]) {
        let Some(running) = self.turns.get(&turn).filter(|running| running.may_see()) else {
            return;
        };
        let language = self.language_in(running.channel);
        let Some((image, running)) =
            ModelImage::from_bytes(file, None).zip(self.turns.get_mut(&turn))
        else {
            return;
        };
        let label = prompt::tool_picture(tool).in_language(language);
        let pictures = &mut running.tool_pictures;
        pictures.push(AttachedImage { label, image });
        pictures.drain(..pictures.len().saturating_sub(MOST));
    }
}

/// The messages the prompt shows, oldest first.
fn list_shown_messages(channel_state: &ChannelState) -> impl DoubleEndedIterator<Item = MessageId> {
    let first = channel_state.window.first();
    channel_state
        .timeline()
        .messages()
        .map(|said| said.message.id)
        .filter(move |id| first.is_none_or(|first| *id >= first))
}
