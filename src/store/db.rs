//! A connection and what belongs to it. Runs groups of jobs in one transaction each; knows no queue and no thread.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::error::StoreError;
use crate::leavers::leaving_people::PendingErasure;
use crate::postgres::connection::ConnectionRole;
use crate::postgres::{PostgresAddress, PostgresConnection};
use crate::recent_erasures::RecentErasures;
use crate::sql::{SqlConnection, SqlResult};
use crate::term_counts::TermCounts;
use kith_core::chat::{ChannelId, Millis};
use kith_system::clock;

/// Prepared statements kept by a connection: more than there are in this folder.
const STATEMENTS: usize = 96;

const ATTEMPTS: u32 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Durability {
    /// It outlives a crash of the process (synchronous = NORMAL).
    Process,
    /// It outlives a power cut as well (synchronous = FULL).
    Machine,
}

pub(super) struct Database {
    pub conn: SqlConnection,
    /// For error texts.
    pub path: PathBuf,
    /// The arrival number given last. Written back with each commit.
    pub arrival: u64,
    /// Whether text was erased since the write-ahead log was last emptied.
    pub erased: bool,
    /// The parts whose unused pages may hold text of somebody who is forgotten, so that they have to be written anew.
    pub unwritten: BTreeSet<&'static str>,
    /// What was erased lately and when: a turn that was shown it may be saved after it is gone.
    pub recent_erasures: RecentErasures,
    /// People who are being forgotten or were a moment ago: what is saved late may still tell of them.
    pub leaving_people: Vec<PendingErasure>,
    /// Where and when messages were journaled that were given up for what they repeat, before it was opened.
    pub withdrawn: Vec<(ChannelId, Millis)>,
    pub opened_at: Millis,
    /// Nothing newer than this is refused because its author is forgotten.
    pub forgotten_until: Millis,
    /// Up to this arrival number nothing is left of people who do not want to be remembered.
    pub remembered_until: i64,
    pub term_counts: TermCounts,
    /// Notes that were taken away with a message, until they are taken out of what showed them.
    pub gone_notes: Vec<String>,
    durability: Durability,
}

impl Database {
    pub fn new(conn: SqlConnection, path: PathBuf) -> Self {
        conn.keep_statements(STATEMENTS);
        Self {
            // Nobody knows how the last run ended.
            unwritten: (conn.statements().parts)().into_iter().collect(),
            conn,
            path,
            arrival: 0,
            erased: false,
            recent_erasures: RecentErasures::default(),
            leaving_people: Vec::new(),
            withdrawn: Vec::new(),
            opened_at: clock::now(),
            forgotten_until: Millis::MIN,
            remembered_until: 0,
            term_counts: TermCounts::default(),
            gone_notes: Vec::new(),
            durability: Durability::Process,
        }
    }

    /// For who only reads on a server; it connects when it is used.
    pub fn read_server(address: &PostgresAddress) -> Self {
        let conn = PostgresConnection::new(address, ConnectionRole::Reader);
        Self::new(conn.into(), address.to_shown_path())
    }

    pub fn advance_arrival(&mut self) -> u64 {
        self.arrival += 1;
        self.arrival
    }

    /// Whether somebody is being forgotten, or was a moment ago, whom a text that was begun then may tell of.
    pub fn may_hold_leaver(&self, channel: ChannelId, begun: Millis) -> bool {
        let mut leaving = self.leaving_people.iter();
        leaving.any(|person| person.can_be_in(channel, begun))
    }

    /// Runs `work` in one transaction: all of it is stored, or nothing. Where the link to a server is cut before that,
    /// it is run once more; where nobody knows whether it was stored, it is not.
    pub fn transact(
        &mut self,
        durability: Durability,
        mut work: impl FnMut(&mut Self) -> SqlResult<()>,
    ) -> Result<(), StoreError> {
        let (arrival, erased) = (self.arrival, self.erased);
        let mut attempts = ATTEMPTS;
        loop {
            let Err(error) = self.try_transact(durability, &mut work) else {
                return Ok(());
            };
            self.arrival = arrival;
            if !error.is_in_doubt() {
                self.erased = erased;
            }
            self.conn.rollback();
            attempts -= 1;
            if attempts == 0 || !error.is_link_cut() {
                return Err(StoreError::explain(error, &self.path));
            }
        }
    }

    fn try_transact(
        &mut self,
        durability: Durability,
        work: &mut impl FnMut(&mut Self) -> SqlResult<()>,
    ) -> SqlResult<()> {
        if durability != self.durability {
            self.set_durability(durability)?;
        }
        if let Some(arrival) = self.conn.begin()? {
            self.arrival = arrival;
        }
        let arrival = self.arrival;
        work(self)?;
        self.conn
            .commit((self.arrival != arrival).then_some(self.arrival))
    }

    /// A server has what it acknowledges on its disk; a file is told each time it has to.
    fn set_durability(&mut self, durability: Durability) -> SqlResult<()> {
        if let Some(conn) = self.conn.as_sqlite() {
            conn.execute_batch(match durability {
                Durability::Process => "PRAGMA synchronous = NORMAL",
                Durability::Machine => "PRAGMA synchronous = FULL",
            })?;
        }
        self.durability = durability;
        Ok(())
    }
}
