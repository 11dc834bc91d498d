//! What goes beside the text of an output.

/// A file or an image that a tool gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    pub(super) name: Option<String>,
    pub(super) media_type: String,
    pub(super) data: Vec<u8>,
}

impl Attachment {
    /// The name of the file, where it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The media type, such as `image/png`.
    pub fn media_type(&self) -> &str {
        &self.media_type
    }

    /// The bytes.
    pub fn data(&self) -> &[u8] {
        &self.data
    }
}
