//! Lets people talk in all servers, breaks what can break, and writes down what happened.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kith_core::partition::find_shard;
use kith_testkit::postgres::{PostgresSchema, PostgresServer};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use tokio::task::block_in_place;

use super::ClusterSize;
use super::leaving::{HOBBY, Leaving};
use super::record::{Answer, ClusterRecord, Kill, Question, list_answered};
use crate::discord::cluster::{ON_SERVER, join_logs, start_process, until_connected};
use crate::discord::discord_test::{on, say, settings};
use crate::discord::fake_discord::{BOT, FakeDiscord, Id, LinkFault, World};
use crate::discord::kith_process::{KithProcess, model};
use crate::discord::storm::{SILENCE, numbers, open_questions};

/// How long a killed process stays away: about what a service manager waits.
const AWAY: Duration = Duration::from_secs(5);
/// How often links are cut.
const CUT_EVERY: Duration = Duration::from_secs(7);
/// How long everything may take to be done when nobody talks any more.
const CALMED_WITHIN: Duration = Duration::from_secs(180);
const PEOPLE: usize = 50;
/// How often the renewal of the leases is kept waiting, and for how many seconds: longer than it has patience.
const HELD_UP_EVERY: Duration = Duration::from_secs(5);
const HELD_UP_SECONDS: u64 = 5;

pub struct ClusterSoak {
    pub diary: Vec<String>,
    pub(super) size: ClusterSize,
    pub(super) fake: FakeDiscord,
    pub(super) server: Arc<PostgresServer>,
    pub(super) schema: PostgresSchema,
    pub(super) channels: Vec<Id>,
    /// One of the people, who wants to be forgotten while processes die.
    pub(super) leaving: Leaving,
    processes: Vec<KithProcess>,
    people: Vec<Id>,
    chance: ChaCha8Rng,
    began: Instant,
    record: ClusterRecord,
    /// The process that is away, and since when.
    pub(super) away: Option<(usize, Instant)>,
}

impl ClusterSoak {
    /// All processes run, and every channel was heard. None where PostgreSQL is not installed.
    pub async fn begin(seed: u64, size: ClusterSize) -> Option<Self> {
        let server = PostgresServer::start_or_skip()?;
        let (world, channels, people) = build_world(size);
        let partitions = channels
            .iter()
            .map(|channel| (*channel, partition_of(&world, *channel, size)))
            .collect();
        let schema = server.make_schema();
        let leaving = Leaving::new(people[PEOPLE - 1], person_name(PEOPLE - 1));
        let fake = FakeDiscord::start(world);
        let url = model(|user: &str| match &*open_questions(user) {
            "" => SILENCE.into(),
            numbers => say(&format!("re {numbers}")),
        })
        .await;
        let modes: String = channels.iter().map(|channel| on(*channel)).collect();
        let tables = format!(
            "{modes}[budget]\ndaily_tokens = 1000000000\n[log]\nlevel = \"warn\"\n{ON_SERVER}partitions = {}\n",
            size.shards
        );
        let settings = settings(&fake, &url, "", &tables);
        let mut processes = Vec::new();
        for _ in 0..size.processes {
            processes.push(start_process(&settings, &schema).await);
        }
        let mut soak = Self {
            diary: Vec::new(),
            size,
            fake,
            server: Arc::new(server),
            schema,
            processes,
            channels,
            leaving,
            people,
            chance: ChaCha8Rng::seed_from_u64(seed),
            began: kith_system::clock::monotonic(),
            record: ClusterRecord {
                partitions,
                ..ClusterRecord::default()
            },
            away: None,
        };
        soak.until_connected().await;
        // Where nothing was ever heard nothing can be missed.
        for channel in soak.channels.clone() {
            let person = soak.find_somebody();
            soak.says(channel, person, "hello all");
        }
        soak.until_stored(CALMED_WITHIN).await;
        soak.began = kith_system::clock::monotonic();
        Some(soak)
    }

    /// People talk, and things break, for as long as it lasts.
    pub async fn run(&mut self) {
        let before = self.record.said.len();
        let restarted_every = self.size.lasts / (self.size.restarts + 1);
        let (mut kills, mut cuts, mut restarts, mut held_up) = (1, 1, 1, 1);
        let mut restarting = None;
        loop {
            let passed = self.began.elapsed();
            if passed >= self.size.lasts {
                break;
            }
            let due = (passed.as_secs_f64() * f64::from(self.size.rate)) as usize;
            // What a slow moment held up comes bit by bit.
            for _ in (self.record.said.len() - before..due).take(500) {
                self.somebody_speaks();
            }
            if passed >= self.size.killed_every * kills && self.away.is_none() {
                kills += 1;
                self.kill_one();
            }
            self.start_again();
            if !self.leaving.stays() || passed >= self.size.lasts / 3 {
                self.moves_on_leaving();
            }
            if passed >= CUT_EVERY * cuts {
                cuts += 1;
                self.cut_links();
            }
            if passed >= HELD_UP_EVERY * held_up {
                self.hold_up_renewals(held_up);
                held_up += 1;
            }
            if restarts <= self.size.restarts && passed >= restarted_every * restarts {
                let mode = ["immediate", "fast"][restarts as usize % 2];
                restarts += 1;
                self.note(&format!("the database server is started anew: {mode}"));
                let server = self.server.clone();
                restarting = Some(tokio::task::spawn_blocking(move || server.restart(mode)));
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        if let Some(restarting) = restarting {
            restarting.await.unwrap();
        }
        self.record.talked = self.began.elapsed().as_secs_f64();
    }

    /// All processes run again, and what was said is stored and answered.
    pub async fn calm_down(&mut self) {
        let from = kith_system::clock::monotonic();
        while self.away.is_some() {
            self.start_again();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        self.until_connected().await;
        while !self.leaving.is_gone() && from.elapsed() < CALMED_WITHIN {
            self.moves_on_leaving();
            self.start_again();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        self.until_stored(CALMED_WITHIN).await;
        while self.is_something_open() && from.elapsed() < CALMED_WITHIN {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        self.record.calmed = from.elapsed().as_secs_f64();
        self.record.traces = block_in_place(|| self.find_traces());
        while !self.record.traces.is_empty() && from.elapsed() < CALMED_WITHIN {
            tokio::time::sleep(Duration::from_secs(2)).await;
            self.record.traces = block_in_place(|| self.find_traces());
        }
    }

    /// Stops everything, and tells what happened.
    pub fn gather(&mut self) -> ClusterRecord {
        self.processes.iter_mut().for_each(KithProcess::stop);
        let mut record = std::mem::take(&mut self.record);
        record.said.retain(|said| !self.leaving.said.contains(said));
        record.asked_to_be_forgotten = self.leaving.asked;
        record.is_forgotten = self.leaving.is_gone();
        record.answers = self.answers();
        record.marked = self.find_marked(&record.questions);
        record.starts = self.fake.world(|world| {
            let starts = world.log.identifies.iter();
            starts.map(|start| (start.at, start.shard.0)).collect()
        });
        for partition in 0..self.size.shards {
            let own = BOT.cast_signed();
            let sql = format!(
                "SELECT channel, id FROM {}.messages WHERE author <> {own}",
                self.schema.of_partition(partition)
            );
            let rows = self.server.run_sql(&sql);
            let read = |row: &str| -> Option<(Id, Id)> {
                let (channel, id) = row.split_once('|')?;
                Some((channel.parse().ok()?, id.parse().ok()?))
            };
            let rows = rows.lines().filter_map(read);
            record.stored.extend(rows.map(|row| (partition, row)));
        }
        record
    }

    pub fn log(&self) -> String {
        join_logs(&self.processes)
    }

    fn somebody_speaks(&mut self) {
        let channel = self.channels[self.chance.random_range(0..self.channels.len())];
        if self.chance.random_ratio(1, self.size.asked_every) {
            let number = u32::try_from(self.record.questions.len()).unwrap();
            let at = self.fake.now();
            let person = self.people[self.chance.random_range(0..PEOPLE - 1)];
            let message = self.says(channel, person, &format!("<@{BOT}> q{number}?"));
            self.record.questions.push(Question {
                number,
                channel,
                message,
                at,
            });
        } else {
            let word = self.record.said.len();
            let person = self.find_somebody();
            self.says(
                channel,
                person,
                &format!("and then there was talk of {word}"),
            );
        }
    }

    /// One of those who take part.
    fn find_somebody(&mut self) -> Id {
        let count = PEOPLE - usize::from(!self.leaving.stays());
        self.people[self.chance.random_range(0..count)]
    }

    fn says(&mut self, channel: Id, person: Id, text: &str) -> Id {
        let is_leaving = person == self.leaving.user;
        let hobby = if is_leaving { HOBBY } else { "" };
        let message = self.fake.says(channel, person, &format!("{text} {hobby}"));
        if is_leaving {
            self.leaving.said.insert((channel, message));
        }
        self.record.said.insert((channel, message));
        message
    }

    pub(super) fn kill_one(&mut self) {
        let victim = self.chance.random_range(0..self.processes.len());
        let id = self.processes[victim].process_id();
        let shards = block_in_place(|| self.find_held(id));
        let at = self.fake.now();
        self.processes[victim].kill();
        self.note(&format!(
            "process {victim} is killed, which held {shards:?}"
        ));
        self.record.kills.push(Kill { at, shards });
        self.away = Some((victim, kith_system::clock::monotonic()));
    }

    /// Who was away long enough comes back. One that finds no database server ends, and is started again later, as whatever
    /// looks after it does.
    fn start_again(&mut self) {
        if let Some((process, since)) = self.away
            && since.elapsed() >= AWAY
        {
            let has_started = block_in_place(|| self.processes[process].try_start().is_ok());
            self.away = (!has_started).then(|| (process, kith_system::clock::monotonic()));
            self.note(&format!(
                "process {process} is started again: {has_started}"
            ));
        }
    }

    /// The lock that each renewal takes is held, a table of it is, or the answer to one does not come.
    fn hold_up_renewals(&mut self, number: u32) {
        let (server, schema) = (self.server.clone(), self.schema.name.clone());
        let kind = number % 3;
        let what = ["a lock is held", "a statement is slow", "an answer is lost"][kind as usize];
        self.note(&format!("renewals: {what}"));
        tokio::task::spawn_blocking(move || {
            let hold = match kind {
                0 => format!(
                    "SELECT pg_advisory_xact_lock(1265202281, hashtext(current_database() || '.{schema}'))"
                ),
                1 => format!("LOCK TABLE {schema}.lease_process"),
                _ => return freeze_session(&server),
            };
            // The server may be away just now.
            let _ = server.try_sql(&format!(
                "BEGIN; {hold}; SELECT pg_sleep({HELD_UP_SECONDS}); COMMIT"
            ));
        });
    }

    fn cut_links(&mut self) {
        let faults = [
            LinkFault::Drop,
            LinkFault::Close(None),
            LinkFault::Close(Some(4000)),
            LinkFault::Reconnect,
        ];
        let fault = faults[self.chance.random_range(0..faults.len())];
        self.note(&format!("{fault:?}"));
        self.fake.break_links(fault);
    }

    /// The shards of a process, by the number the system knows it by; one is in each partition.
    fn find_held(&self, process: u32) -> Vec<u64> {
        let sql = format!(
            "SELECT lease_partition.number FROM {schema}.lease_partition JOIN {schema}.lease_process \
             ON lease_process.number = process WHERE name LIKE '%:{process}' ORDER BY 1",
            schema = self.schema.name
        );
        // The server may be away just now, and then nobody knows.
        let held = self.server.try_sql(&sql).unwrap_or_default();
        held.lines().filter_map(|line| line.parse().ok()).collect()
    }

    async fn until_connected(&self) {
        let processes: Vec<&KithProcess> = self.processes.iter().collect();
        until_connected(&self.fake, self.size.shards.into(), &processes).await;
    }

    /// Waits until as many messages are stored as were said; what is missing then, the checker finds.
    async fn until_stored(&self, within: Duration) {
        let from = kith_system::clock::monotonic();
        let is_gone = self.leaving.is_gone();
        let erased = if is_gone { self.leaving.said.len() } else { 0 };
        let said = self.record.said.len() - erased;
        while block_in_place(|| self.count_stored()) < said && from.elapsed() < within {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    fn count_stored(&self) -> usize {
        let own = BOT.cast_signed();
        let counts: Vec<String> = (0..self.size.shards)
            .map(|partition| {
                format!(
                    "SELECT count(*) AS number FROM {}.messages WHERE author <> {own}",
                    self.schema.of_partition(partition)
                )
            })
            .collect();
        let sql = format!(
            "SELECT sum(number) FROM ({}) AS counts",
            counts.join(" UNION ALL ")
        );
        let told = self.server.try_sql(&sql).unwrap_or_default();
        told.parse().unwrap_or(0)
    }

    /// The questions that bear a mark of the companion's.
    fn find_marked(&self, questions: &[Question]) -> BTreeSet<Id> {
        self.fake.world(|world| {
            let is_marked = |asked: &&Question| world.is_marked(asked.channel, asked.message);
            let marked = questions.iter().filter(is_marked);
            marked.map(|asked| asked.message).collect()
        })
    }

    fn answers(&self) -> Vec<Answer> {
        self.fake.world(|world| {
            let posts = self.channels.iter().flat_map(|channel| {
                let posts = world.posts(*channel).into_iter();
                posts.map(|post| Answer {
                    channel: *channel,
                    at: post.at.unwrap_or_default(),
                    numbers: numbers(&post.text).collect(),
                })
            });
            posts.collect()
        })
    }

    fn is_something_open(&self) -> bool {
        list_answered(&self.answers()).len() < self.record.questions.len()
    }

    pub(super) fn note(&mut self, what: &str) {
        let at = self.began.elapsed().as_secs_f64();
        self.diary.push(format!("{at:.1} s: {what}"));
    }
}

/// A session in which some process renews its leases says nothing for a while, though its link stands.
fn freeze_session(server: &PostgresServer) {
    let find =
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 1265202282 LIMIT 1";
    let Ok(session) = server.try_sql(find) else {
        return;
    };
    let signal = |name: &str| Command::new("kill").args([name, session.trim()]).status();
    if signal("-STOP").is_ok_and(|sent| sent.success()) {
        std::thread::sleep(Duration::from_secs(HELD_UP_SECONDS + 1));
        // It may have ended with the server.
        let _ = signal("-CONT");
    }
}

/// Servers with one channel each, and the people who talk in all of them.
fn build_world(size: ClusterSize) -> (World, Vec<Id>, Vec<Id>) {
    let mut world = World::empty();
    world.shards = size.shards.into();
    // As many as Discord gives to a bot in very many servers: with one, a start every 6 s is all that there is.
    world.max_concurrency = 16;
    let people: Vec<Id> = (0..PEOPLE)
        .map(|number| world.add_user(&person_name(number)))
        .collect();
    let channels = (0..size.guilds)
        .map(|number| {
            let owner = people[number % PEOPLE];
            // With five ids for a server, their ids leave every number when divided by twelve: each shard has as many.
            world.new_id();
            world.new_id();
            let guild = world.add_guild(&format!("Server {number}"), owner);
            for person in &people {
                world.join(guild, *person);
            }
            world.add_channel(guild, "talk")
        })
        .collect();
    (world, channels, people)
}

fn person_name(number: usize) -> String {
    format!("Person {number}")
}

fn partition_of(world: &World, channel: Id, size: ClusterSize) -> u16 {
    let guild = world.channel(channel).guild.expect("it is in a server");
    find_shard(guild, size.shards.into()) as u16
}
