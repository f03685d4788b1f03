//! What people ask of the companion in a soak, and what its host changes: pauses, being forgotten, being ignored and coming
//! back, threads, another budget.

use std::time::Duration;

use kith_system::clock;
use kith_testkit::monitoring::probe;
use rand::RngExt;
use serde_json::json;

use super::driver::{REST, Soak};
use super::record::{ForgottenPerson, TimeSpan};
use crate::discord::fake_discord::{Id, Message, Millis};
use crate::discord::people::button;

const MINUTE: Millis = 60_000;
/// How long it may take until changed settings hold.
const READ_AGAIN: Duration = Duration::from_secs(20);
/// Of so many who want to be forgotten one has it killed meanwhile, at most so many milliseconds after they said so.
const KILLED_OF: usize = 3;
const MOST_BEFORE_KILL: u64 = 60;

impl Soak {
    pub(super) async fn is_paused(&mut self, place: usize, minutes: u32) {
        let place = &self.world.places[place];
        if place.is_direct {
            return;
        }
        let (channel, moderator) = (place.channel, place.moderator);
        self.rests(REST).await;
        self.test
            .asks(
                channel,
                moderator,
                "kith pause",
                json!({"time": format!("{minutes}m")}),
            )
            .await;
        let now = self.time.now();
        let span = TimeSpan {
            from: now,
            until: now + Millis::from(minutes) * MINUTE,
        };
        // A pause stands in the place of the one before.
        let before = self
            .pauses
            .iter_mut()
            .filter(|(other, _)| *other == channel);
        before.for_each(|(_, pause)| pause.until = pause.until.min(now));
        self.pauses.push((channel, span));
    }

    pub(super) async fn forgets(&mut self) {
        let Some(user) = self.world.transients.pop() else {
            return;
        };
        self.rests(REST).await;
        let channel = self.world.places[0].channel;
        let question = self.asks_to_forget(channel, user).await;
        let question = if self.forgotten.len() % KILLED_OF == 1 {
            self.is_killed_while_forgetting(channel, user, &question)
                .await;
            // Who sees that it failed asks again.
            self.asks_to_forget(channel, user).await
        } else {
            question
        };
        let begun = clock::monotonic();
        self.test.confirms(channel, user, &question, "forget").await;
        self.measures.add_forgetting(begun.elapsed());
        self.forgotten.push(ForgottenPerson {
            user,
            at: self.time.now(),
            until: self.time.now(),
            traces: Vec::new(),
        });
    }

    async fn asks_to_forget(&self, channel: Id, user: Id) -> Message {
        let everywhere = json!({"where": "all"});
        self.test
            .asks(channel, user, "kith forget me", everywhere)
            .await
    }

    async fn is_killed_while_forgetting(&mut self, channel: Id, user: Id, question: &Message) {
        self.test
            .fake
            .presses(channel, user, question.id, &button(question, "forget"));
        let soon = self.chance.random_range(0..MOST_BEFORE_KILL);
        tokio::time::sleep(Duration::from_millis(soon)).await;
        let links = self.count_links();
        self.test.kith.kill();
        self.kills.push(self.time.now());
        self.troubles.push(self.time.now());
        self.test.kith.start();
        self.until_linked(links + 1).await;
        self.test.is_there().await;
        self.rests(REST).await;
    }

    pub(super) fn opens_thread(&mut self, place: usize, who: usize) {
        let parent = &self.world.places[place];
        if !parent.has_threads {
            return;
        }
        let (channel, owner) = (parent.channel, self.find_writer(parent, who));
        let name = format!("plan {}", self.world.places.len());
        let thread = self.test.fake.opens_thread(channel, owner, &name);
        let thread = self.world.add_thread(place, thread);
        self.threads.insert(place, thread);
    }

    pub(super) async fn changes_wish(&mut self, who: usize) {
        let user = self.world.shy[who];
        let is_ignored =
            |person: &ForgottenPerson| person.user == user && person.until == Millis::MAX;
        let ignored = self.forgotten.iter().position(is_ignored);
        self.rests(REST).await;
        let how = if ignored.is_some() {
            "remember"
        } else {
            "ignore"
        };
        let asked_at = self.time.now();
        let channel = self.world.places[0].channel;
        self.test
            .asks(channel, user, "kith optout", json!({ "how": how }))
            .await;
        match ignored {
            Some(ignored) => self.forgotten[ignored].until = asked_at,
            None => self.forgotten.push(ForgottenPerson {
                user,
                at: self.time.now(),
                until: Millis::MAX,
                traces: Vec::new(),
            }),
        }
    }

    pub(super) async fn sets_budget(&mut self, tokens: u64) {
        let setting = |tokens: u64| format!("daily_tokens = {tokens}\n");
        let before = self.budgets.last().map_or(0, |(_, tokens)| *tokens);
        if before == tokens {
            return;
        }
        let file = self.test.kith.dir.path().join("kith.toml");
        let settings = std::fs::read_to_string(&file).unwrap();
        let changed = settings.replace(&setting(before), &setting(tokens));
        assert_ne!(changed, settings);
        let changed_at = self.time.now();
        let beside = file.with_extension("new");
        std::fs::write(&beside, changed).unwrap();
        std::fs::rename(&beside, &file).unwrap();
        let holds = format!("\nkith_budget_tokens {tokens}\n");
        let begun = clock::monotonic();
        while !probe(&self.test.kith, "/metrics").await.1.contains(&holds) {
            assert!(begun.elapsed() < READ_AGAIN, "{holds}\n{}", self.test.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // More may be spent from the first moment on that it may be known, less from the last.
        let since = if tokens > before {
            changed_at
        } else {
            self.time.now()
        };
        self.budgets.push((since, tokens));
    }
}
