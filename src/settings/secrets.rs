//! Fetches the secrets from where the settings say they are: the environment, a file of their own, a credential of
//! systemd. Never shows one, and never takes one that was meant for something else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::layers::ProblemList;
use super::problem::SettingProblem;
use super::{SecretSource, Settings, toml_reader};
use kith_core::partition::Partition;
use kith_core::redactor;
use kith_core::redactor::Redactor;
use kith_core::secret::{Secret, is_secret_name};
use kith_core::setting::{
    SettingData, SettingField, SettingRule, SettingShape, SettingType, SettingValue,
};
use kith_model::{ModelSettings, Provider};
use kith_store::{DatabasePlace, MalformedAddress, PostgresAddress};
use kith_tools::ToolSecrets;

/// The variable in which systemd names the folder of a service's credentials.
const CREDENTIALS: &str = "CREDENTIALS_DIRECTORY";

/// Fills in every model's `api_key` from where the settings say it is: the key itself, else the file, else the variable.
/// So a key that was exported for something else never takes the place of one that is named.
pub fn find_keys(
    settings: &mut Settings,
    environment: &BTreeMap<String, String>,
    problems: &mut ProblemList<'_>,
) {
    find_key("model", &mut settings.model, environment, problems);
    for (name, model) in &mut settings.models {
        find_key(&format!("models.{name}"), model, environment, problems);
    }
}

fn find_key(
    path: &str,
    model: &mut ModelSettings,
    environment: &BTreeMap<String, String>,
    problems: &mut ProblemList<'_>,
) {
    if !model.api_key.is_empty() || matches!(model.provider, Provider::Ollama | Provider::None) {
        return;
    }
    if let Some(file) = &model.api_key_file {
        let key = read_named_secret(file, "the key", &format!("{path}.api_key_file"), problems);
        model.api_key = key.unwrap_or_default();
        return;
    }
    if let Some(key) = environment.get(model.key_variable()) {
        model.api_key = Secret::new(key);
    }
    let named =
        !model.api_key_env.is_empty() && model.api_key_env != ModelSettings::default().api_key_env;
    if named && model.api_key.is_empty() {
        let SecretFault { message, cure } = explain_missing_variable(&model.api_key_env);
        problems.error(&format!("{path}.api_key_env"), message, cure);
    }
}

/// Fills in `discord.token`: from the environment, `discord.token_file` or systemd's credential. None: no Discord.
pub fn find_token(
    settings: &mut Settings,
    environment: &BTreeMap<String, String>,
    problems: &mut ProblemList<'_>,
) {
    let variable = Settings::SHAPE
        .find("discord.token")
        .and_then(SettingField::variable);
    let named = variable.and_then(|name| {
        let token = Secret::new(environment.get(name)?);
        (!token.is_empty()).then(|| (name.to_owned(), token))
    });
    let place = "discord.token_file";
    let Some((by, token)) = named.or_else(|| {
        let file = settings.discord.token_file.clone();
        let file = file.or_else(|| find_credential(environment, place))?;
        let token = read_named_secret(&file, "the token", place, problems)?;
        Some((file.display().to_string(), token))
    }) else {
        return;
    };
    if token
        .expose()
        .contains(|c: char| c.is_whitespace() || c.is_control())
    {
        let message = format!("{by}: there is more than a token in it");
        let cure =
            "copy the token alone, from \"Bot\" at https://discord.com/developers/applications";
        return problems.all.push(SettingProblem::error(message, cure));
    }
    settings.discord.token = token;
}

/// Fills in `store.url`: itself, `store.url_file` or systemd's credential. None: the database is a file.
pub fn find_store_address(
    settings: &mut Settings,
    environment: &BTreeMap<String, String>,
    problems: &mut ProblemList<'_>,
) {
    let mut path = "store.url";
    if settings.store.url.is_empty() {
        let file = settings.store.url_file.clone();
        path = "store.url_file";
        let Some(address) = file
            .or_else(|| find_credential(environment, path))
            .and_then(|file| read_named_secret(&file, "the address", path, problems))
        else {
            return;
        };
        settings.store.url = address;
    }
    let url = settings.store.url.expose();
    if let Err(MalformedAddress) = url.parse::<PostgresAddress>() {
        let message = "`store.url` is no address of a PostgreSQL server";
        let cure = "write postgres://HOST/DATABASE, with USER:PASSWORD@ before HOST, or remove it: then the database is a file in data_dir";
        problems.error(path, message, cure);
    }
}

/// The secret in the file that the setting at `path` names, or systemd; tells why there is none.
fn read_named_secret(
    file: &Path,
    what: &str,
    path: &str,
    problems: &mut ProblemList<'_>,
) -> Option<Secret> {
    read_secret(file, what)
        .map_err(|SecretFault { message, cure }| problems.error(path, message, cure))
        .ok()
}

impl Settings {
    pub fn database_place(&self) -> DatabasePlace {
        match self.store.url.expose().parse() {
            Ok(address) => DatabasePlace::Server(Box::new(address)),
            Err(_) => DatabasePlace::File(self.data_dir.join("kith.db")),
        }
    }

    /// Where the database is, or where each of its partitions is.
    pub fn partition_places(&self) -> Vec<DatabasePlace> {
        match self.database_place() {
            DatabasePlace::Server(address) if self.store.partitions > 1 => {
                let count = self.store.partitions;
                (0..count)
                    .filter_map(|number| Partition::new(number, count))
                    .map(|partition| {
                        DatabasePlace::Server(Box::new(address.in_partition(partition)))
                    })
                    .collect()
            }
            place => vec![place],
        }
    }

    /// Everything in the settings that nobody may see. A proxy's address is secret only as far as it holds a password, and
    /// a header where its name says so: what else stands there is said in chats, too.
    pub fn secrets(&self) -> Vec<Secret> {
        let mut all: Vec<Secret> = self.known_secrets.values().cloned().collect();
        for value in self.values() {
            if let SettingData::Secret(secret) = value.data {
                all.extend(find_hidden_parts(&value, secret));
            }
        }
        for one in self.defined.iter() {
            let of_server = one.definition.mcp.iter().flat_map(|mcp| &mcp.headers);
            let of_request = one
                .definition
                .http
                .iter()
                .flat_map(|http| http.headers.iter().chain(&http.query));
            let written = of_server
                .chain(of_request)
                .filter(|(name, text)| is_secret_name(name) && !text.contains("{{"));
            all.extend(written.map(|(_, text)| Secret::new(text)));
        }
        all.retain(|secret| !secret.is_empty());
        all
    }

    pub fn redactor(&self) -> Redactor {
        Redactor::new(&self.secrets())
    }
}

/// What nobody may see of a setting that may hold a secret.
pub fn find_hidden_parts(value: &SettingValue<'_>, secret: &Secret) -> Vec<Secret> {
    let is_hidden = match value.field.shape {
        _ if value.field.has(SettingRule::Address) => return extract_passwords(secret.expose()),
        SettingShape::Named(_) => {
            let name = value.path.rsplit_once(&format!("{}.", value.field.name));
            name.is_some_and(|(_, name)| is_secret_name(name))
        }
        _ => !secret.is_placeholder(),
    };
    is_hidden.then(|| secret.clone()).into_iter().collect()
}

/// What nobody may see of an address: name and password together, and the password.
fn extract_passwords(address: &str) -> Vec<Secret> {
    find_user_info(address)
        .into_iter()
        .chain(find_password(address))
        .map(Secret::new)
        .collect()
}

/// The password in an address: of a proxy, or of a database. There it may also stand among the parameters.
pub fn find_password(address: &str) -> Option<&str> {
    let before_host = find_user_info(address)
        .and_then(|before| before.split_once(':'))
        .map(|(_, password)| password);
    let (_, parameters) = address.split_once('?').unwrap_or_default();
    let among_parameters = || {
        let mut parameters = parameters.split('&');
        parameters.find_map(|parameter| parameter.strip_prefix("password="))
    };
    before_host
        .filter(|password| !password.is_empty())
        .or_else(among_parameters)
        .filter(|password| !password.is_empty())
}

/// What an address holds before its host.
fn find_user_info(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    rest.rsplit_once('@').map(|(before, _)| before)
}

pub fn find_tool_secrets(
    settings: &mut Settings,
    environment: &BTreeMap<String, String>,
    problems: &mut ProblemList<'_>,
) {
    let mut known = ToolSecrets::new();
    for (name, at) in &settings.secrets {
        let found = match at {
            SecretSource::File(file) => read_secret(file, "the secret"),
            SecretSource::Env(variable) => {
                let set = environment
                    .get(variable)
                    .map(Secret::new)
                    .filter(|secret| !secret.is_empty());
                set.ok_or_else(|| explain_missing_variable(variable))
            }
        };
        match found {
            Ok(secret) => {
                if secret.expose().len() < redactor::SHORTEST {
                    let message = format!(
                        "the secret has fewer than {} characters",
                        redactor::SHORTEST
                    );
                    let cure = "it is not taken out of what tools answer, for it would be found everywhere; get a longer one";
                    problems.warn(&format!("secrets.{name}"), message, cure);
                }
                known.insert(name.clone(), secret);
            }
            Err(SecretFault { message, cure }) => {
                problems.error(&format!("secrets.{name}"), message, cure);
            }
        }
    }
    settings.known_secrets = Arc::new(known);
}

/// The credential that systemd has for the setting at `path`.
fn find_credential(environment: &BTreeMap<String, String>, path: &str) -> Option<PathBuf> {
    let name = Settings::SHAPE.find(path)?.credential()?;
    let file = Path::new(environment.get(CREDENTIALS)?).join(name);
    file.exists().then_some(file)
}

struct SecretFault {
    message: String,
    cure: String,
}

/// There is nothing where a variable should be. What is no name of one may be the secret itself.
fn explain_missing_variable(name: &str) -> SecretFault {
    if name.is_empty() || name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        let message = "this is no name of a variable of the environment".to_owned();
        return SecretFault {
            message,
            cure: "write the variable's name; the secret itself has no place here".to_owned(),
        };
    }
    let message = format!("the environment has no variable {name}");
    SecretFault {
        message,
        cure: format!("export {name}=… before you start kith"),
    }
}

/// The secret that is all a file holds; `what` it is, for people.
fn read_secret(file: &Path, what: &str) -> Result<Secret, SecretFault> {
    let problem = match toml_reader::read_text_file(file).map(Secret::new) {
        Ok(secret) if !secret.is_empty() => return Ok(secret),
        Ok(_) => SettingProblem::error("the file is empty", format!("write {what} into it")),
        Err(problem) => problem,
    };
    let message = format!(
        "cannot take {what} from {}: {}",
        file.display(),
        problem.message
    );
    Err(SecretFault {
        message,
        cure: problem.cure,
    })
}
