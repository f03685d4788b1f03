//! What is logged while something is done.

use std::io::Write;
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub fn capture_log<T>(doing: impl FnOnce() -> T) -> (T, String) {
    let said = LogBuffer::default();
    let log = said.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_writer(move || log.clone())
        .finish();
    let done = tracing::subscriber::with_default(subscriber, doing);
    let said = String::from_utf8(said.0.lock().unwrap().clone()).unwrap();
    (done, said)
}
