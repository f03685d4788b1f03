//! Fetches pictures and texts that were sent along with messages: only from Discord's own file servers or the base that the settings
//! name, never the token along, never further than the first address, never more than a picture may be.

use std::time::Duration;

use reqwest::{Client, StatusCode, Url};
use tokio::time::timeout;

use super::DiscordSettings;
use super::rest::{RestSettings, build_file_client};
use kith_core::chat::MessagePicture;

const HOSTS: [&str; 2] = ["cdn.discordapp.com", "media.discordapp.net"];
/// What the paths of files that were sent along begin with.
const PATHS: [&str; 2] = ["/attachments/", "/ephemeral-attachments/"];
/// The largest picture that is fetched, in bytes: in base64 it is just below the 5 MiB that Anthropic takes.
const LARGEST: u64 = 3_900_000;
/// How much of a text is fetched, in bytes: some pages, of which a prompt shows what it has room for.
const TEXT_BEGINNING: usize = 8_000;
/// How long one file may take, from connecting to its last byte.
const LONGEST: Duration = Duration::from_secs(8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureError {
    /// It may be there later.
    Temporary,
    /// It is gone, too large, or nothing that is fetched.
    Permanent,
}

pub(super) struct PictureDownloader {
    client: Client,
    /// Scheme, host and port of the configured base.
    base: Option<Url>,
}

impl PictureDownloader {
    /// Nothing is asked yet. The error is a sentence about the setting that is wrong.
    pub fn new(settings: &DiscordSettings) -> Result<Self, String> {
        let rest = RestSettings::new(
            &settings.api_base,
            settings.token.clone(),
            settings.proxy.expose(),
        );
        Ok(Self {
            client: build_file_client(&rest)?,
            base: Url::parse(&rest.base).ok(),
        })
    }

    /// The file of a picture, or the beginning of a text.
    pub async fn fetch(&self, picture: &MessagePicture) -> Result<Vec<u8>, PictureError> {
        let url = self
            .check_url(&picture.url)
            .filter(|_| picture.is_text || picture.bytes <= LARGEST)
            .ok_or(PictureError::Permanent)?;
        timeout(LONGEST, self.download(url, picture.is_text))
            .await
            .unwrap_or(Err(PictureError::Temporary))
    }

    /// Of a text only the beginning.
    async fn download(&self, url: Url, is_text: bool) -> Result<Vec<u8>, PictureError> {
        let mut response = self
            .client
            .get(url)
            .send()
            .await
            .map_err(|_| PictureError::Temporary)?;
        match response.status() {
            StatusCode::OK => {}
            status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                return Err(PictureError::Temporary);
            }
            _ => return Err(PictureError::Permanent),
        }
        let mut file = Vec::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|_| PictureError::Temporary)?
        {
            if is_text && file.len() + chunk.len() >= TEXT_BEGINNING {
                file.extend_from_slice(&chunk[..TEXT_BEGINNING - file.len()]);
                break;
            }
            if (file.len() + chunk.len()) as u64 > LARGEST {
                return Err(PictureError::Permanent);
            }
            file.extend_from_slice(&chunk);
        }
        Ok(file)
    }

    /// The address, where pictures may be fetched from it.
    fn check_url(&self, url: &str) -> Option<Url> {
        let url = Url::parse(url).ok()?;
        let is_discord = url.scheme() == "https"
            && url.port().is_none()
            && url.host_str().is_some_and(|host| HOSTS.contains(&host));
        let is_base = self
            .base
            .as_ref()
            .is_some_and(|base| base.origin() == url.origin());
        let is_file = PATHS.iter().any(|path| url.path().starts_with(path));
        (is_file && (is_discord || is_base)).then_some(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_discord_and_of_the_configured_base_are_fetched() {
        let settings = DiscordSettings {
            api_base: "http://127.0.0.1:8000/api/v10".into(),
            ..DiscordSettings::default()
        };
        let pictures = PictureDownloader::new(&settings).unwrap();
        for good in [
            "https://cdn.discordapp.com/attachments/1/2/a.png?ex=1",
            "https://media.discordapp.net/attachments/1/2/a.png",
            "http://127.0.0.1:8000/attachments/1/2/a.png",
        ] {
            assert!(pictures.check_url(good).is_some(), "{good}");
        }
        for bad in [
            "http://cdn.discordapp.com/attachments/1/2/a.png",
            "https://cdn.discordapp.com:8443/attachments/1/2/a.png",
            "https://cdn.discordapp.com.example.org/attachments/1/2/a.png",
            "https://cdn.discordapp.com@169.254.169.254/attachments/1/2/a.png",
            "http://127.0.0.1:8001/attachments/1/2/a.png",
            "http://127.0.0.1:8000/api/v10/users/@me",
            "http://127.0.0.1:8000/attachments/../api/v10/users/@me",
            "file:///attachments/a.png",
            "a.png",
        ] {
            assert!(pictures.check_url(bad).is_none(), "{bad}");
        }
    }
}
