//! Pictures and texts that people sent along: where they are, the files that were loaded, and what was said of them, by content, so
//! that one that is sent round is loaded and looked at once. In memory only and bounded: no picture and no address of one is
//! ever on disk, and what is deleted or forgotten takes its pictures along.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use kith_core::chat::{ChannelId, MINUTE, Message, MessageId, MessagePicture, Millis, UserId};
use kith_core::context::{PictureContent, ShownPicture};
use kith_discord::PictureError;
use kith_model::ModelImage;
use kith_store::AttachedText;

/// How many messages with pictures are known at once.
const MESSAGES: usize = 1_000;
/// How much of files is kept, in bytes of base64.
const KEPT_BYTES: usize = 24 << 20;
/// After how long a picture is asked for again that could not be loaded or looked at.
const AGAIN: Millis = 5 * MINUTE;

pub(super) type FileHash = [u8; 32];

#[derive(Clone, Debug)]
pub(super) struct LoadedFile {
    hash: FileHash,
    content: FileContent,
}

#[derive(Clone, Debug)]
enum FileContent {
    Image(ModelImage),
    Text(String),
}

impl LoadedFile {
    pub fn of(
        picture: &MessagePicture,
        fetched: Result<Vec<u8>, PictureError>,
    ) -> Result<Self, PictureError> {
        let file = fetched?;
        let content = if picture.is_text {
            // It may be cut off in the middle of a character.
            let text = String::from_utf8_lossy(&file);
            let text = text.trim_end_matches(char::REPLACEMENT_CHARACTER).trim();
            let more = if picture.bytes > file.len() as u64 {
                "…"
            } else {
                ""
            };
            FileContent::Text(format!("{text}{more}"))
        } else {
            let image = ModelImage::from_bytes(&file, picture.pixels);
            FileContent::Image(image.ok_or(PictureError::Permanent)?)
        };
        Ok(Self {
            hash: Sha256::digest(&file).into(),
            content,
        })
    }
}

#[derive(Default)]
pub(super) struct PictureCache {
    sent: BTreeMap<MessageId, PictureMessage>,
    /// By address, without the signature that changes.
    files: HashMap<Arc<str>, File>,
    known: HashMap<FileHash, PictureRecord>,
    uses: u64,
}

struct PictureMessage {
    /// Without its text.
    sent: Message,
    pictures: Vec<MessagePicture>,
}

#[derive(Clone, Copy)]
enum File {
    Loaded(FileHash),
    Lost { again: Option<Millis> },
}

#[derive(Default)]
struct PictureRecord {
    image: Option<ModelImage>,
    description: Option<DescriptionState>,
    used: u64,
}

enum DescriptionState {
    Description(String),
    Unknown { again: Millis },
}

impl PictureCache {
    pub fn add_message(&mut self, message: &Message, pictures: Vec<MessagePicture>) {
        if pictures.is_empty() {
            return;
        }
        self.sent.insert(
            message.id,
            PictureMessage {
                sent: Message {
                    text: "".into(),
                    ..message.clone()
                },
                pictures,
            },
        );
        while self.sent.len() > MESSAGES {
            self.sent.pop_first();
        }
        self.drop_unused();
    }

    /// A message has these pictures now; more than before is not looked at. Answers with the texts that are gone.
    pub fn update_message(
        &mut self,
        message: MessageId,
        pictures: &[MessagePicture],
    ) -> Vec<AttachedText> {
        self.retain(|sent, old| {
            let is_old = |new| strip_signature(new) == strip_signature(old);
            sent.id != message || pictures.iter().any(is_old)
        })
    }

    /// Answers with the texts that are gone.
    pub fn remove_messages(&mut self, messages: &[MessageId]) -> Vec<AttachedText> {
        self.retain(|sent, _| !messages.contains(&sent.id))
    }

    /// Somebody is forgotten, in these channels or everywhere. Answers with the texts that are gone.
    pub fn forget(&mut self, user: UserId, channels: Option<&[ChannelId]>) -> Vec<AttachedText> {
        let is_there = |channel| channels.is_none_or(|channels| channels.contains(&channel));
        self.retain(|sent, _| sent.author.id != user || !is_there(sent.channel))
    }

    /// Keeps these pictures; answers with the texts that nothing brings any more.
    fn retain(&mut self, is_kept: impl Fn(&Message, &MessagePicture) -> bool) -> Vec<AttachedText> {
        let mut gone = Vec::new();
        for PictureMessage { sent, pictures } in self.sent.values_mut() {
            pictures.retain(|picture| {
                let is_kept = is_kept(sent, picture);
                if !is_kept
                    && picture.is_text
                    && let Some(File::Loaded(hash)) = self.files.get(strip_signature(picture))
                    && let Some(DescriptionState::Description(text)) = self
                        .known
                        .get(hash)
                        .and_then(|known| known.description.as_ref())
                {
                    gone.push((*hash, AttachedText::new(sent, text)));
                }
                is_kept
            });
        }
        self.sent.retain(|_, sent| !sent.pictures.is_empty());
        self.drop_unused();
        gone.retain(|(hash, _)| !self.known.contains_key(hash));
        gone.into_iter().map(|(_, text)| text).collect()
    }

    pub fn of(&self, message: MessageId) -> &[MessagePicture] {
        self.sent.get(&message).map_or(&[], |sent| &sent.pictures)
    }

    pub fn is_wanted(&self, picture: &MessagePicture, now: Millis) -> bool {
        match self.files.get(strip_signature(picture)) {
            None => true,
            Some(File::Lost { again }) => again.is_some_and(|again| again <= now),
            Some(File::Loaded(hash)) => self
                .known
                .get(hash)
                .is_none_or(|known| known.image.is_none() && !picture.is_text),
        }
    }

    /// A picture of a message was fetched; meanwhile the message may be gone.
    pub fn fetched(
        &mut self,
        message: MessageId,
        picture: &MessagePicture,
        loaded: Result<LoadedFile, PictureError>,
        now: Millis,
    ) {
        if !self.of(message).contains(picture) {
            return;
        }
        let file = match loaded {
            Ok(LoadedFile { hash, content }) => {
                self.uses += 1;
                let known = self.known.entry(hash).or_default();
                known.used = self.uses;
                match content {
                    FileContent::Image(image) => known.image = Some(image),
                    FileContent::Text(text) => {
                        known.description = Some(DescriptionState::Description(text));
                    }
                }
                File::Loaded(hash)
            }
            Err(PictureError::Temporary) => File::Lost {
                again: Some(now + AGAIN),
            },
            Err(PictureError::Permanent) => File::Lost { again: None },
        };
        self.files.insert(strip_signature(picture).into(), file);
        self.evict_old_files();
    }

    /// The file of a picture, where it is loaded.
    pub fn loaded(&mut self, picture: &MessagePicture) -> Option<(FileHash, ModelImage)> {
        let File::Loaded(hash) = *self.files.get(strip_signature(picture))? else {
            return None;
        };
        self.uses += 1;
        let known = self.known.get_mut(&hash)?;
        known.used = self.uses;
        Some((hash, known.image.clone()?))
    }

    /// Whether nobody has said yet what a file shows.
    pub fn is_undescribed(&self, hash: &FileHash, now: Millis) -> bool {
        match self
            .known
            .get(hash)
            .and_then(|known| known.description.as_ref())
        {
            None => true,
            Some(DescriptionState::Description(_)) => false,
            Some(DescriptionState::Unknown { again }) => *again <= now,
        }
    }

    /// What a file shows; none where nobody could say. It may be gone by now.
    pub fn record_description(&mut self, hash: &FileHash, shows: Option<String>, now: Millis) {
        if let Some(known) = self.known.get_mut(hash) {
            known.description = Some(shows.map_or(
                DescriptionState::Unknown { again: now + AGAIN },
                DescriptionState::Description,
            ));
        }
    }

    pub fn shown_pictures(&self, message: MessageId) -> impl Iterator<Item = ShownPicture> {
        let describe_picture =
            |picture: &MessagePicture| match self.files.get(strip_signature(picture))? {
                File::Lost { .. } => Some(PictureContent::Lost),
                File::Loaded(hash) => match self.known.get(hash)?.description.as_ref()? {
                    DescriptionState::Description(what) => {
                        Some(PictureContent::Description(what.clone()))
                    }
                    DescriptionState::Unknown { .. } => None,
                },
            };
        let pictured = move |picture: &MessagePicture| {
            Some(ShownPicture {
                message,
                name: picture.name.to_string(),
                content: describe_picture(picture)?,
            })
        };
        self.of(message).iter().filter_map(pictured)
    }

    /// Forgets what no message has any more.
    fn drop_unused(&mut self) {
        let Self {
            sent, files, known, ..
        } = self;
        if files.is_empty() {
            return;
        }
        files.retain(|file, _| {
            sent.values()
                .flat_map(|sent| &sent.pictures)
                .any(|picture| strip_signature(picture) == &**file)
        });
        known.retain(|hash, _| {
            files
                .values()
                .any(|file| matches!(file, File::Loaded(is) if is == hash))
        });
    }

    /// The files used longest ago go first; what was said of them stays.
    fn evict_old_files(&mut self) {
        let size =
            |known: &PictureRecord| known.image.as_ref().map_or(0, |image| image.data().len());
        let mut all: usize = self.known.values().map(size).sum();
        while all > KEPT_BYTES {
            let loaded = self
                .known
                .values_mut()
                .filter(|known| known.image.is_some());
            let Some(oldest) = loaded.min_by_key(|known| known.used) else {
                return;
            };
            all -= size(oldest);
            oldest.image = None;
        }
    }
}

/// An address without its signature: that is another each time Discord tells it.
fn strip_signature(picture: &MessagePicture) -> &str {
    picture.url.split('?').next().unwrap_or_default()
}
