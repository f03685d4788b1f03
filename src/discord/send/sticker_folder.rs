//! The pictures the host has put into a folder, to be sent like stickers. A picture's name is its file's name without the
//! ending. Nothing the model writes becomes part of a path: names are compared with what is there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::attachment::PictureUpload;

const ENDINGS: [&str; 5] = ["png", "jpg", "jpeg", "gif", "webp"];
/// The largest file that is sent, in bytes: Discord takes 10 MiB.
pub const LARGEST: u64 = 8 << 20;
/// The most pictures of a folder that are looked at.
const MOST: usize = 500;

/// A folder of pictures. Read anew each time, so that what is put there can be sent at once.
#[derive(Clone, Debug)]
pub struct StickerFolder(Arc<Path>);

impl StickerFolder {
    /// The pictures of a folder, which need not be there.
    pub fn new(folder: &Path) -> Self {
        Self(folder.into())
    }

    /// The names of all pictures, sorted.
    pub async fn list_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .list_files()
            .await
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The picture of this name, whatever its case; none where there is none that can be sent.
    pub async fn find(&self, name: &str) -> Option<PictureUpload> {
        let wanted = name.trim().to_lowercase();
        let (caption, path) = self
            .list_files()
            .await
            .into_iter()
            .find(|(known, _)| known.to_lowercase() == wanted)?;
        let ending = path.extension()?.to_str()?.to_lowercase();
        // A pipe would keep its reader waiting.
        let about = tokio::fs::metadata(&path)
            .await
            .ok()
            .filter(std::fs::Metadata::is_file)?;
        if about.len() > LARGEST {
            tracing::warn!(file = %path.display(), "too large to be sent");
            return None;
        }
        let bytes = tokio::fs::read(&path).await.ok()?;
        Some(PictureUpload {
            file: format!("sticker.{ending}"),
            caption,
            bytes: bytes.into(),
        })
    }

    async fn list_files(&self) -> Vec<(String, PathBuf)> {
        let mut files = Vec::new();
        let Ok(mut folder) = tokio::fs::read_dir(&self.0).await else {
            return files;
        };
        while let Ok(Some(entry)) = folder.next_entry().await {
            let path = entry.path();
            let ending = path
                .extension()
                .and_then(|ending| ending.to_str())
                .unwrap_or_default()
                .to_lowercase();
            let name = path
                .file_stem()
                .and_then(|name| name.to_str())
                .filter(|name| !name.starts_with('.'));
            if let Some(name) = name.filter(|_| ENDINGS.contains(&&*ending))
                && files.len() < MOST
            {
                files.push((name.to_owned(), path.clone()));
            }
        }
        files
    }
}
