//! Further models and who does what.

use std::path::Path;

use kith::settings::load;
use kith_model::Provider;

use crate::settings::{complains, load_text, options, put};

#[test]
fn spares_are_asked_in_the_order_of_the_role_each_with_its_own_key() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "spare.key", "sk-spare\n");
    let toml = r#"
[roles]
chat = ["claude", "local"]
[models.local]
base_url = "http://127.0.0.1:8080/v1"
api_key_file = "spare.key"
[models.claude]
provider = "anthropic"
name = "claude-small"
"#;
    let environment = [
        ("OPENAI_API_KEY", "sk-openai"),
        ("ANTHROPIC_API_KEY", "sk-ant"),
    ];
    let settings = load(&options(folder.path(), toml, &environment)).unwrap();
    let model_set = settings.model_set();
    assert_eq!(model_set.roles.chat, ["claude", "local"]);
    let (claude, local) = (&model_set.further["claude"], &model_set.further["local"]);
    assert_eq!(
        (claude.api_key.expose(), local.api_key.expose()),
        ("sk-ant", "sk-spare")
    );
    assert_eq!(claude.provider, Provider::Anthropic);
    assert_eq!(settings.model.api_key.expose(), "sk-openai");
    assert_eq!(settings.secrets().len(), 3, "none of them is ever shown");
    assert!(Path::new(local.api_key_file.as_ref().unwrap()).is_absolute());
}

#[test]
fn what_is_wrong_with_a_spare_names_its_own_line() {
    let toml = "[roles]\nchat = [\"spare\", \"gone\", \"spare\"]\n[models.spare]\nname = \"x\"\ntemperature = 3.5\nbase_url = \
                \"nowhere\"\nprotocol = \"json\"\n[models.idle]\nname = \"y\"\n";
    complains(
        toml,
        &[],
        "kith.toml:2: error: `roles.chat` names \"gone\", and there is no [models.gone]; write a table [models.gone], or \
         correct the name\n\
         kith.toml:2: error: `roles.chat` names \"spare\" twice; name each model once\n\
         kith.toml:5: error: `models.spare.temperature` is 3.5; write a number from 0 to 2\n\
         kith.toml:6: error: `models.spare.base_url` is not an http address; write it like \"https://api.openai.com/v1\"\n\
         kith.toml:7: error: `models.spare.protocol` would need a prompt of its own; remove it: what [model] says holds \
         for all\n\
         kith.toml:8: warning: no role asks [models.idle]; name it in roles: chat = [\"idle\"]",
    );
}

#[test]
fn who_makes_vectors_is_one_model_that_can() {
    let toml = "[roles]\nembedding = [\"gone\"]\n";
    complains(
        toml,
        &[],
        "kith.toml:2: error: `roles.embedding` names \"gone\", and there is no [models.gone]; write a table [models.gone], \
         or correct the name",
    );
    let toml = "[roles]\nembedding = [\"claude\", \"local\"]\n[models.claude]\nprovider = \"anthropic\"\nname = \"x\"\n\
                [models.local]\nbase_url = \"http://127.0.0.1:8080/v1\"\n[budget]\nembedding_tokens = 0\n";
    complains(
        toml,
        &[],
        "kith.toml:2: error: `roles.embedding` names \"claude\", and Anthropic makes no vectors in a way that is known \
         here; name a model of OpenAI's kind or of Ollama\n\
         kith.toml:2: error: `roles.embedding` names more than one model, and vectors of two have nothing to do with each \
         other; name one model\n\
         kith.toml:9: error: `budget.embedding_tokens` is 0; write 1 to 1000000000000 tokens a day",
    );
}

#[test]
fn without_spares_the_one_model_is_all_there_is() {
    let settings = load_text("[model]\nname = \"x\"\n", &[]).unwrap();
    assert!(settings.model_set().further.is_empty());
    assert_eq!(settings.warnings, []);
}

#[test]
fn a_model_that_a_channel_names_is_used_and_has_its_own_price() {
    let toml = "[budget]\nvision_cost = 0.5\n[model]\nname = \"x\"\nprice = { prompt = 1, completion = 1 }\n[channel.7]\nmodel = \
                \"large\"\n[guild.8]\nmodel = \"y\"\n[models.large]\nname = \"l\"\nprice = { prompt = 2, completion = 2 }\n";
    complains(
        toml,
        &[],
        "kith.toml:9: warning: money is limited, and \"y\" of `guild.8.model` counts at the price of [model]; write a table \
         [models.NAME] with name = \"y\" and its price",
    );
    let settings = load_text(&toml.replace("\"y\"", "\"l\""), &[]).unwrap();
    assert_eq!(settings.warnings, []);
    assert!(settings.model_set().further.contains_key("large"));
}
