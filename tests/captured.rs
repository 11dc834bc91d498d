//! What goes to the log, kept in memory.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// The log of this thread from now until it is dropped.
pub(crate) struct Captured {
    text: Arc<Mutex<Vec<u8>>>,
    _guard: tracing::subscriber::DefaultGuard,
}

#[derive(Clone)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Captured {
    pub(crate) fn start() -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let sink = Sink(Arc::clone(&text));
        let subscriber =
            tracing_subscriber::fmt().with_ansi(false).without_time().with_writer(move || sink.clone()).finish();
        Self { text, _guard: tracing::subscriber::set_default(subscriber) }
    }

    /// To be called once the lines in question were reached: another thread may have come upon one of them for the first
    /// time just as this log was started, and have noted that nobody listens.
    pub(crate) fn hears_all() {
        tracing::callsite::rebuild_interest_cache();
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.text.lock().unwrap().clone()).unwrap()
    }
}
