//! What was answered so far, how it stands in `kith.toml`, and the files it is written to. Secrets go into files of
//! their own that nobody else can read; nothing that is there is lost.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use crate::settings::{self, KEY_FILE, LoadOptions, Settings, write_secret};
use kith_core::persona::Language;
use kith_core::secret::Secret;
use kith_language::{LocalizedMessage, setup};
use kith_model::Provider;

/// The file the token is written to, beside the settings.
pub const TOKEN_FILE: &str = "discord.token";

#[derive(Clone, Debug, Default, PartialEq)]
pub enum SecretLocation {
    /// There is none, or the environment holds it: nothing is written.
    #[default]
    Elsewhere,
    /// In this file, by its path from the working directory.
    File(PathBuf),
    Typed(Secret),
}

#[derive(Clone, Debug, PartialEq)]
pub struct SetupModel {
    pub provider: Provider,
    pub base_url: String,
    pub name: String,
    pub key: SecretLocation,
}

/// All answers; what is none stays as it is by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SetupDraft {
    /// The folder of the settings file: paths in it start there.
    pub folder: PathBuf,
    pub language: Option<Language>,
    pub persona: Option<PathBuf>,
    pub model: Option<SetupModel>,
    pub token: SecretLocation,
    pub log_channel: Option<u64>,
}

impl SetupDraft {
    pub fn new(config: &Path) -> Self {
        Self {
            folder: config.parent().unwrap_or(Path::new("")).to_owned(),
            ..Self::default()
        }
    }

    /// What these answers come to together with the environment. The errors are all problems.
    pub fn load_settings(
        &self,
        environment: &BTreeMap<String, String>,
    ) -> anyhow::Result<Settings> {
        let mut environment = environment.clone();
        let mut flags = Vec::new();
        let text = |path: &Path| path.to_string_lossy().into_owned();
        if let Some(language) = self.language {
            flags.push(("--language", "language", language.code().to_owned()));
        }
        if let Some(persona) = &self.persona {
            flags.push(("--persona", "persona", text(persona)));
        }
        if let Some(model) = &self.model {
            flags.push(("--model-url", "model.base_url", model.base_url.clone()));
            flags.push(("--model", "model.name", model.name.clone()));
            flags.push(("--model", "model.provider", provider_name(model.provider)));
            match &model.key {
                SecretLocation::Elsewhere => {}
                SecretLocation::File(file) => {
                    flags.push(("--model-key-file", "model.api_key_file", text(file)))
                }
                SecretLocation::Typed(key) => {
                    flags.push(("the key", "model.api_key", key.expose().to_owned()))
                }
            }
        }
        match &self.token {
            SecretLocation::Elsewhere => {}
            SecretLocation::File(file) => {
                flags.push(("--discord-token-file", "discord.token_file", text(file)))
            }
            // No setting holds it.
            SecretLocation::Typed(token) => {
                drop(environment.insert("DISCORD_TOKEN".into(), token.expose().to_owned()))
            }
        }
        let options = LoadOptions {
            config: None,
            environment,
            flags,
        };
        settings::load_without_file(&options).map_err(|problems| {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            anyhow!(lines.join("\n"))
        })
    }

    /// Writes all, and answers with the files written. An existing settings file is put aside. Errors name the file.
    pub fn write(&self, config: &Path, language: Language) -> anyhow::Result<Vec<PathBuf>> {
        let show = |path: &Path| path.display().to_string();
        let say = |message: LocalizedMessage| message.in_language(language);
        let mut written = Vec::new();
        if !self.folder.as_os_str().is_empty() {
            fs::create_dir_all(&self.folder)
                .with_context(|| say(setup::folder_unmakeable(show(&self.folder))))?;
        }
        for (held, name) in [(&self.token, TOKEN_FILE), (self.key(), KEY_FILE)] {
            if let SecretLocation::Typed(secret) = held {
                let file = self.folder.join(name);
                write_secret(&file, secret).with_context(|| say(setup::unwritable(show(&file))))?;
                written.push(file);
            }
        }
        if config.exists() {
            let backup = find_backup_path(config);
            fs::rename(config, &backup).with_context(|| say(setup::not_put_aside(show(config))))?;
            written.push(backup);
        }
        fs::write(config, self.to_toml(language))
            .with_context(|| say(setup::unwritable(show(config))))?;
        written.push(config.to_owned());
        Ok(written)
    }

    fn key(&self) -> &SecretLocation {
        self.model
            .as_ref()
            .map_or(&SecretLocation::Elsewhere, |model| &model.key)
    }

    /// The settings file: what differs from the defaults, each with a word on it.
    fn to_toml(&self, language: Language) -> String {
        let head = setup::comment_head().in_language(language);
        let mut lines: Vec<String> = head.lines().map(|line| format!("# {line}")).collect();
        let mut set = |comment: Option<LocalizedMessage>, name: &str, value: String| {
            lines.push(String::new());
            lines.extend(comment.map(|comment| format!("# {}", comment.in_language(language))));
            lines.push(if value.is_empty() {
                name.to_owned()
            } else {
                format!("{name} = {value}")
            });
        };
        if let Some(language) = self.language {
            set(
                Some(setup::comment_language()),
                "language",
                quote_toml(language.code()),
            );
        }
        if let Some(persona) = &self.persona {
            set(
                Some(setup::comment_persona()),
                "persona",
                self.format_path(persona),
            );
        }
        if let Some(file) = self.resolve_secret_file(&self.token, TOKEN_FILE) {
            set(None, "[discord]", String::new());
            set(
                Some(setup::comment_token()),
                "token_file",
                self.format_path(&file),
            );
        }
        if let Some(channel) = self.log_channel {
            set(None, "[discord.log]", String::new());
            set(
                Some(setup::comment_log_channel()),
                "channel",
                quote_toml(&channel.to_string()),
            );
        }
        if let Some(model) = &self.model {
            set(None, "[model]", String::new());
            set(None, "provider", quote_toml(&provider_name(model.provider)));
            if !model.base_url.is_empty() {
                set(None, "base_url", quote_toml(&model.base_url));
            }
            let comment = Some(setup::comment_model());
            set(comment, "name", quote_toml(&model.name));
            if let Some(file) = self.resolve_secret_file(&model.key, KEY_FILE) {
                set(
                    Some(setup::comment_key()),
                    "api_key_file",
                    self.format_path(&file),
                );
            }
        }
        lines.join("\n") + "\n"
    }

    fn resolve_secret_file(&self, secret: &SecretLocation, name: &str) -> Option<PathBuf> {
        match secret {
            SecretLocation::Elsewhere => None,
            SecretLocation::File(file) => Some(file.clone()),
            SecretLocation::Typed(_) => Some(self.folder.join(name)),
        }
    }

    /// A path from the working directory as the settings file must write it.
    fn format_path(&self, path: &Path) -> String {
        let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = if self.folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &self.folder
        };
        let (whole, folder) = (whole(path), whole(folder));
        quote_toml(
            &whole
                .strip_prefix(folder)
                .unwrap_or(&whole)
                .to_string_lossy(),
        )
    }
}

/// How the settings spell it.
fn provider_name(provider: Provider) -> String {
    let spelled = toml::Value::try_from(provider);
    spelled.map_or_else(
        |_| String::new(),
        |name| name.as_str().unwrap_or_default().to_owned(),
    )
}

fn quote_toml(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Where a settings file is put aside: beside it, under a name that is free.
pub fn find_backup_path(config: &Path) -> PathBuf {
    let named = |end: String| {
        let mut name = config.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    let first = named(".old".into());
    if !first.exists() {
        return first;
    }
    (2..)
        .map(|number| named(format!(".old{number}")))
        .find(|path| !path.exists())
        .unwrap_or(first)
}
