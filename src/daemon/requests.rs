//! Answering the room's requests. What changes something is stored first (`changes.rs`); what only reads the store
//! goes to tasks of its own, so that it never holds the loop up.

use super::reply::{Reply, failed, later, reply};
use super::{Daemon, models, rooms, sessions};
use crate::clock;
use crate::core::chat::{AuthorKind, Channel, ChannelId, IntentionId, MessageId, TurnId, UserId};
use crate::core::event::{Event, TurnEvent};
use crate::core::lane::Mood;
use crate::core::report::Decision;
use crate::core::secret::Secret;
use crate::core::willingness::{explain, explain_now};
use crate::platform::room::{
    Answer, Asked, Explained, History, Live, Mind, Prompt, Reactions, Refused, Request, RoomMessage, State, WholeTurn,
    told,
};
use crate::store::{Line, Store, Why};

impl Daemon {
    pub(super) async fn answer(&mut self, asked: Vec<Asked>) {
        let mut changes = Vec::new();
        for Asked { request, answer } in asked {
            match self.change(request).await {
                Ok(Ok(incoming)) => changes.push((incoming, answer)),
                Ok(Err(refused)) => reply(answer, Err(refused)),
                Err(request) => self.look_up(request, answer).await,
            }
        }
        if !changes.is_empty() {
            self.store_changes(changes).await;
        }
    }

    async fn look_up(&mut self, request: Request, answer: Reply) {
        let store = self.store.clone();
        match request {
            Request::State {} => {
                let channels = self.guests.channels().to_vec();
                let channels = channels
                    .iter()
                    .filter_map(|channel| {
                        let lane = self.core.lane(channel.id)?;
                        Some(rooms::room_channel(channel, lane.policy()))
                    })
                    .collect();
                let people = self.guests.people().to_vec();
                let state = State { people, channels, model: self.model_state() };
                reply(answer, Ok(Answer::State(state)));
            }
            Request::Typing { channel, person } => {
                let may = self.read(channel).and_then(|()| self.person(person));
                if may.is_ok() {
                    self.tell(Live::Typing { channel, user: person });
                    self.handle(Event::Typing { channel, user: person });
                }
                reply(answer, may.map(|_| Answer::Done {}));
            }
            Request::Mind { channel } => match self.core.mood(clock::now(), channel) {
                Some(mood) => later(answer, async move { mind(&store, channel, mood).await }),
                None => reply(answer, Err(Refused::unknown("there is no such channel"))),
            },
            Request::Intentions { channel } => match self.core.lane(channel) {
                Some(lane) => {
                    let held = lane.intentions_held();
                    let still: Vec<IntentionId> = lane.intentions().iter().map(|intention| intention.id).collect();
                    let waiting = self.store.intentions(channel);
                    later(answer, async move {
                        let mut intentions = waiting.await.map_err(failed)?;
                        // The store has their notes, and may be a moment behind.
                        intentions.retain(|intention| still.contains(&intention.id));
                        Ok(Answer::Intentions { intentions, held })
                    });
                }
                None => reply(answer, Err(Refused::unknown("there is no such channel"))),
            },
            Request::DropIntention { channel, id } => {
                let taken = self.take_intention(channel, id);
                reply(answer, taken.map(|()| Answer::Done {}));
            }
            Request::Sessions {} => later(answer, async move {
                let sessions = store.sessions().await.map_err(failed)?;
                Ok(Answer::Sessions { sessions: sessions.iter().map(sessions::shown).collect() })
            }),
            Request::CloseSession { id } => {
                let closed = match self.sessions.has(id) {
                    true => self.close_session(id).await.map_err(failed),
                    false => Err(Refused::unknown("there is no such session")),
                };
                reply(answer, closed.map(|()| Answer::Done {}));
            }
            Request::Pending { channel } => self.pending_in(channel, answer),
            Request::Decide { id, approve, person } => self.decide(id, approve, person, answer),
            Request::Model {} => {
                let state = self.model_state();
                reply(answer, Ok(Answer::Model(state)));
            }
            Request::AddPerson { name } => {
                let result = self.add_person(&name).await;
                reply(answer, result);
            }
            Request::AddChannel { name, topic } => {
                let result = self.add_channel(&name, &topic).await;
                reply(answer, result);
            }
            Request::StopTurn { id } => {
                let stopped = self.stop_turn(id);
                reply(answer, stopped.map(|()| Answer::Done {}));
            }
            Request::Turn { id } => match self.running_turn(id) {
                Some(turn) => reply(answer, Ok(Answer::Turn(Box::new(turn)))),
                None => {
                    later(answer, async move { turn(&store, id).await });
                }
            },
            Request::History { channel, before, limit } => match self.known(channel) {
                Ok(_) => later(answer, async move { history(&store, channel, before, limit as usize).await }),
                Err(refused) => reply(answer, Err(refused)),
            },
            Request::Decision { channel, message } => {
                later(answer, async move {
                    let Why { decision, beat, turn } = store.why(channel, message).await.map_err(failed)?;
                    let told = decision.as_ref().map(|decision| told(|language| explain(decision, language)));
                    Ok(Answer::Decision(Box::new(Explained { decision, told, beat, turn })))
                });
            }
            Request::Turns { channel, before } => {
                later(answer, async move {
                    let turns = store.turns(channel, before, TURNS_A_PAGE).await.map_err(failed)?;
                    Ok(Answer::Turns { turns })
                });
            }
            Request::ListModels(endpoint) => later(answer, models::names(self.settings.model.clone(), endpoint)),
            Request::TestModel(choice) => self.test_model(choice, answer),
            Request::UseModel(choice) => {
                self.know_secret(&Secret::new(&choice.key.0));
                tokio::spawn(models::choose(self.settings.model.clone(), choice, self.inner.clone(), answer));
            }
            Request::Post { .. } | Request::Edit { .. } | Request::Delete { .. } | Request::React { .. } => {
                reply(answer, Err(Refused::failed("not understood; this is a fault of kith")));
            }
        }
    }

    fn running_turn(&self, id: TurnId) -> Option<WholeTurn> {
        let running = self.turns.get(&id)?;
        let channel = self.core.channel_of(id)?;
        let report = self.without_secrets(self.core.lane(channel)?.turn.as_ref()?.so_far(clock::now()));
        let prompts = prompts(&running.prompts);
        Some(WholeTurn { report, prompts, running: true, news: running.news.kept() })
    }

    fn stop_turn(&mut self, turn: TurnId) -> Result<(), Refused> {
        if self.core.channel_of(turn).is_none() {
            return Err(Refused::unknown("that turn does not run, or not any more"));
        }
        self.handle(Event::Turn { turn, event: TurnEvent::Stopped });
        Ok(())
    }

    async fn add_person(&mut self, name: &str) -> Result<Answer, Refused> {
        let name = name.trim();
        let taken = self.guests.people().iter().any(|person| person.name.to_lowercase() == name.to_lowercase())
            || self
                .guests
                .channels()
                .iter()
                .any(|channel| self.own(channel.id).name.to_lowercase() == name.to_lowercase());
        if taken {
            return Err(Refused::wrong(format!("{name} is taken; choose another name")));
        }
        let id = UserId(self.ids.next(clock::now()));
        let person = self.guests.add_person(&self.store, id, name).await.map_err(failed)?;
        self.tell(Live::Person(person.clone()));
        Ok(Answer::Person(person))
    }

    async fn add_channel(&mut self, name: &str, topic: &str) -> Result<Answer, Refused> {
        let channel = self.new_channel(name, topic).await?;
        let policy = self.policy(&channel);
        Ok(Answer::Channel(rooms::room_channel(&channel, &policy)))
    }

    pub(super) async fn new_channel(&mut self, name: &str, topic: &str) -> Result<Channel, Refused> {
        let name = name.trim().trim_start_matches('#');
        if name.is_empty() || self.guests.channels().iter().any(|channel| *channel.name == *name) {
            return Err(Refused::wrong(format!("#{name} is taken; choose another name")));
        }
        let id = ChannelId(self.ids.next(clock::now()));
        let channel = self.guests.add_channel(&self.store, id, name, topic.trim()).await.map_err(failed)?;
        self.settle(channel.clone());
        Ok(channel)
    }
}

/// How many turns one page lists.
const TURNS_A_PAGE: usize = 20;

async fn turn(store: &Store, id: TurnId) -> Result<Answer, Refused> {
    let mut stored = store.turn(id).await.map_err(failed)?;
    if stored.is_none() {
        // One that ended this moment is still being written.
        store.caught_up().await.map_err(failed)?;
        stored = store.turn(id).await.map_err(failed)?;
    }
    let stored = stored.ok_or_else(|| Refused::unknown("there is no such turn"))?;
    let prompts = prompts(&stored.prompts);
    Ok(Answer::Turn(Box::new(WholeTurn { report: stored.report, prompts, running: false, news: Vec::new() })))
}

fn prompts(prompts: &[crate::store::Prompt]) -> Vec<Prompt> {
    prompts
        .iter()
        .map(|prompt| Prompt {
            ask: prompt.ask,
            model: prompt.model.clone(),
            system: prompt.system.clone(),
            user: prompt.user.clone(),
            parts: prompt.parts.clone(),
        })
        .collect()
}

async fn history(
    store: &Store,
    channel: ChannelId,
    before: Option<MessageId>,
    limit: usize,
) -> Result<Answer, Refused> {
    let mut lines = store.history_with_why(channel, before, limit + 1).await.map_err(failed)?;
    let more = lines.len() > limit;
    if more {
        lines.remove(0);
    }
    let messages = lines.into_iter().map(|(line, why)| shown(line, why)).collect();
    Ok(Answer::History(History { messages, more }))
}

/// How much it would like to speak now, and what it thought of the last message it scored.
async fn mind(store: &Store, channel: ChannelId, mood: Mood) -> Result<Answer, Refused> {
    let latest = store.latest_decision(channel).await.map_err(failed)?;
    // After a restart the lane has scored nothing yet; what was thought then is the best there is.
    let score = mood.score.or(latest.as_ref().map(|decision| decision.score)).unwrap_or(0.0);
    let now = latest.as_ref().map(|decision| Decision {
        score,
        bar: mood.bar,
        moved: mood.moved,
        speak: score >= mood.bar,
        silent_for: mood.silent_for,
        ..decision.clone()
    });
    let reception = mood.reception;
    Ok(Answer::Mind(Mind {
        channel,
        at: clock::now(),
        message: latest.as_ref().map(|decision| decision.message),
        score,
        bar: mood.bar,
        energy: mood.energy,
        bias: latest.as_ref().map_or(0.0, |decision| decision.bias),
        terms: latest.as_ref().map(|decision| decision.terms.clone()).unwrap_or_default(),
        refusal: latest.and_then(|decision| decision.refusal),
        told: now.map(|now| told(|language| explain_now(&now, language))),
        reception,
        reception_told: told(|language| reception.told(language)),
        next_beat: mood.next_beat,
        turn: mood.turn,
    }))
}

/// A stored message as the page shows it.
pub(super) fn shown(line: Line, why: Why) -> RoomMessage {
    let mut reactions: Vec<Reactions> = Vec::new();
    for mark in line.reactions {
        match reactions.iter_mut().find(|known| known.emoji == *mark.emoji) {
            Some(known) => known.by.push(mark.by),
            None => reactions.push(Reactions { emoji: mark.emoji.to_string(), by: vec![mark.by] }),
        }
    }
    // At a person's message the turn is the one it woke, and is asked for with the decision.
    let turn = why.turn.filter(|_| line.message.author.kind == AuthorKind::Companion);
    RoomMessage { message: line.message, edited: line.edited, reactions, decision: why.decision, turn }
}
