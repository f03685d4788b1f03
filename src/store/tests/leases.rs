//! Processes that share a database, and what happens when one of them dies.

use std::sync::{Arc, Barrier};
use std::time::Duration;

use kith_core::chat::UserId;
use kith_core::partition::Partition;
use kith_core::preference::{PersonPreference, SharedWish};
use kith_testkit::postgres::{PostgresSchema, PostgresServer};
use serde_json::json;

use super::book::LeaseTable;
use super::{PartitionLease, PostgresAddress};
use crate::{Store, StoreError};

/// A database of a test's own, which may be divided.
struct LeaseTest {
    server: &'static PostgresServer,
    schema: PostgresSchema,
    address: PostgresAddress,
    count: u16,
}

impl LeaseTest {
    /// None where PostgreSQL is not installed.
    fn new(count: u16) -> Option<Self> {
        let server = PostgresServer::shared()?;
        let schema = server.make_schema();
        let address = schema.url.parse().expect("an address");
        Some(Self {
            server,
            schema,
            address,
            count,
        })
    }

    fn join(&self, name: &str) -> LeaseTable {
        LeaseTable::open_without_grace(&self.address, name, self.count).expect("joined")
    }

    /// A process was silent for so long.
    fn age(&self, name: &str, seconds: u32) {
        self.server.run_sql(&format!(
            "UPDATE \"{}\".lease_process SET renewed_at = renewed_at - interval '{seconds} s' WHERE name = '{name}'",
            self.schema.name
        ));
    }

    fn open(&self, lease: &PartitionLease) -> Result<Store, StoreError> {
        Store::open_server(&self.address.leased(lease))
    }
}

fn held(book: &mut LeaseTable) -> Vec<PartitionLease> {
    book.beat().expect("the server answers").held
}

fn numbers(book: &mut LeaseTable) -> Vec<u16> {
    let held = held(book);
    held.iter().map(|lease| lease.partition.number()).collect()
}

#[test]
fn a_standby_takes_over_what_a_dead_process_held_and_nothing_before() {
    let Some(test) = LeaseTest::new(1) else {
        return;
    };
    let mut first = test.join("first");
    let before = held(&mut first);
    assert_eq!(before.len(), 1);
    let mut second = test.join("second");
    assert!(numbers(&mut second).is_empty());
    // Its session lives, and it speaks every few seconds.
    test.age("first", 12);
    assert!(numbers(&mut second).is_empty());
    assert_eq!(held(&mut first), before);
    drop(first);
    assert!(
        numbers(&mut second).is_empty(),
        "it may open another session"
    );
    test.age("first", 11);
    // The server may notice later that the session is over.
    let after = (0..1_000)
        .map(|_| held(&mut second))
        .find(|held| !held.is_empty())
        .expect("taken over");
    assert!(
        after[0].token > before[0].token,
        "{after:?} after {before:?}"
    );
}

#[test]
fn a_lock_that_somebody_held_too_long_costs_one_renewal_and_not_all_that_follow() {
    let Some(test) = LeaseTest::new(1) else {
        return;
    };
    let mut book = test.join("first");
    let before = held(&mut book);
    let key = format!(
        "hashtext(current_database() || '.' || '{}')",
        test.schema.name
    );
    let locks = [
        format!("SELECT pg_advisory_xact_lock(1265202281, {key})"),
        format!("LOCK TABLE \"{}\".lease_process", test.schema.name),
    ];
    for lock in locks {
        let session = test.server.hold(&lock);
        let error = book.beat().expect_err("somebody has it").to_string();
        assert!(error.contains("55P03"), "{error}");
        drop(session);
        // The server may notice later that the session is over.
        let after = (0..3).find_map(|_| book.beat().ok()).expect("renewed");
        assert_eq!(after.held, before, "{lock}");
    }
}

#[test]
fn who_was_taken_over_stores_nothing_any_more_and_cannot_come_back() {
    let Some(test) = LeaseTest::new(1) else {
        return;
    };
    let (mut frozen, mut other) = (test.join("frozen"), test.join("other"));
    let lease = held(&mut frozen).remove(0);
    let store = test.open(&lease).expect("opened");
    let user = UserId(77);
    let prefer = |store: &Store, wish| store.set_preference(user, wish, 1).wait();
    prefer(&store, PersonPreference::DontRemember).expect("stored");
    test.age("frozen", 16);
    let taken = held(&mut other).remove(0);
    for _ in 0..2 {
        let refused = prefer(&store, PersonPreference::Ignore);
        assert!(
            matches!(refused, Err(StoreError::InUse { .. })),
            "{refused:?}"
        );
    }
    let reopened = test.open(&lease).map(drop);
    assert!(
        matches!(reopened, Err(StoreError::InUse { .. })),
        "{reopened:?}"
    );
    let store = test.open(&taken).expect("opened");
    let wish = store.load_preferences().wait().expect("read").get(user);
    assert_eq!(wish, PersonPreference::DontRemember);
    assert!(held(&mut frozen).is_empty(), "it learns of it");
}

#[test]
fn partitions_are_shared_fairly_as_processes_come_and_go() {
    let Some(test) = LeaseTest::new(4) else {
        return;
    };
    let mut first = test.join("first");
    assert!(
        numbers(&mut first).is_empty(),
        "others may begin at the same time"
    );
    assert_eq!(numbers(&mut first), [0, 1, 2, 3]);
    let mut second = test.join("second");
    assert!(numbers(&mut second).is_empty());
    while let Some(number) = first.beat().expect("told").give_back {
        let given = held(&mut first)
            .into_iter()
            .find(|lease| lease.partition.number() == number);
        first
            .give_back(&given.expect("it is held"))
            .expect("given back");
        held(&mut second);
    }
    assert_eq!(numbers(&mut first), [0, 1]);
    assert_eq!(numbers(&mut second), [2, 3]);
    first.leave().expect("left");
    assert_eq!(numbers(&mut second), [0, 1, 2, 3]);
    let names: Vec<String> = second
        .beat()
        .expect("told")
        .processes
        .into_iter()
        .map(|process| process.name)
        .collect();
    assert_eq!(names, ["second"]);
}

#[test]
fn after_the_servers_start_nobody_counts_as_dead_for_a_while() {
    let Some(mut test) = LeaseTest::new(1) else {
        return;
    };
    let first = {
        let mut first = test.join("first");
        held(&mut first)
    };
    assert_eq!(first.len(), 1);
    test.age("first", 60);
    // When the server was started is asked of a function of this schema, which is looked through first.
    let name = test.schema.name.clone();
    let path = format!("search_path%3D{name},pg_catalog");
    let url = test
        .schema
        .url
        .replace(&format!("search_path%3D{name}"), &path);
    test.address = url.parse().expect("an address");
    let start_server = |ago: &str| {
        test.server.run_sql(&format!(
            "CREATE OR REPLACE FUNCTION {name}.pg_postmaster_start_time() RETURNS timestamptz
                 LANGUAGE sql AS $$ SELECT clock_timestamp() - interval '{ago}' $$"
        ))
    };
    start_server("10 s");
    let mut second = LeaseTable::open(&test.address, "second", 1).expect("joined");
    assert!(numbers(&mut second).is_empty());
    start_server("20 s");
    assert_eq!(numbers(&mut second), [0]);
}

#[test]
fn a_database_is_divided_once_and_only_while_it_is_empty() {
    let Some(test) = LeaseTest::new(4) else {
        return;
    };
    test.join("first");
    let otherwise = LeaseTable::open(&test.address, "second", 2).map(drop);
    let refused = otherwise.expect_err("it has 4").to_string();
    assert!(refused.contains("set store.partitions to 4"), "{refused}");

    let Some(used) = LeaseTest::new(1) else {
        return;
    };
    drop(Store::open_server(&used.address).expect("opened"));
    let divided = LeaseTable::open(&used.address, "first", 4).map(drop);
    assert!(divided.is_err(), "what is in it belongs to all");
    used.join("first");
}

#[test]
fn the_division_is_found_in_a_schema_that_is_called_like_a_partition() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let name = "kith_odd_partition_3";
    let plain = server.make_schema();
    server.run_sql(&format!("CREATE SCHEMA {name}"));
    let schema = PostgresSchema {
        url: plain.url.replace(&plain.name, name),
        name: name.to_owned(),
    };
    let test = LeaseTest {
        server,
        address: schema.url.parse().expect("an address"),
        schema,
        count: 2,
    };
    let mut book = test.join("first");
    for lease in held(&mut book) {
        drop(test.open(&lease).expect("it is held"));
    }
    drop(book);
    for number in 0..2 {
        let whole = Partition::new(number, 2).expect("a partition");
        let thirds = Partition::new(number, 3).expect("a partition");
        let opened =
            |partition| Store::open_server(&test.address.in_partition(partition)).map(drop);
        opened(whole).expect("it is divided so");
        let refused = opened(thirds)
            .expect_err("it is divided otherwise")
            .to_string();
        assert!(refused.contains("set store.partitions to 2"), "{refused}");
    }
}

#[test]
fn starts_of_sessions_are_apart_over_all_processes_and_side_by_side_in_other_groups() {
    let Some(test) = LeaseTest::new(2) else {
        return;
    };
    let (first, second) = (test.join("first"), test.join("second"));
    let apart = Duration::from_secs(5);
    let reserve = |book: &LeaseTable, group| book.reserve_start(group, apart).expect("reserved");
    assert_eq!(reserve(&first, 0), Duration::ZERO);
    assert_eq!(reserve(&second, 1), Duration::ZERO);
    let (next, third) = (reserve(&second, 0), reserve(&first, 0));
    assert!(next > Duration::from_secs(3) && next <= apart, "{next:?}");
    assert!(third > next + Duration::from_secs(3), "{third:?}");
}

#[test]
fn a_start_that_was_made_late_holds_back_the_next_of_its_group_in_every_process() {
    let Some(test) = LeaseTest::new(2) else {
        return;
    };
    let (first, second) = (test.join("first"), test.join("second"));
    let apart = Duration::from_secs(5);
    let claim = |book: &LeaseTable, group, apart| book.claim_start(group, apart).expect("asked");
    first.reserve_start(0, apart).expect("reserved");
    for (book, group) in [(&first, 0), (&second, 1)] {
        assert_eq!(claim(book, group, apart), Duration::ZERO);
    }
    let wait = claim(&second, 0, apart);
    assert!(wait > Duration::from_secs(3) && wait <= apart, "{wait:?}");
    assert_eq!(claim(&second, 0, Duration::ZERO), Duration::ZERO);
    let reserved = second.reserve_start(1, apart).expect("reserved");
    assert!(reserved > Duration::from_secs(3), "{reserved:?}");
}

#[test]
fn of_starts_that_are_claimed_at_once_one_is_made() {
    let Some(test) = LeaseTest::new(2) else {
        return;
    };
    const GROUPS: u16 = 50;
    let books = [test.join("first"), test.join("second")];
    for group in 0..GROUPS {
        let turn = books[0].reserve_start(group, Duration::ZERO);
        turn.expect("reserved");
    }
    let together = Arc::new(Barrier::new(books.len()));
    let processes = books.map(|book| {
        let together = Arc::clone(&together);
        let claim = move |group| {
            together.wait();
            let wait = book.claim_start(group, Duration::from_secs(60));
            wait.expect("asked").is_zero()
        };
        std::thread::spawn(move || (0..GROUPS).map(claim).collect::<Vec<bool>>())
    });
    let [first, second] = processes.map(|process| process.join().expect("claimed"));
    assert!(
        first
            .iter()
            .zip(&second)
            .all(|(first, second)| first != second),
        "{first:?} {second:?}"
    );
}

#[test]
fn partitions_tell_each_other_wishes_spending_and_what_was_asked_of_them() {
    let Some(test) = LeaseTest::new(3) else {
        return;
    };
    let mut book = test.join("all");
    held(&mut book);
    let stores: Vec<Arc<Store>> = held(&mut book)
        .iter()
        .map(|lease| Arc::new(test.open(lease).expect("opened")))
        .collect();
    let user = UserId(77);
    let wish = SharedWish::Treat(PersonPreference::Ignore);
    stores[1].share_wish(user, wish, 5).wait().expect("told");
    let told = |store: &Store| store.load_shared_wishes().wait().expect("read");
    assert_eq!(told(&stores[1]), []);
    for other in [&stores[0], &stores[2]] {
        let wishes = told(other);
        assert_eq!(
            (wishes.len(), wishes[0].user, wishes[0].wish),
            (1, user, wish)
        );
        other
            .settle_shared_wish(wishes[0].number)
            .wait()
            .expect("settled");
        assert_eq!(told(other), []);
    }
    // Who wishes something else meanwhile is not overruled by what was wished before.
    stores[1].share_wish(user, wish, 5).wait().expect("told");
    let newer = stores[0].set_preference(user, PersonPreference::DontRemember, 6);
    newer.wait().expect("kept");
    assert!(told(&stores[0])[0].is_outdated && !told(&stores[2])[0].is_outdated);
    for other in [&stores[0], &stores[2]] {
        let number = told(other)[0].number;
        other.settle_shared_wish(number).wait().expect("settled");
    }
    for _ in 0..2 {
        let forget = stores[1].share_wish(user, SharedWish::Forget, 7);
        forget.wait().expect("told");
    }
    assert_eq!(told(&stores[0]).len(), 1, "it is erased once");
    for other in [&stores[0], &stores[2]] {
        let number = told(other)[0].number;
        other.settle_shared_wish(number).wait().expect("settled");
    }
    let left = format!("SELECT count(*) FROM \"{}\".shared_wish", test.schema.name);
    assert_eq!(test.server.run_sql(&left).trim(), "0");

    let ask = |at| {
        let asked = stores[0].share_interaction(2, json!({ "id": "1" }), at);
        asked.wait().expect("told");
    };
    ask(1_000);
    let take = |store: &Store, after| store.take_shared_interactions(after).wait().expect("read");
    assert!(take(&stores[1], 500).is_empty());
    assert_eq!(take(&stores[2], 500), [json!({ "id": "1" })]);
    assert!(take(&stores[2], 500).is_empty(), "once");
    ask(1_000);
    assert!(
        take(&stores[1], 2_000).is_empty() && take(&stores[2], 500).is_empty(),
        "too old"
    );

    let exchange = |store: &Store| store.share_spending(0).wait().expect("told");
    assert_eq!(exchange(&stores[0]), (0, 0.0));
    let day = format!(
        "UPDATE \"{}\".shared_spending SET tokens = 700, cost = 1.5 WHERE partition = 0",
        test.schema.name
    );
    test.server.run_sql(&day);
    assert_eq!(exchange(&stores[1]), (700, 1.5));
    assert_eq!(
        exchange(&stores[0]),
        (0, 0.0),
        "its own counts for others only"
    );
}
