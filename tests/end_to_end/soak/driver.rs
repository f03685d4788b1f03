//! Lives a plan: people talk on the fake Discord, time passes, and what they did is written down.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::DateTime;
use kith_system::clock;
use kith_testkit::monitoring::{MONITORED, probe};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::full_disk::SmallDisk;
use super::measures::Measures;
use super::parrot::Parrot;
use super::plan::{PlannedEvent, SoakSize, Step, draw_plan};
use super::record::{ForgottenPerson, SaidMessage, TimeSpan, word_of};
use super::simulated_time::SimulatedTime;
use super::soak_world::{Place, QUIET_HOURS, SoakWorld};
use crate::discord::discord_test::{DiscordTest, settings};
use crate::discord::fake_discord::{BOT, FakeDiscord, Id, LOG, Message, Millis, TOKEN};
use crate::discord::kith_process::KithProcess;

const MINUTE: Millis = 60_000;
/// Real time for the companion after a message that speaks to it.
const PAUSE_TO_ANSWER: Duration = Duration::from_millis(60);
/// The same after so many others where so many are said that it might fall behind: about two thousand a second.
const READ_AT_ONCE: usize = 8;
const PAUSE_TO_READ: Duration = Duration::from_millis(2);
/// More messages than these in a talk are so many.
const MANY: u32 = 200;
/// In so many places it is spoken to at first and at last; in the others people only talk.
const SPOKEN_TO: usize = 40;
/// How long nothing may have happened before it is taken to have nothing more to do.
const STILL: Duration = Duration::from_millis(150);
/// How long is waited for that at the end of a talk in which something is still broken, and at the end of all.
const TROUBLED_REST: Duration = Duration::from_secs(5);
pub(super) const REST: Duration = Duration::from_secs(30);
/// After so many messages that speak to it, it is waited for within a talk as well: hours of the simulated time pass while a
/// slow machine answers, and nothing is as it is. And how long where something is broken.
const OFTEN: u32 = 3;
const SHORT_REST: Duration = Duration::from_millis(500);
/// In so many channels it looks back for minutes after each start, and people do not wait for it.
const CROWDED_REST: Duration = Duration::from_secs(3);
/// 22 channels a second are looked back at, and thousands may be.
const LOOK_BACK: Duration = Duration::from_secs(300);

/// A soak while it runs, and what happened in it so far.
pub struct Soak {
    pub test: DiscordTest,
    pub time: SimulatedTime,
    pub parrot: Parrot,
    pub world: SoakWorld,
    pub disk: Option<SmallDisk>,
    pub is_disk_full: bool,
    pub said: Vec<SaidMessage>,
    pub pauses: Vec<(Id, TimeSpan)>,
    pub wrong_clock: Vec<TimeSpan>,
    pub kills: Vec<Millis>,
    pub troubles: Vec<Millis>,
    pub forgotten: Vec<ForgottenPerson>,
    pub budgets: Vec<(Millis, u64)>,
    pub measures: Measures,
    /// What happened, for whoever looks for the reason of a violation.
    pub diary: Vec<String>,
    pub(super) chance: ChaCha8Rng,
    pub(super) start: Millis,
    /// How many links there were when something began to go wrong.
    pub(super) links: usize,
    /// So much is said that it might fall behind.
    is_crowded: bool,
    is_troubled: bool,
    /// How many messages spoke to it.
    addressed: u32,
    plan: Vec<PlannedEvent>,
    /// The newest messages of each channel by people, oldest first.
    newest: BTreeMap<Id, Vec<usize>>,
    /// The newest thread of each place that has one.
    pub(super) threads: BTreeMap<usize, usize>,
}

impl Soak {
    /// The plan of a seed from this moment on.
    pub async fn begin(seed: u64, start: Millis, size: SoakSize) -> Self {
        let (world, soak_world) = SoakWorld::build(size);
        let size = SoakSize {
            places: u32::try_from(soak_world.places.len()).unwrap(),
            ..size
        };
        let fake = FakeDiscord::start(world);
        fake.heartbeat_every(2_000);
        let time = SimulatedTime::begin(start);
        fake.set_now(time.now());
        let parrot = Parrot::new(time.clone());
        let url = parrot.serve().await;
        let settings = build_settings(&fake, &url, &soak_world, size.first_budget());
        let (variable, file) = time.variable();
        let environment = [("DISCORD_TOKEN", TOKEN), (variable, &*file)];
        let kith = KithProcess::furnished(&[("kith.toml", &settings)], &environment).await;
        let mut test = DiscordTest { fake, kith };
        test.is_there().await;
        test.has_commands().await;
        let disk = SmallDisk::mount(&mut test);
        test.is_there().await;
        let mut soak = Self {
            test,
            time,
            parrot,
            world: soak_world,
            disk,
            is_disk_full: false,
            said: Vec::new(),
            pauses: Vec::new(),
            wrong_clock: Vec::new(),
            kills: Vec::new(),
            troubles: Vec::new(),
            forgotten: Vec::new(),
            budgets: vec![(start, size.first_budget())],
            measures: Measures::default(),
            diary: Vec::new(),
            chance: ChaCha8Rng::seed_from_u64(seed),
            start,
            links: 0,
            is_crowded: size.messages > MANY,
            is_troubled: false,
            addressed: 0,
            plan: draw_plan(seed, size),
            newest: BTreeMap::new(),
            threads: BTreeMap::new(),
        };
        // Where nothing was ever heard nothing can be missed.
        for place in 0..soak.world.places.len() {
            soak.says(place, 0, place < SPOKEN_TO);
        }
        soak.until_all_answered().await;
        soak
    }

    /// Waits until it has posted everywhere.
    async fn until_all_answered(&self) {
        for place in self.world.places.iter().take(SPOKEN_TO) {
            self.test.post(place.channel, 0).await;
        }
        self.until_all_heard().await;
        self.rests(REST).await;
    }

    pub async fn run(&mut self) {
        for event in std::mem::take(&mut self.plan) {
            let moment = self.start + event.at;
            self.time.pass_until(moment, &self.test.fake).await;
            self.measures
                .sample_daily(self.time.now(), &self.test.kith)
                .await;
            self.note(&event.step);
            self.happens(event.step).await;
        }
    }

    /// All is mended; everywhere somebody speaks to it once more, and it has time for all it has to do.
    pub async fn calm_down(&mut self) {
        self.rests(REST).await;
        for pass in 0..2 {
            let later = self.time.now() + 11 * MINUTE;
            self.time.pass_until(later, &self.test.fake).await;
            if pass == 0 {
                for place in 0..self.world.places.len() {
                    self.says(place, 0, place < SPOKEN_TO);
                }
                self.until_all_heard().await;
                self.until_nothing_is_on_its_way().await;
            }
            self.rests(REST).await;
        }
        self.measures.sample(&self.test.kith).await;
    }

    /// Waits until the newest message of each place is stored, for as long as a look back may take that Discord limits.
    async fn until_all_heard(&self) {
        let begun = clock::monotonic();
        let newest = self.said.iter().rev().take(self.world.places.len());
        let newest: Vec<Id> = newest.map(|message| message.id).collect();
        let database = self.test.kith.dir.path().join("data/kith.db");
        let database = rusqlite::Connection::open(database).unwrap();
        let is_stored = |id: &Id| {
            let find = "SELECT 1 FROM messages WHERE id = ?1";
            let found = database.query_row(find, [id.cast_signed()], |_| Ok(()));
            found.is_ok()
        };
        while !newest.iter().all(is_stored) && begun.elapsed() < LOOK_BACK {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits until the outbox is empty, for as long.
    async fn until_nothing_is_on_its_way(&self) {
        let begun = clock::monotonic();
        let none = "\nkith_outbox_pending 0\n";
        while !probe(&self.test.kith, "/metrics").await.1.contains(none)
            && begun.elapsed() < LOOK_BACK
        {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// In the companion's log it is the real time.
    fn note(&mut self, step: &Step) {
        let [real, simulated] = [clock::now(), self.time.now()]
            .map(|at| DateTime::from_timestamp_millis(at).unwrap_or_default());
        let line = format!(
            "{} {}: {step:?}",
            real.format("%H:%M:%S%.3f"),
            simulated.format("%d %H:%M:%S%.3f")
        );
        self.diary.push(line);
    }

    async fn happens(&mut self, step: Step) {
        match step {
            Step::Say {
                place,
                who,
                is_addressed,
                is_in_thread,
            } => {
                let thread = self.threads.get(&place).filter(|_| is_in_thread);
                let place = thread.copied().unwrap_or(place);
                self.says(place, who, is_addressed);
                if is_addressed {
                    tokio::time::sleep(PAUSE_TO_ANSWER).await;
                    self.addressed += 1;
                    if self.addressed.is_multiple_of(OFTEN) {
                        self.rests(self.find_rest_in_a_talk()).await;
                    }
                } else if self.is_crowded && self.said.len().is_multiple_of(READ_AT_ONCE) {
                    tokio::time::sleep(PAUSE_TO_READ).await;
                }
            }
            Step::Edit { place, which } => self.edits(place, which),
            Step::Delete { place, which } => self.deletes(place, which),
            Step::React { place, which } => self.reacts(place, which),
            Step::Pause { place, minutes } => self.is_paused(place, minutes).await,
            Step::Forget => self.forgets().await,
            Step::OpenThread { place, who } => self.opens_thread(place, who),
            Step::ChangeWish { who } => self.changes_wish(who).await,
            Step::SetBudget { tokens } => self.sets_budget(tokens).await,
            Step::Begin(trouble) => {
                self.is_troubled = true;
                self.troubles.push(self.time.now());
                self.breaks(trouble).await;
            }
            Step::End(trouble) => {
                self.mends(trouble).await;
                self.is_troubled = false;
            }
            Step::Rest if self.is_troubled => self.rests(TROUBLED_REST).await,
            Step::Rest => self.rests(REST).await,
        }
    }

    fn find_rest_in_a_talk(&self) -> Duration {
        match (self.is_troubled, self.is_crowded) {
            (true, _) => SHORT_REST,
            (false, true) => CROWDED_REST,
            (false, false) => REST,
        }
    }

    fn says(&mut self, place: usize, who: usize, is_addressed: bool) {
        let place = &self.world.places[place];
        let (channel, author) = (place.channel, self.find_writer(place, who));
        let number = u32::try_from(self.said.len()).unwrap();
        let word = word_of(number);
        let text = if is_addressed && !place.is_direct {
            format!("<@{BOT}> what do you say to {word}?")
        } else {
            format!("I was thinking of {word} and bikes, cats and vinyl")
        };
        let id = self.test.fake.post(channel, Message::by(author, text));
        let newest = self.newest.entry(channel).or_default();
        newest.push(self.said.len());
        self.said.push(SaidMessage {
            number,
            id,
            channel,
            author,
            at: self.time.now(),
            is_addressed: is_addressed || place.is_direct,
            deleted: None,
            edited: None,
            change_told: None,
            is_marked: false,
        });
    }

    /// One of those who write in a place: nobody who is forgotten comes back.
    pub(super) fn find_writer(&self, place: &Place, who: usize) -> Id {
        let is_gone = |user: &Id| {
            let mut gone = self.forgotten.iter();
            gone.any(|person| person.user == *user && !self.world.shy.contains(user))
        };
        let writers: Vec<&Id> = place.readers.iter().filter(|user| !is_gone(user)).collect();
        *writers[who % writers.len()]
    }

    /// One of the newest messages of a place that is still there and whose author is.
    fn find_message(&self, place: usize, which: usize) -> Option<usize> {
        let newest = self.newest.get(&self.world.places[place].channel)?;
        let index = *newest.iter().rev().nth(which)?;
        let message = &self.said[index];
        let mut gone = self.forgotten.iter();
        let is_gone = message.deleted.is_some()
            || gone.any(|person| person.user == message.author && message.at <= person.until);
        (!is_gone).then_some(index)
    }

    fn edits(&mut self, place: usize, which: usize) {
        if let Some(index) = self.find_message(place, which) {
            let told = self.now_if_sound();
            let message = &mut self.said[index];
            let text = format!("rather {}, I think", word_of(message.number));
            self.test.fake.edits(message.channel, message.id, &text);
            (message.edited, message.change_told) = (Some(text), told);
        }
    }

    fn deletes(&mut self, place: usize, which: usize) {
        if let Some(index) = self.find_message(place, which) {
            let (now, told) = (self.time.now(), self.now_if_sound());
            let message = &mut self.said[index];
            (message.deleted, message.change_told) = (Some(now), told);
            self.test.fake.deletes(message.channel, &[message.id]);
        }
    }

    /// This moment, where nothing is wrong.
    fn now_if_sound(&self) -> Option<Millis> {
        (!self.is_troubled).then(|| self.time.now())
    }

    fn reacts(&mut self, place: usize, which: usize) {
        if let Some(index) = self.find_message(place, which) {
            let message = &self.said[index];
            self.test
                .fake
                .reacts(message.author, message.channel, message.id, "👍");
        }
    }

    /// Waits until nothing has been asked of Discord or of the model for a moment and it is not busy, or for as long as
    /// `most`.
    pub async fn rests(&self, most: Duration) {
        let asked = || {
            let requests = self.test.fake.world(|world| world.log.requests.len());
            (requests, self.parrot.calls().len())
        };
        let begun = clock::monotonic();
        let (mut known, mut since) = (asked(), begun);
        while begun.elapsed() < most {
            tokio::time::sleep(Duration::from_millis(20)).await;
            if asked() != known {
                (known, since) = (asked(), clock::monotonic());
            }
            if since.elapsed() > STILL && !self.is_busy().await {
                return;
            }
        }
    }

    /// Whether a turn runs, or something waits to be stored that can be.
    async fn is_busy(&self) -> bool {
        if !self.test.kith.is_running() {
            return false;
        }
        let (_, metrics) = probe(&self.test.kith, "/metrics").await;
        let (_, readiness) = probe(&self.test.kith, "/readyz").await;
        let none = ["running", "waiting"].map(|which| format!("\nkith_turns_{which} 0\n"));
        !none.iter().all(|line| metrics.contains(line))
            || readiness == "store\n" && !self.is_disk_full
    }
}

/// Everything is read and may be answered; nothing takes time that a person would not notice.
fn build_settings(fake: &FakeDiscord, url: &str, world: &SoakWorld, budget: u64) -> String {
    let on = |kind, id: &Id| format!("[{kind}.{id}]\nmode = \"on\"\n");
    let guilds: String = world
        .guilds
        .iter()
        .map(|guild| on("guild", guild))
        .collect();
    // A channel of few is read only where it is named.
    let channels: String = world
        .few
        .iter()
        .map(|channel| on("channel", channel))
        .collect();
    let tables = format!(
        "direct_messages = \"on\"\nbackfill_pages = 100\n[discord.log]\nchannel = \"{LOG}\"\n{guilds}{channels}{MONITORED}[budget]\ndaily_tokens = {budget}\n"
    );
    let more = format!("talkativeness = 0.8\nquiet_hours = \"{QUIET_HOURS}\"\n");
    settings(fake, url, &more, &tables)
        .replace(
            "characters_per_second = 400.0",
            "characters_per_second = 1000.0",
        )
        .replace(
            "name = \"scripted\"",
            "name = \"scripted\"\nfirst_token_seconds = 1.0\ntotal_seconds = 2.0",
        )
}
