//! Answering the room's requests. What changes something is stored first, all that waits in one commit; what only
//! reads goes to tasks of its own.

use std::collections::{HashMap, VecDeque};

use tokio::sync::oneshot;

use super::{Daemon, deliver, models, rooms};
use crate::clock;
use crate::core::chat::{AuthorKind, ChannelId, Message, MessageId, UserId};
use crate::core::event::Event;
use crate::desk;
use crate::platform::room::{
    Answer, Asked, Explained, History, Live, Mind, Prompt, Reactions, Refused, Request, RoomMessage, State, WholeTurn,
    mentions,
};
use crate::store::{Incoming, Line, Store, StoreError};

type Reply = oneshot::Sender<Result<Answer, Refused>>;

/// A change that waits for its commit.
struct Change {
    incoming: Incoming,
    nonce: Option<String>,
    reply: Reply,
}

impl Daemon {
    pub(super) async fn answer(&mut self, asked: Vec<Asked>) {
        let mut changes = Vec::new();
        for Asked { request, answer } in asked {
            match self.change(request) {
                Ok(Ok((incoming, nonce))) => changes.push(Change { incoming, nonce, reply: answer }),
                Ok(Err(refused)) => reply(answer, Err(refused)),
                Err(request) => self.other(request, answer).await,
            }
        }
        if !changes.is_empty() {
            self.store_changes(changes).await;
        }
    }

    /// The event a request asks to be stored; the request itself if it is of another kind.
    #[expect(clippy::type_complexity, reason = "three outcomes, told apart at the one caller")]
    fn change(&mut self, request: Request) -> Result<Result<(Incoming, Option<String>), Refused>, Request> {
        let now = clock::now();
        Ok(match request {
            Request::Post { channel, person, text, reply_to, client_nonce } => {
                self.post(channel, person, &text, reply_to).map(|message| (message, Some(client_nonce)))
            }
            Request::Edit { channel, message, text } => self
                .of_a_person(channel, message)
                .map(|()| (Incoming::Edit { channel, id: message, text: text.into(), at: now }, None)),
            Request::Delete { channel, message } => {
                self.known(channel).map(|()| (Incoming::Delete { channel, ids: vec![message], at: now }, None))
            }
            Request::React { channel, message, person, emoji, added } => self
                .person(person)
                .map(|by| (Incoming::Reaction { channel, message, by, emoji: emoji.into(), added, at: now }, None)),
            other => return Err(other),
        })
    }

    fn post(
        &mut self,
        channel: ChannelId,
        person: UserId,
        text: &str,
        reply_to: Option<MessageId>,
    ) -> Result<Incoming, Refused> {
        self.known(channel)?;
        let author = self.person(person)?;
        let now = clock::now();
        let mut members = self.guests.people().to_vec();
        members.push(self.own(channel));
        Ok(Incoming::Message(Message {
            id: MessageId(self.ids.next(now)),
            channel,
            arrival: 0,
            at: now,
            author,
            text: text.trim().into(),
            reply_to,
            mentions: mentions(text, &members),
        }))
    }

    fn known(&self, channel: ChannelId) -> Result<(), Refused> {
        self.guests.channel(channel).map(|_| ()).ok_or_else(|| Refused::unknown("there is no such channel"))
    }

    fn person(&self, id: UserId) -> Result<crate::core::chat::Author, Refused> {
        self.guests.person(id).cloned().ok_or_else(|| Refused::unknown("there is no such person in the room"))
    }

    fn of_a_person(&self, channel: ChannelId, message: MessageId) -> Result<(), Refused> {
        self.known(channel)?;
        let own = self.core.lane(channel).and_then(|lane| lane.timeline().find(message));
        match own {
            Some(said) if said.message.author.kind == AuthorKind::Companion => {
                Err(Refused::wrong("these are the companion's words; delete them if they should not stand"))
            }
            _ => Ok(()),
        }
    }

    /// Stores all changes in one commit, then lets the core hear them and answers.
    async fn store_changes(&mut self, changes: Vec<Change>) {
        let mut fresh = Vec::new();
        for change in changes {
            match change.nonce.as_ref().and_then(|nonce| self.posted.get(nonce)).cloned() {
                Some(earlier) => reply(change.reply, Ok(Answer::Message(Box::new(earlier)))),
                None => fresh.push(change),
            }
        }
        let incoming = fresh.iter().map(|change| change.incoming.clone()).collect();
        let stored = match self.store.append(incoming).await {
            Ok(stored) => stored,
            Err(error) => {
                tracing::error!(%error, "not stored");
                let refused = Refused::failed(error.to_string());
                return fresh.into_iter().for_each(|change| reply(change.reply, Err(refused.clone())));
            }
        };
        for (change, stored) in fresh.into_iter().zip(stored) {
            let incoming = deliver::arrived(change.incoming, stored.arrival);
            let answer = match &incoming {
                Incoming::Message(message) => {
                    let shown = RoomMessage {
                        message: message.clone(),
                        edited: false,
                        reactions: Vec::new(),
                        decision: None,
                        turn: None,
                    };
                    if let Some(nonce) = change.nonce {
                        self.posted.put(nonce, shown.clone());
                    }
                    Ok(Answer::Message(Box::new(shown)))
                }
                Incoming::Edit { .. } if !stored.new => Err(Refused::unknown("there is no such message")),
                _ => Ok(Answer::Done {}),
            };
            if stored.new {
                self.happened(incoming, None);
            }
            reply(change.reply, answer);
        }
    }

    async fn other(&mut self, request: Request, answer: Reply) {
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
                self.tell(Live::Typing { channel, user: person });
                self.handle(Event::Typing { channel, user: person });
                reply(answer, Ok(Answer::Done {}));
            }
            Request::Mind { channel } => {
                let latest = self.latest.get(&channel).cloned();
                reply(answer, self.mind(channel, latest));
            }
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
            Request::Turn { id } => match self.running_turn(id) {
                Some(turn) => reply(answer, Ok(Answer::Turn(Box::new(turn)))),
                None => {
                    let model = self.chosen.model.name().to_owned();
                    later(answer, async move { turn(&store, id, model).await });
                }
            },
            Request::History { channel, before, limit } => {
                later(answer, async move { history(&store, channel, before, limit as usize).await });
            }
            Request::Decision { channel, message } => {
                later(answer, async move {
                    let why = desk::why::explain(&store, channel, message).await.map_err(failed)?;
                    let explained = Explained { decision: why.decision, beat: why.beat, turn: why.turn };
                    Ok(Answer::Decision(Box::new(explained)))
                });
            }
            Request::Turns { channel, before } => {
                later(answer, async move {
                    let turns = store.turns(channel, before, TURNS_A_PAGE).await.map_err(failed)?;
                    Ok(Answer::Turns { turns })
                });
            }
            Request::ListModels(endpoint) => later(answer, models::names(endpoint)),
            Request::TestModel(choice) => {
                later(answer, models::test(self.settings.model.clone(), choice));
            }
            Request::UseModel(choice) => {
                let (settings, inner) = (self.settings.model.clone(), self.inner.clone());
                later(answer, async move {
                    models::choose(settings, choice, inner).await?;
                    Ok(Answer::Done {})
                });
            }
            Request::Post { .. } | Request::Edit { .. } | Request::Delete { .. } | Request::React { .. } => {
                reply(answer, Err(Refused::failed("not understood; this is a fault of kith")));
            }
        }
    }

    fn mind(&self, channel: ChannelId, latest: Option<crate::core::report::Decision>) -> Result<Answer, Refused> {
        let now = clock::now();
        let mood = self.core.mood(now, channel).ok_or_else(|| Refused::unknown("there is no such channel"))?;
        let terms = latest.as_ref().map(|decision| decision.terms.clone()).unwrap_or_default();
        Ok(Answer::Mind(Mind {
            channel,
            at: now,
            message: latest.as_ref().map(|decision| decision.message),
            score: mood.score.unwrap_or(0.0),
            bar: mood.bar,
            energy: mood.energy,
            bias: latest.as_ref().map_or(0.0, |decision| decision.bias),
            terms,
            refusal: latest.and_then(|decision| decision.refusal),
            next_beat: mood.next_beat,
            turn: mood.turn,
        }))
    }

    fn running_turn(&self, id: crate::core::chat::TurnId) -> Option<WholeTurn> {
        let running = self.turns.get(&id)?;
        let channel = self.core.channel_of(id)?;
        let report = self.core.lane(channel)?.turn.as_ref()?.so_far(clock::now());
        let prompts = prompts(&running.prompts, self.chosen.model.name());
        Some(WholeTurn { report, prompts, running: true })
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
        let name = name.trim().trim_start_matches('#');
        if name.is_empty() || self.guests.channels().iter().any(|channel| *channel.name == *name) {
            return Err(Refused::wrong(format!("#{name} is taken; choose another name")));
        }
        let id = ChannelId(self.ids.next(clock::now()));
        let channel = self.guests.add_channel(id, name, topic.trim());
        self.store.append(vec![Incoming::Channel(channel.clone())]).await.map_err(failed)?;
        self.settle(channel.clone());
        let policy = self.policy(&channel);
        Ok(Answer::Channel(rooms::room_channel(&channel, &policy)))
    }
}

/// The posts of the last minutes by their nonce, so that one sent again is not said again.
#[derive(Debug, Default)]
pub(super) struct Posted {
    by_nonce: HashMap<String, RoomMessage>,
    order: VecDeque<String>,
}

impl Posted {
    /// How many posts are remembered.
    const KEPT: usize = 512;

    fn get(&self, nonce: &str) -> Option<&RoomMessage> {
        self.by_nonce.get(nonce)
    }

    fn put(&mut self, nonce: String, message: RoomMessage) {
        self.order.push_back(nonce.clone());
        self.by_nonce.insert(nonce, message);
        if self.order.len() > Self::KEPT
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_nonce.remove(&oldest);
        }
    }
}

/// How many turns one page lists.
const TURNS_A_PAGE: usize = 20;

fn reply(to: Reply, answer: Result<Answer, Refused>) {
    // A front end that went away needs no answer.
    let _ = to.send(answer);
}

fn later(to: Reply, work: impl Future<Output = Result<Answer, Refused>> + Send + 'static) {
    tokio::spawn(async move { reply(to, work.await) });
}

fn failed(error: StoreError) -> Refused {
    Refused::failed(error.to_string())
}

async fn turn(store: &Store, id: crate::core::chat::TurnId, model: String) -> Result<Answer, Refused> {
    let stored = store.turn(id).await.map_err(failed)?;
    let stored = stored.ok_or_else(|| Refused::unknown("there is no such turn"))?;
    let prompts = prompts(&stored.prompts, &model);
    Ok(Answer::Turn(Box::new(WholeTurn { report: stored.report, prompts, running: false })))
}

fn prompts(prompts: &[crate::store::Prompt], model: &str) -> Vec<Prompt> {
    prompts
        .iter()
        .map(|prompt| Prompt {
            ask: prompt.ask,
            model: model.to_owned(),
            system: prompt.system.clone(),
            user: prompt.user.clone(),
        })
        .collect()
}

async fn history(
    store: &Store,
    channel: ChannelId,
    before: Option<MessageId>,
    limit: usize,
) -> Result<Answer, Refused> {
    let mut lines = store.history(channel, before, limit + 1).await.map_err(failed)?;
    let more = lines.len() > limit;
    if more {
        lines.remove(0);
    }
    let decisions = store.decisions(channel, limit * 2).await.map_err(failed)?;
    let messages = lines
        .into_iter()
        .map(|line| {
            let decision = decisions.iter().find(|decision| decision.message == line.message.id).cloned();
            shown(line, decision)
        })
        .collect();
    Ok(Answer::History(History { messages, more }))
}

fn shown(line: Line, decision: Option<crate::core::report::Decision>) -> RoomMessage {
    let mut reactions: Vec<Reactions> = Vec::new();
    for mark in line.reactions {
        match reactions.iter_mut().find(|known| known.emoji == *mark.emoji) {
            Some(known) => known.by.push(mark.by),
            None => reactions.push(Reactions { emoji: mark.emoji.to_string(), by: vec![mark.by] }),
        }
    }
    RoomMessage { message: line.message, edited: line.edited, reactions, decision, turn: None }
}
