//! Outgoing mail, really written: one file for each message, in a folder that can be looked at afterwards.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{FileTransport, Message, Transport};
use serde::Serialize;

const SENDER: &str = "Order desk <desk@example.com>";
/// Mail to this domain is taken, and the relay's word that it was taken never comes. What a tool then knows is that it
/// does not know: the one case in which sending again would send twice.
const SILENT_DOMAIN: &str = "silent.example";

#[derive(Debug, thiserror::Error)]
pub(crate) enum SendError {
    #[error("`{0}` is not an e-mail address")]
    Address(String),
    #[error("the message cannot be put together: {0}")]
    Message(#[from] lettre::error::Error),
    #[error("the message was not written")]
    Write(#[from] lettre::transport::file::Error),
}

/// A message that was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct SentMail {
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) file: String,
}

pub(crate) struct Outbox {
    folder: PathBuf,
    transport: FileTransport,
    sent: Mutex<Vec<SentMail>>,
}

impl Outbox {
    /// Opens the folder and makes it where it is missing.
    pub(crate) fn open(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot open the outbox {}: {error}", folder.display()))
        })?;
        Ok(Self { transport: FileTransport::new(&folder), sent: Mutex::default(), folder })
    }

    /// A folder of its own under the system's temporary one.
    pub(crate) fn temporary() -> PathBuf {
        let started = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        std::env::temp_dir().join(format!("order-desk-{}-{}", started.as_secs(), std::process::id()))
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes the message. It blocks for as long as the file system takes.
    pub(crate) fn write(&self, to: &str, subject: &str, body: &str) -> Result<SentMail, SendError> {
        let address = |text: &str| text.parse::<Mailbox>().map_err(|_| SendError::Address(text.to_owned()));
        let message = Message::builder()
            .from(address(SENDER)?)
            .to(address(to)?)
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(body.to_owned())?;
        let id = self.transport.send(&message)?;
        let mail = SentMail { to: to.to_owned(), subject: subject.to_owned(), file: format!("{id}.eml") };
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).push(mail.clone());
        Ok(mail)
    }

    /// Writes the message and waits for the relay to confirm it, which it does not do for `silent.example`.
    pub(crate) async fn send(&self, to: &str, subject: &str, body: &str) -> Result<SentMail, SendError> {
        let mail = self.write(to, subject, body)?;
        if to.trim_end_matches('>').ends_with(&format!("@{SILENT_DOMAIN}")) {
            std::future::pending::<()>().await;
        }
        Ok(mail)
    }

    /// Every message that was written in this run, in order.
    pub(crate) fn sent(&self) -> Vec<SentMail> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    use super::*;

    /// A folder under the system's temporary one that is removed with the test.
    pub(crate) struct Folder(PathBuf);

    impl Folder {
        pub(crate) fn new() -> Self {
            static NEXT: AtomicU32 = AtomicU32::new(0);
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("order-desk-test-{}-{number}", std::process::id()));
            fs::create_dir_all(&path).expect("a folder under the system's temporary one");
            Self(path)
        }

        pub(crate) fn path(&self) -> &Path {
            &self.0
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn files(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    #[tokio::test]
    async fn a_message_is_one_file() {
        let folder = Folder::new();
        let outbox = Outbox::open(folder.path().join("new")).expect("a folder");
        let mail = outbox.send("Li Ting <li.ting@example.com>", "您的订单", "已更改。").await.expect("sent");
        assert_eq!(files(outbox.folder()), [mail.file.as_str()]);
        assert_eq!(outbox.sent(), std::slice::from_ref(&mail));
        let text = fs::read_to_string(outbox.folder().join(&mail.file)).expect("the message");
        assert!(text.contains("li.ting@example.com") && text.contains("desk@example.com"), "{text}");
    }

    #[tokio::test]
    async fn a_bad_address_or_a_header_in_the_subject_writes_nothing_harmful() {
        let folder = Folder::new();
        let outbox = Outbox::open(folder.path().to_owned()).expect("a folder");
        for address in ["", "nobody", "a@b@c", "a@example.com\r\nBcc: b@example.com"] {
            assert!(matches!(outbox.send(address, "s", "b").await, Err(SendError::Address(_))), "{address}");
        }
        assert!(files(outbox.folder()).is_empty());
        let mail = outbox.send("a@example.com", "s\r\nBcc: b@example.com", "b").await.expect("sent");
        let text = fs::read_to_string(outbox.folder().join(&mail.file)).expect("the message");
        assert!(!text.lines().any(|line| line.starts_with("Bcc")), "{text}");
    }

    #[tokio::test]
    async fn a_silent_relay_has_taken_the_message() {
        let folder = Folder::new();
        let outbox = Outbox::open(folder.path().to_owned()).expect("a folder");
        let sending = outbox.send("a@silent.example", "s", "b");
        assert!(tokio::time::timeout(Duration::from_millis(20), sending).await.is_err());
        assert_eq!((files(outbox.folder()).len(), outbox.sent().len()), (1, 1));
    }
}
