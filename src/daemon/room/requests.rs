//! Answering the room's requests. What changes something is stored first (`changes.rs`); what only reads the store
//! goes to tasks of its own, so that it never holds the loop up.

use super::card_import::import_dropped_card;
use super::decision_summaries::{SummaryNames, summarize};
use super::members::to_room_channel;
use super::platform::RoomPlatform;
use crate::daemon::full_turn::load_full_turn;
use crate::daemon::model_choice;
use crate::daemon::reply::{
    RequestReply, refuse_missing, reply, reply_done, reply_later, to_request_refusal,
};
use crate::daemon::state::Daemon;
use kith_core::channel::ChannelSnapshot;
use kith_core::chat::{ChannelId, IntentionId, MessageId, TurnId, UserId};
use kith_core::event::{Event, TurnEvent};
use kith_core::report::MessageDecision;
use kith_language::room_refusals;
use kith_room::{
    LiveEvent, MessageExplanation, PendingRequest, RequestRefusal, RoomAnswer, RoomRequest,
    RoomState, WillingnessState, localize,
};
use kith_store::{DecisionReason, Store};
use kith_system::clock;

impl Daemon<RoomPlatform> {
    pub(super) async fn answer_requests(&mut self, pending_requests: Vec<PendingRequest>) {
        let mut changes = Vec::new();
        for PendingRequest { request, answer } in pending_requests {
            match self.prepare_change(request).await {
                Ok(Ok(incoming)) => changes.push((incoming, answer)),
                Ok(Err(refused)) => reply(answer, Err(refused)),
                Err(request) => self.answer_request(request, answer).await,
            }
        }
        if !changes.is_empty() {
            self.store_changes(changes).await;
        }
    }

    async fn answer_request(&mut self, request: RoomRequest, answer: RequestReply) {
        let store = self.store.clone();
        match request {
            RoomRequest::State {} => reply(answer, Ok(self.build_room_state())),
            RoomRequest::Typing { channel, person } => {
                reply(answer, self.record_typing(channel, person));
            }
            RoomRequest::Mind { channel } => self.answer_willingness(channel, answer),
            RoomRequest::Intentions { channel } => self.answer_intentions(channel, answer),
            RoomRequest::DropIntention { channel, id } => {
                reply_done(answer, self.drop_intention(channel, id));
            }
            RoomRequest::Pending { channel } => self.list_pending_approvals(channel, answer),
            RoomRequest::Decide {
                id,
                approve,
                person,
            } => self.decide_proposal(id, approve, person, answer),
            RoomRequest::StopTurn { id } => reply_done(answer, self.stop_turn(id)),
            RoomRequest::StopCall { turn, call } => {
                let stopped = self.stop_call(turn, call).then_some(());
                reply_done(
                    answer,
                    stopped.ok_or_else(|| refuse_missing(room_refusals::call_over())),
                );
            }
            RoomRequest::Turn { id } => match self.build_running_turn(id) {
                Some(turn) => reply(answer, Ok(RoomAnswer::Turn(Box::new(turn)))),
                None => reply_later(answer, async move {
                    let turn = load_full_turn(&store, id).await?;
                    Ok(RoomAnswer::Turn(Box::new(turn)))
                }),
            },
            RoomRequest::Decision { channel, message } => {
                let names = self.find_summary_names(channel, message);
                reply_later(answer, async move {
                    load_explanation(&store, channel, message, names).await
                });
            }
            RoomRequest::Turns { channel, before } => reply_later(answer, async move {
                let turns = store.find_turns(channel, before, TURNS_A_PAGE).await;
                let turns = turns.map_err(to_request_refusal)?;
                Ok(RoomAnswer::Turns { turns })
            }),
            RoomRequest::Model {} => reply(answer, Ok(RoomAnswer::Model(self.model_state()))),
            RoomRequest::ListModels(endpoint) => reply_later(
                answer,
                model_choice::list_model_names(
                    self.settings.model.clone(),
                    endpoint,
                    self.settings.language.unwrap_or_default(),
                ),
            ),
            RoomRequest::TestModel(choice) => self.test_model(choice, answer),
            RoomRequest::UseModel(choice) => self.choose_model(choice, answer),
            RoomRequest::ImportCard { card } => {
                let folder = self.settings.data_dir.join("personas");
                reply_later(answer, import_dropped_card(card, folder));
            }
            other => {
                let Err((other, answer)) = self.answer_session_request(other, answer).await else {
                    return;
                };
                match self.change_members(other).await {
                    Ok(changed) => reply(answer, changed),
                    Err(other) => self.answer_reading_request(other, answer),
                }
            }
        }
    }

    fn build_room_state(&mut self) -> RoomAnswer {
        let channels = self.platform.members.channels().iter();
        let channels = channels.filter_map(|channel| {
            let channel_state = self.core.channel_state(channel.id)?;
            Some(to_room_channel(channel, channel_state.policy()))
        });
        RoomAnswer::State(RoomState {
            channels: channels.collect(),
            people: self.platform.members.people().to_vec(),
            model: self.model_state(),
        })
    }

    fn record_typing(
        &mut self,
        channel: ChannelId,
        person: UserId,
    ) -> Result<RoomAnswer, RequestRefusal> {
        self.check_readable(channel)?;
        self.require_person(person)?;
        let user = person;
        self.send_live_event(LiveEvent::Typing { channel, user });
        self.handle_event(Event::Typing { channel, user });
        Ok(RoomAnswer::Done {})
    }

    fn answer_willingness(&self, channel: ChannelId, answer: RequestReply) {
        let Some(snapshot) = self.core.channel_snapshot(clock::now(), channel) else {
            return reply(answer, Err(unknown_channel()));
        };
        let store = self.store.clone();
        let names = self.find_newest_names(channel);
        reply_later(answer, async move {
            load_willingness_state(&store, channel, snapshot, &names).await
        });
    }

    fn answer_intentions(&self, channel: ChannelId, answer: RequestReply) {
        let Some(channel_state) = self.core.channel_state(channel) else {
            return reply(answer, Err(unknown_channel()));
        };
        let held = channel_state.intention_refusal();
        let still: Vec<IntentionId> = channel_state
            .intentions()
            .iter()
            .map(|intention| intention.id)
            .collect();
        let waiting = self.store.find_intentions(channel);
        reply_later(answer, async move {
            let mut intentions = waiting.await.map_err(to_request_refusal)?;
            // The store has their notes, and may be a moment behind.
            intentions.retain(|intention| still.contains(&intention.id));
            Ok(RoomAnswer::Intentions { intentions, held })
        });
    }

    fn stop_turn(&mut self, turn: TurnId) -> Result<(), RequestRefusal> {
        if self.core.find_turn_channel(turn).is_none() {
            return Err(refuse_missing(room_refusals::turn_over()));
        }
        self.handle_event(Event::Turn {
            turn,
            event: TurnEvent::StopRequested,
        });
        Ok(())
    }
}

fn unknown_channel() -> RequestRefusal {
    refuse_missing(room_refusals::no_channel())
}

/// What was thought of a message, in words, too.
async fn load_explanation(
    store: &Store,
    channel: ChannelId,
    message: MessageId,
    names: SummaryNames,
) -> Result<RoomAnswer, RequestRefusal> {
    let DecisionReason {
        decision,
        report,
        turn,
    } = store
        .find_decision_reason(channel, message)
        .await
        .map_err(to_request_refusal)?;
    let summary = decision
        .as_ref()
        .map(|decision| summarize(decision, &names));
    Ok(RoomAnswer::Decision(Box::new(MessageExplanation {
        decision,
        summary,
        decision_point: report,
        turn,
    })))
}

const TURNS_A_PAGE: usize = 20;

/// How much it would like to speak now, and what it thought of the last message it scored.
async fn load_willingness_state(
    store: &Store,
    channel: ChannelId,
    snapshot: ChannelSnapshot,
    names: &SummaryNames,
) -> Result<RoomAnswer, RequestRefusal> {
    let latest = store
        .find_latest_decision(channel)
        .await
        .map_err(to_request_refusal)?;
    // After a restart the channel has scored nothing yet; what was thought then is the best there is.
    let score = snapshot
        .score
        .or(latest.as_ref().map(|decision| decision.score))
        .unwrap_or(0.0);
    let now = latest.as_ref().map(|decision| MessageDecision {
        score,
        threshold: snapshot.threshold,
        shift: snapshot.shift,
        silent_for: snapshot.silent_for,
        ..decision.clone()
    });
    let reception = snapshot.reception;
    Ok(RoomAnswer::Mind(WillingnessState {
        channel,
        at: clock::now(),
        message: latest.as_ref().map(|decision| decision.message),
        score,
        threshold: snapshot.threshold,
        energy: snapshot.energy,
        bias: latest.as_ref().map_or(0.0, |decision| decision.bias),
        terms: latest
            .as_ref()
            .map(|decision| decision.terms.clone())
            .unwrap_or_default(),
        refusal: latest.and_then(|decision| decision.refusal),
        summary: now.map(|now| summarize(&now, names)),
        shift: snapshot.shift,
        reception,
        reception_told: localize(|language| reception.describe(language)),
        next_decision_point: snapshot.next_decision_point,
        turn: snapshot.turn,
    }))
}
