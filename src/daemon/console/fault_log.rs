//! The newest warnings and errors of the log, kept in memory so that the console can show them. As the log, it holds no
//! secret and nobody's text.

use std::collections::VecDeque;
use std::fmt::{Debug, Write};
use std::sync::{Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::place_names::name_places;
use kith_room::LogFault;
use kith_system::clock;

const KEPT: usize = 200;

static NEWEST: Mutex<VecDeque<LogFault>> = Mutex::new(VecDeque::new());

/// A layer of the log that keeps what went wrong.
#[derive(Clone, Copy, Debug)]
pub struct FaultLog;

impl FaultLog {
    /// What is kept, newest first.
    pub(super) fn newest() -> Vec<LogFault> {
        let kept = NEWEST.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().rev().cloned().collect()
    }
}

impl<S: Subscriber> Layer<S> for FaultLog {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let level = *event.metadata().level();
        if level > Level::WARN {
            return;
        }
        let mut line = LogLine::default();
        event.record(&mut line);
        let fault = LogFault {
            at: clock::now(),
            error: level == Level::ERROR,
            text: name_places(&(line.message + &line.fields)),
        };
        let mut kept = NEWEST.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(fault);
    }
}

/// An event in one line: its message, then its fields as `name=value`.
#[derive(Default)]
struct LogLine {
    message: String,
    fields: String,
}

impl Visit for LogLine {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Writing into a text cannot fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}
