//! One link to a server: a session, and the runtime that drives it on the thread it belongs to.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::error::{Severity, SqlState};
use tokio_postgres::{AsyncMessage, Client, Connection, NoTls, Statement};

use super::address::PostgresAddress;
use super::tls::PostgresTls;
use super::translate::translate;
use super::values::is_bindable;
use crate::sql_error::{PostgresError, PostgresFault};

impl From<tokio_postgres::Error> for PostgresError {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(told) = error.as_db_error() else {
            let is_value = std::error::Error::source(&error)
                .is_some_and(|source| source.is::<super::values::UnfitValue>());
            let kind = if is_value {
                PostgresFault::Refused
            } else {
                PostgresFault::Unreachable
            };
            return Self::new(kind, describe(&error));
        };
        let kind = classify(told.code(), told.parsed_severity());
        // Without its detail, which repeats values.
        Self::new(kind, format!("{} ({})", told.message(), told.code().code()))
    }
}

fn classify(code: &SqlState, severity: Option<Severity>) -> PostgresFault {
    let ends_session = matches!(severity, Some(Severity::Fatal | Severity::Panic));
    match code.code().get(..2).unwrap_or_default() {
        // Whoever may not come in, or names no database, will not be let in the next time either.
        "28" | "3D" => PostgresFault::Refused,
        _ if ends_session => PostgresFault::Unreachable,
        // Connection exceptions; shut down, crashed, starting up.
        "08" | "57" if *code != SqlState::QUERY_CANCELED => PostgresFault::Unreachable,
        "25" if *code == SqlState::READ_ONLY_SQL_TRANSACTION => PostgresFault::ReadOnly,
        "55" if *code == SqlState::LOCK_NOT_AVAILABLE => PostgresFault::Locked,
        "53" if *code == SqlState::DISK_FULL => PostgresFault::DiskFull,
        "XX" if *code != SqlState::INTERNAL_ERROR => PostgresFault::Damaged,
        _ => PostgresFault::Refused,
    }
}

fn describe(error: &tokio_postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

pub(super) type LinkResult<T> = Result<T, PostgresError>;

/// Details of what a server tells unasked.
type Notices = Arc<Mutex<Vec<String>>>;

/// Moves what is sent and answered, and keeps what a statement was asked to tell of itself.
async fn drive<S, T>(mut link: Connection<S, T>, notices: Notices)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    // An error ends the link, and whoever waits for an answer is told.
    while let Some(Ok(told)) = poll_fn(|context| link.poll_message(context)).await {
        if let AsyncMessage::Notice(notice) = told
            && notice.parsed_severity() == Some(Severity::Info)
            && let Some(detail) = notice.detail()
        {
            let mut notices = notices.lock().unwrap_or_else(PoisonError::into_inner);
            notices.push(detail.to_owned());
        }
    }
}

/// Waits for an answer; what does not come in time counts as lost with the link.
async fn wait_within<T>(
    patience: Option<Duration>,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> LinkResult<T> {
    let Some(patience) = patience else {
        return Ok(answer.await?);
    };
    match timeout(patience, answer).await {
        Ok(answer) => Ok(answer?),
        Err(late) => Err(PostgresError::new(
            PostgresFault::Unreachable,
            late.to_string(),
        )),
    }
}

#[derive(Clone)]
pub(super) struct PreparedStatement {
    pub statement: Statement,
    /// As the server was told it.
    pub words: Arc<str>,
}

pub(super) struct Link {
    runtime: Runtime,
    pub client: Client,
    notices: Notices,
    /// How long it may take until the server answers; none where forgetting somebody may take what it takes.
    patience: Option<Duration>,
    /// Whether the server said that it ends the session: the link itself may notice later.
    is_cut: Cell<bool>,
    #[cfg(test)]
    pub trips: Cell<u32>,
    statements: RefCell<HashMap<String, PreparedStatement>>,
}

impl Link {
    /// Opens a session, in which an answer is waited for so long. Not for async code: the thread waits for it.
    pub fn open(address: &PostgresAddress, patience: Option<Duration>) -> LinkResult<Self> {
        let unreachable = |error: std::io::Error| {
            PostgresError::new(PostgresFault::Unreachable, error.to_string())
        };
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(unreachable)?;
        let notices = Notices::default();
        let client = runtime.block_on(wait_within(patience, async {
            if address.wants_tls() {
                let (client, link) = address.config().connect(PostgresTls::new()).await?;
                tokio::spawn(drive(link, notices.clone()));
                return Ok(client);
            }
            let (client, link) = address.config().connect(NoTls).await?;
            tokio::spawn(drive(link, notices.clone()));
            Ok::<_, tokio_postgres::Error>(client)
        }))?;
        let link = Self {
            runtime,
            client,
            notices,
            patience,
            is_cut: Cell::default(),
            #[cfg(test)]
            trips: Cell::default(),
            statements: RefCell::default(),
        };
        if let Some(choose) = address.choose_schema() {
            link.wait(link.client.batch_execute(&choose))?;
        }
        Ok(link)
    }

    /// The details of what the server told since they were taken last.
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn wait<T>(
        &self,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> LinkResult<T> {
        #[cfg(test)]
        self.trips.set(self.trips.get() + 1);
        let answer = self.runtime.block_on(wait_within(self.patience, answer));
        if answer.as_ref().is_err_and(PostgresError::is_link_cut) {
            self.is_cut.set(true);
        }
        answer
    }

    pub fn prepare(&self, sql: &str) -> LinkResult<PreparedStatement> {
        if let Some(known) = self.statements.borrow().get(sql) {
            return Ok(known.clone());
        }
        let words = translate(sql);
        let statement = self.wait(self.client.prepare(&words))?;
        debug_assert!(
            statement.params().iter().all(is_bindable),
            "{sql} takes {:?}",
            statement.params()
        );
        let prepared = PreparedStatement {
            statement,
            words: words.into(),
        };
        self.statements
            .borrow_mut()
            .insert(sql.to_owned(), prepared.clone());
        Ok(prepared)
    }

    pub fn is_open(&self) -> bool {
        !self.is_cut.get() && !self.client.is_closed()
    }
}

#[cfg(test)]
#[path = "../tests/server_faults.rs"]
mod tests;
