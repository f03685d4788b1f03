//! Where people talk in a soak, and who can read what: two servers, a channel of few, a thread, direct messages.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Days, NaiveTime, TimeZone};
use chrono_tz::Europe::Berlin;

use super::plan::{SHY_PEOPLE, SoakSize};
use super::record::TimeSpan;
use crate::discord::fake_discord::{
    ANNA, BEN, BOT_ROLE, For, GENERAL, GUILD, HOST, Id, MO, MODS, Millis, OWNER, RANDOM, World,
    permissions,
};

/// A place of the world with clocks that change twice a year.
pub const QUIET_HOURS: &str = "22:30-08:00 Europe/Berlin";
/// How many places there are at least.
const NAMED_PLACES: u32 = 7;
const THREAD: usize = 2;
const FORGOTTEN_A_DAY: u32 = 1;

#[derive(Debug)]
pub struct Place {
    pub channel: Id,
    pub is_direct: bool,
    pub readers: BTreeSet<Id>,
    /// Who may pause the companion there.
    pub moderator: Id,
    /// Whether threads can be opened there.
    pub has_threads: bool,
}

/// What the driver knows of the world.
#[derive(Debug)]
pub struct SoakWorld {
    pub guilds: [Id; 2],
    /// Channels that not everybody in their server can see.
    pub few: Vec<Id>,
    pub places: Vec<Place>,
    /// People who will be forgotten, the next one last.
    pub transients: Vec<Id>,
    /// People who now and then want to be ignored.
    pub shy: Vec<Id>,
}

impl SoakWorld {
    pub fn build(size: SoakSize) -> (World, Self) {
        let mut world = World::small();
        let count = size.days * FORGOTTEN_A_DAY;
        let transients: Vec<Id> = (0..count)
            .map(|number| world.add_user(&transient_name(number)))
            .collect();
        let shy: Vec<Id> = (0..SHY_PEOPLE)
            .map(|number| world.add_user(&format!("Philomena{number}x")))
            .collect();
        let second = world.add_guild("The Parlour", ANNA);
        world.join(second, BEN);
        for user in transients.iter().chain(&shy) {
            world.join(GUILD, *user);
        }
        let backstage = world.add_channel(GUILD, "backstage");
        world.overwrite(backstage, For::Role(GUILD), 0, permissions::VIEW_CHANNEL);
        for role in [MODS, BOT_ROLE] {
            world.overwrite(backstage, For::Role(role), permissions::VIEW_CHANNEL, 0);
        }
        let everybody: BTreeSet<Id> = [OWNER, MO, ANNA, BEN, HOST]
            .into_iter()
            .chain(transients.iter().chain(&shy).copied())
            .collect();
        let mut places = Vec::new();
        let mut add = |channel, readers: BTreeSet<Id>, is_direct| {
            let moderator = if readers.contains(&MO) { MO } else { ANNA };
            places.push(Place {
                channel,
                is_direct,
                readers,
                moderator,
                has_threads: !is_direct,
            });
        };
        add(GENERAL, everybody.clone(), false);
        add(RANDOM, everybody.clone(), false);
        add(
            world.add_thread(GENERAL, "plans", ANNA),
            everybody.clone(),
            false,
        );
        // Whoever owns the server sees all of it.
        add(backstage, BTreeSet::from([MO, OWNER]), false);
        add(
            world.add_channel(second, "parlour"),
            BTreeSet::from([ANNA, BEN]),
            false,
        );
        add(world.dm(ANNA), BTreeSet::from([ANNA]), true);
        add(world.dm(BEN), BTreeSet::from([BEN]), true);
        for number in NAMED_PLACES..size.places {
            let channel = world.add_channel(GUILD, &format!("room-{number}"));
            add(channel, everybody.clone(), false);
        }
        places[THREAD].has_threads = false;
        let guilds = [GUILD, second];
        (
            world,
            Self {
                guilds,
                few: vec![backstage],
                places,
                transients,
                shy,
            },
        )
    }

    /// Takes note of a thread that whoever reads in a place can read; answers where it stands among the places.
    pub fn add_thread(&mut self, place: usize, thread: Id) -> usize {
        let parent = &self.places[place];
        self.places.push(Place {
            channel: thread,
            is_direct: false,
            readers: parent.readers.clone(),
            moderator: parent.moderator,
            has_threads: false,
        });
        self.places.len() - 1
    }

    pub fn readers(&self) -> BTreeMap<Id, BTreeSet<Id>> {
        self.places
            .iter()
            .map(|place| (place.channel, place.readers.clone()))
            .collect()
    }

    pub fn direct(&self) -> BTreeSet<Id> {
        self.places
            .iter()
            .filter(|place| place.is_direct)
            .map(|place| place.channel)
            .collect()
    }
}

/// A name that is like no other word.
fn transient_name(number: u32) -> String {
    format!("Mirabelle{number}x")
}

/// The quiet hours of all nights from one moment to another.
pub fn quiet_hours(from: Millis, until: Millis) -> Vec<TimeSpan> {
    let day_of = |at| {
        let at = DateTime::from_timestamp_millis(at).unwrap();
        at.with_timezone(&Berlin).date_naive()
    };
    let moment = |day: chrono::NaiveDate, hour, minute| {
        let time = NaiveTime::from_hms_opt(hour, minute, 0).unwrap();
        let at = Berlin.from_local_datetime(&day.and_time(time));
        at.earliest().unwrap().timestamp_millis()
    };
    let first = day_of(from) - Days::new(1);
    first
        .iter_days()
        .take_while(|day| *day <= day_of(until))
        .map(|day| TimeSpan {
            from: moment(day, 22, 30),
            until: moment(day + Days::new(1), 8, 0),
        })
        .collect()
}
