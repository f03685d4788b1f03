//! The model: where it is, with which key, which of those offered; and whether it answers a real short call.

use anyhow::bail;
use kith_language::setup;

use super::draft::{SecretLocation, SetupModel};
use super::terminal_input::DefaultAnswer;
use super::{Setup, SetupArgs};
use crate::cli::check::describe_model_test;
use crate::cli::print_line;
use kith_model::{
    BudgetSettings, CallLedger, ModelSettings, Provider, ServerOffer, list_models, test_model,
};

/// How many models are listed; the others can be named.
const MODELS_SHOWN: usize = 20;
/// What a key without an address is for.
const OPENAI: &str = "https://api.openai.com/v1";
const NO_MODEL: &str = "-";

/// What the flags answered; each counts once.
struct SetupFlags {
    url: Option<String>,
    name: Option<String>,
    key: SecretLocation,
}

impl Setup {
    /// Asks until a model answers, or until the person wants none.
    pub(super) fn ask_model(&mut self, args: &SetupArgs) -> anyhow::Result<()> {
        if args.no_model {
            return Ok(());
        }
        let key = args
            .model_key_file
            .clone()
            .map_or(SecretLocation::Elsewhere, SecretLocation::File);
        let mut given = SetupFlags {
            url: args.model_url.clone(),
            name: args.model.clone(),
            key,
        };
        loop {
            let Some(asked) = self.ask_address_and_key(&mut given)? else {
                self.print_localized(setup::without_model());
                return Ok(());
            };
            self.draft.model = Some(asked);
            if self.choose_model(given.name.take())? {
                return Ok(());
            }
            self.draft.model = None;
        }
    }

    /// Address and key; none where no model is wanted.
    fn ask_address_and_key(
        &mut self,
        given: &mut SetupFlags,
    ) -> anyhow::Result<Option<SetupModel>> {
        let by_default = self.load_settings()?.model;
        let has_key = !by_default.api_key.is_empty();
        let url = match given.url.take() {
            Some(url) => url,
            None => self.ask_address(&by_default, given)?,
        };
        if url == NO_MODEL {
            return Ok(None);
        }
        let answer = SetupModel {
            provider: Provider::Auto,
            base_url: url,
            name: String::new(),
            key: SecretLocation::Elsewhere,
        };
        let means_ollama = |answer: &SetupModel| {
            let settings = ModelSettings {
                base_url: answer.base_url.clone(),
                ..ModelSettings::default()
            };
            matches!(
                settings.resolve_provider(),
                Provider::Ollama | Provider::Auto
            )
        };
        let key = match std::mem::take(&mut given.key) {
            SecretLocation::Elsewhere if means_ollama(&answer) => SecretLocation::Elsewhere,
            SecretLocation::Elsewhere => {
                let question = if has_key {
                    let variable = by_default.api_key_env;
                    setup::key_or_variable(variable).in_language(self.language)
                } else {
                    setup::key_prompt().in_language(self.language)
                };
                let key = self.terminal.secret(&question)?;
                if key.is_empty() {
                    SecretLocation::Elsewhere
                } else {
                    SecretLocation::Typed(key)
                }
            }
            file => file,
        };
        Ok(Some(SetupModel { key, ..answer }))
    }

    /// Where the model is. Who names a model instead means one at the address that is proposed.
    fn ask_address(
        &mut self,
        by_default: &ModelSettings,
        given: &mut SetupFlags,
    ) -> anyhow::Result<String> {
        let proposed = self.propose_address(by_default);
        loop {
            let question = setup::where_is_model(NO_MODEL, &proposed).in_language(self.language);
            let answer = self.terminal.ask_line(&question)?;
            if answer.is_empty() {
                return Ok(proposed);
            }
            if answer == NO_MODEL || is_address(&answer) {
                return Ok(answer);
            }
            let is_known = proposed != NO_MODEL;
            let told = if is_known {
                setup::model_named(&answer, &proposed)
            } else {
                setup::model_needs_address(&answer)
            };
            self.print_localized(told);
            given.name = Some(answer);
            if is_known {
                return Ok(proposed);
            }
        }
    }

    /// What Enter means: what the environment names, else an Ollama that answers, else none.
    fn propose_address(&self, by_default: &ModelSettings) -> String {
        match by_default.base_url.as_str() {
            "" if !by_default.api_key.is_empty() => OPENAI.to_owned(),
            "" => {
                let looking = setup::looking_for_ollama().in_language(self.language);
                let found = self.wait(&looking, list_models(by_default));
                found
                    .ok()
                    .filter(|offer| !offer.models.is_empty())
                    .map_or(NO_MODEL.to_owned(), |offer| offer.base_url)
            }
            set => set.to_owned(),
        }
    }

    /// Which of the models there, and whether it answers; false where the person wants to start over.
    fn choose_model(&mut self, named: Option<String>) -> anyhow::Result<bool> {
        let settings = self.load_settings()?.model;
        let listed = self.wait(
            &setup::asking_for_models().in_language(self.language),
            list_models(&settings),
        );
        let name = match (&listed, named) {
            (_, Some(name)) => name,
            (Ok(offer), None) if offer.models.is_empty() && self.terminal.is_interactive() => {
                print_line(setup::no_model_there().in_language(self.language));
                return Ok(false);
            }
            (Ok(offer), None) => self.ask_model_name(offer)?,
            (Err(failure), None) if !self.terminal.is_interactive() => {
                bail!(failure.describe(self.language))
            }
            (Err(failure), None) => {
                print_line(failure.describe(self.language));
                let question = setup::model_name_prompt().in_language(self.language);
                let name = self.terminal.ask_line(&question)?;
                if name.is_empty() {
                    return Ok(false);
                }
                name
            }
        };
        if let Some(model) = &mut self.draft.model {
            model.name = name;
            match listed {
                Ok(ServerOffer {
                    provider, base_url, ..
                }) => (model.provider, model.base_url) = (provider, base_url),
                Err(_) => model.provider = settings.resolve_provider(),
            }
        }
        let settings = self.load_settings()?.model;
        let asking = setup::asking_model().in_language(self.language);
        let ledger = CallLedger::in_memory(BudgetSettings::default());
        match self.wait(&asking, test_model(&settings, &ledger)) {
            Ok(tested) => {
                self.print_localized(describe_model_test(tested));
                Ok(true)
            }
            Err(failure) if self.terminal.is_interactive() => {
                print_line(failure.describe(self.language));
                let question = setup::try_another().in_language(self.language);
                if self.terminal.ask_yes_no(&question, DefaultAnswer::Yes)? {
                    return Ok(false);
                }
                // Who says no keeps it: the server may be down just now.
                self.obstacles.push(failure.describe(self.language));
                Ok(true)
            }
            Err(failure) => bail!(failure.describe(self.language)),
        }
    }

    fn ask_model_name(&mut self, offer: &ServerOffer) -> anyhow::Result<String> {
        let models = &offer.models;
        let Some(first) = models.first() else {
            bail!(setup::no_model_there().in_language(self.language))
        };
        // Of models that cost money none is proposed but the only one.
        let proposed = (models.len() == 1 || offer.provider == Provider::Ollama).then_some(first);
        if self.terminal.is_interactive() {
            for (number, name) in models.iter().take(MODELS_SHOWN).enumerate() {
                print_line(format_args!("  {:>2}  {name}", number + 1));
            }
            let more = models.len().saturating_sub(MODELS_SHOWN);
            if more > 0 {
                self.print_localized(setup::more_models(more));
            }
        }
        loop {
            let end = proposed.map_or(String::new(), |name| format!(" [{name}]"));
            let question = setup::which_model().in_language(self.language);
            let answer = self.terminal.ask_line(&format!("{question}{end}"))?;
            let chosen = answer
                .parse::<usize>()
                .ok()
                .and_then(|number| models.get(number.checked_sub(1)?));
            match (chosen, proposed) {
                (Some(name), _) => return Ok(name.clone()),
                (None, Some(name)) if answer.is_empty() => return Ok(name.clone()),
                (None, _) if !answer.is_empty() => return Ok(answer),
                (None, None) if self.terminal.is_interactive() => {}
                _ => bail!(setup::name_a_model(models.len()).in_language(self.language)),
            }
        }
    }
}

/// Whether a text is a server's address and not a model's name: `qwen3:8b` and `openai/gpt-4.1` are names.
fn is_address(typed: &str) -> bool {
    if typed.contains("://") {
        return true;
    }
    let host = typed.split('/').next().unwrap_or_default();
    let (host, port) = host.rsplit_once(':').unwrap_or((host, ""));
    let has_port = port.parse::<u16>().is_ok();
    let is_domain = host.rsplit_once('.').is_some_and(|(before, last)| {
        !before.is_empty() && last.len() >= 2 && last.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    let is_number = host.parse::<std::net::IpAddr>().is_ok();
    host == "localhost" || has_port || (port.is_empty() && (is_domain || is_number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_is_told_from_an_address() {
        for address in [
            "http://box:1234",
            "localhost",
            "localhost:11434/v1",
            "192.168.0.7:8080",
            "10.0.0.1",
            "api.openai.com",
            "api.openai.com/v1",
            "gpu-box:8000",
        ] {
            assert!(is_address(address), "{address}");
        }
        for name in [
            "gpt-4.1-mini",
            "qwen3:8b",
            "qwen3:latest",
            "openai/gpt-4.1",
            "llama3.1",
            "deepseek-chat",
        ] {
            assert!(!is_address(name), "{name}");
        }
    }
}
