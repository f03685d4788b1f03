//! Somebody wants to be forgotten everywhere while processes die. Who gets no answer asks again, as people do.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use kith_system::clock::monotonic;
use serde_json::json;

use super::driver::ClusterSoak;
use crate::discord::fake_discord::Id;
use crate::discord::people::{button, said};

/// A word that nobody else says.
pub const HOBBY: &str = "xylophonequartz";
/// How long they wait for an answer before they ask again.
const ASKED_AGAIN: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub struct Leaving {
    pub user: Id,
    pub name: String,
    /// What they said, by channel and message.
    pub said: BTreeSet<(Id, Id)>,
    pub asked: u32,
    step: LeavingStep,
}

#[derive(Clone, Copy, Debug)]
enum LeavingStep {
    Stays,
    /// The command was used.
    Asked(Id, Instant),
    /// The button under the question was pressed.
    Confirmed {
        question: Id,
        pressed: Id,
        since: Instant,
    },
    Gone,
}

impl Leaving {
    pub fn new(user: Id, name: String) -> Self {
        Self {
            user,
            name,
            said: BTreeSet::new(),
            asked: 0,
            step: LeavingStep::Stays,
        }
    }

    /// Whether they still take part.
    pub fn stays(&self) -> bool {
        matches!(self.step, LeavingStep::Stays)
    }

    /// Whether they were told that they are forgotten.
    pub fn is_gone(&self) -> bool {
        matches!(self.step, LeavingStep::Gone)
    }
}

impl ClusterSoak {
    /// Does what the one who leaves does next. Just after they confirmed it for the first time a process dies.
    pub(super) fn moves_on_leaving(&mut self) {
        match self.leaving.step {
            LeavingStep::Stays => self.asks_to_be_forgotten(),
            LeavingStep::Asked(asked, since) => {
                let asked = self.fake.interaction(asked);
                match asked.answer.clone().filter(|_| asked.is_shown()) {
                    Some(question) => {
                        let forget = button(&question, "forget");
                        let (channel, user) = (self.channels[0], self.leaving.user);
                        let pressed = self.fake.presses(channel, user, question.id, &forget);
                        self.leaving.step = LeavingStep::Confirmed {
                            question: question.id,
                            pressed,
                            since: monotonic(),
                        };
                        if self.leaving.asked == 1 && self.away.is_none() {
                            self.kill_one();
                        }
                    }
                    None if since.elapsed() > ASKED_AGAIN => self.asks_to_be_forgotten(),
                    None => {}
                }
            }
            LeavingStep::Confirmed {
                question,
                pressed,
                since,
            } => {
                let told = self.fake.world(|world| {
                    let shown = world.find_hidden(question).map(said);
                    let body = world.interactions[&pressed].body.to_string();
                    shown.unwrap_or_default() + &body
                });
                if told.contains("Forgotten everywhere") {
                    self.leaving.step = LeavingStep::Gone;
                    self.note("who left was told that they are forgotten");
                } else if since.elapsed() > ASKED_AGAIN {
                    self.asks_to_be_forgotten();
                }
            }
            LeavingStep::Gone => {}
        }
    }

    fn asks_to_be_forgotten(&mut self) {
        let everywhere = json!({"where": "all"});
        let (channel, user) = (self.channels[0], self.leaving.user);
        let asked = self.fake.slash(channel, user, "kith forget me", everywhere);
        self.leaving.asked += 1;
        self.leaving.step = LeavingStep::Asked(asked, monotonic());
        self.note("somebody wants to be forgotten");
    }

    /// What is still kept of who left, in which table of which schema.
    pub(super) fn find_traces(&self) -> Vec<String> {
        let schemas = (0..self.size.shards).map(|number| self.schema.of_partition(number));
        let Leaving { user, name, .. } = &self.leaving;
        let found = schemas.flat_map(|schema| {
            let tables = self.server.list_tables(&schema);
            let looks: Vec<String> = tables
                .lines()
                .map(|table| {
                    format!(
                        "SELECT '{schema}.{table}: ' || count(*) FROM {schema}.{table} AS kept \
                         WHERE kept::text ~ '{HOBBY}|{user}|{name}' HAVING count(*) > 0"
                    )
                })
                .collect();
            let traces = self.server.run_sql(&looks.join(" UNION ALL "));
            traces.lines().map(str::to_owned).collect::<Vec<_>>()
        });
        found.filter(|trace| !trace.is_empty()).collect()
    }
}
