//! What a prompt shows of pictures: those of the newest lines are fetched when a turn is about to ask a model, and for one
//! that cannot see they are described first. Whatever goes wrong with a picture, the turn goes on without it.

use futures_util::future::join_all;

use super::loop_message::LoopMessage;
use super::pictures::{FileHash, LoadedFile};
use super::state::Daemon;
use kith_agent::describe::{LONGEST_ANSWER, PictureDescription, describe_picture};
use kith_core::RenderInputs;
use kith_core::channel::ChannelState;
use kith_core::chat::{ChannelId, MessageId, MessagePicture, TurnId};
use kith_core::context::{ShownPicture, format_picture_label};
use kith_discord::PictureError;
use kith_model::{
    AttachedImage, CallUsage, CostAttribution, Model, ModelFunction, ModelImage, Reservation,
    pick_model,
};
use kith_store::ModelSpend;
use kith_system::clock;

/// The most pictures of a prompt, the newest.
const MOST: usize = 4;
/// Only among so many of the newest lines: older pictures are not what is spoken of, and each costs tokens in every call.
const LINES: usize = 40;

/// Pictures of a prompt that were fetched: with their message, and what came of it.
pub(super) type FetchedPictures =
    Vec<(MessageId, MessagePicture, Result<LoadedFile, PictureError>)>;

/// A round whose pictures are described before its prompt is put together.
pub(super) struct PictureWait {
    pub turn: TurnId,
    pub channel: ChannelId,
    pub ask: u32,
    pub inputs: RenderInputs,
}

/// Descriptions that are under way. What they take is settled even where nobody waits for them any more.
pub(super) struct PictureDescriptions {
    model: Model,
    attribution: CostAttribution,
    /// The place of the model in the role.
    model_index: usize,
    reservations: Vec<(FileHash, Reservation)>,
}

impl Daemon {
    /// The pictures a turn's prompt may show, newest first.
    fn in_view(&self, turn: TurnId, channel: ChannelId) -> Vec<(MessageId, MessagePicture)> {
        let Some(channel_state) = self.core.channel_state(channel) else {
            return Vec::new();
        };
        let Some(running) = self.turns.get(&turn) else {
            return Vec::new();
        };
        if !running.may_see() && self.model_selection.vision_models.is_empty() {
            return Vec::new();
        }
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

    /// Has the pictures of a round described by the models of the role from place `from` on, or asks its model.
    pub(super) fn describe_pictures_or_ask(&mut self, waiting: PictureWait, from: usize) {
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
        if pictures.is_empty() || !self.start_descriptions(&waiting, pictures, from) {
            let mut inputs = waiting.inputs;
            inputs.pictures = self.list_shown_pictures(channel);
            self.ask_model(turn, channel, ask, Ok(inputs));
        }
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

    /// Answers whether anything is under way.
    fn start_descriptions(
        &mut self,
        waiting: &PictureWait,
        pictures: Vec<(FileHash, ModelImage)>,
        from: usize,
    ) -> bool {
        let now = clock::now();
        let Ok(picked) = pick_model(
            &self.model_selection.vision_models,
            from.min(self.model_selection.vision_models.len()),
            0,
        ) else {
            return false;
        };
        let model = self.model_selection.vision_models[picked.at].clone();
        let Ok(instruction) = self.prompts.picture(self.language_in(waiting.channel)) else {
            return false;
        };
        let words = self.core.estimator.estimate_tokens(&instruction);
        let attribution = CostAttribution {
            function: ModelFunction::Vision,
            ..self.attribute_turn_cost(waiting.turn, waiting.channel)
        };
        let (mut each, mut asked) = (Vec::new(), Vec::new());
        for (hash, image) in pictures {
            let tokens = words + image.tokens();
            if let Ok(reservation) =
                self.budget
                    .reserve(now, attribution, model.price(), tokens, LONGEST_ANSWER)
            {
                each.push((hash, reservation));
                asked.push(describe_picture(
                    model.clone(),
                    image,
                    instruction.clone(),
                    picked.has_fallback,
                ));
            }
        }
        self.report_reached_limits(now, attribution);
        self.update_budget_state(now);
        if each.is_empty() {
            return false;
        }
        self.call_counter += 1;
        let (look, loop_sender) = (self.call_counter, self.loop_sender.clone());
        self.open_descriptions.insert(
            look,
            PictureDescriptions {
                model,
                attribution,
                model_index: picked.at,
                reservations: each,
            },
        );
        let PictureWait {
            turn,
            channel,
            ask,
            inputs,
        } = waiting;
        let waiting = PictureWait {
            turn: *turn,
            channel: *channel,
            ask: *ask,
            inputs: inputs.clone(),
        };
        // No turn that ends takes it along: what it says is kept, and what it takes is counted.
        tokio::spawn(async move {
            let descriptions = join_all(asked).await;
            let _ = loop_sender
                .send(LoopMessage::PicturesDescribed {
                    look,
                    looked: descriptions,
                    waiting: Box::new(waiting),
                })
                .await;
        });
        true
    }

    /// Pictures were looked at: what is known of them is kept, and those that could not be described go to the next model.
    pub(super) fn handle_picture_descriptions(
        &mut self,
        number: u64,
        looked: Vec<PictureDescription>,
        waiting: PictureWait,
    ) {
        let Some(looking) = self.open_descriptions.remove(&number) else {
            return;
        };
        let now = clock::now();
        let at = looking.model_index;
        let is_last = at + 1 >= self.model_selection.vision_models.len();
        let mut shows = Vec::new();
        let call_usages: Vec<CallUsage> = looked.iter().map(|looked| looked.usage).collect();
        for (
            (hash, _),
            PictureDescription {
                description: said, ..
            },
        ) in looking.reservations.iter().zip(looked)
        {
            shows.push((*hash, said));
        }
        self.settle_descriptions(looking, &call_usages);
        for (hash, said) in shows {
            match said {
                Ok(said) => self.pictures.record_description(&hash, Some(said), now),
                Err(why) => {
                    if let Some(running) = self.turns.get_mut(&waiting.turn) {
                        running.notes.push(why);
                    }
                    if is_last {
                        self.pictures.record_description(&hash, None, now);
                    }
                }
            }
        }
        self.describe_pictures_or_ask(waiting, at + 1);
    }

    /// Writes down what looking took; as much as was promised where nobody tells.
    fn settle_descriptions(&mut self, looking: PictureDescriptions, call_usages: &[CallUsage]) {
        let now = clock::now();
        let PictureDescriptions {
            model,
            attribution,
            reservations: each,
            ..
        } = looking;
        for (index, (_, reservation)) in each.into_iter().enumerate() {
            let call_usage = call_usages
                .get(index)
                .copied()
                .unwrap_or(CallUsage::Unknown);
            let amount = self.budget.settle(now, reservation, call_usage);
            if amount.tokens > 0 {
                let usage = super::running::to_token_usage(call_usage, amount.tokens);
                let (model, channel, function) = (
                    model.name().to_owned(),
                    attribution.channel,
                    attribution.function.name().into(),
                );
                self.observer.record_spend(ModelSpend {
                    at: now,
                    model,
                    channel,
                    function,
                    usage,
                    cost: amount.cost,
                });
            }
        }
        self.report_reached_limits(now, attribution);
        self.update_budget_state(now);
        self.publish_model_state();
    }

    /// The daemon stops: what is under way counts as all that was promised to it.
    pub(super) fn stop_descriptions(&mut self) {
        for (_, looking) in std::mem::take(&mut self.open_descriptions) {
            self.settle_descriptions(looking, &[]);
        }
    }

    /// What is told of pictures in the lines of a channel.
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
        attached.into_iter().map(|(_, attached)| attached).collect()
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
