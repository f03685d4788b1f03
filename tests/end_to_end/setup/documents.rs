//! What README and docs say of Discord is what the program does: permissions, commands, intents.

use kith_core::policy::ChannelMode;
use kith_discord::commands::{CommandSettings, definitions};
use kith_discord::{DiscordSettings, gateway, list_wanted_permissions};
use kith_testkit::assert_has;

fn read(file: &str) -> String {
    std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

#[test]
fn the_permissions_are_those_of_the_link() {
    let (readme, guide) = (
        read("README.md"),
        read("docs/DISCORD.md").replace(['`', '*'], ""),
    );
    let always = list_wanted_permissions(&DiscordSettings::default());
    assert!(
        readme.contains("seven permissions") && guide.contains("these seven") && always.len() == 7
    );
    for wanted in always {
        let (name, reason) = (wanted.name.to_string(), wanted.reason.to_string());
        assert!(
            readme.contains(&format!("*{name}*")),
            "README.md says nothing of {name}"
        );
        assert!(
            guide.contains(&format!("| {name} | {reason} |")),
            "docs/DISCORD.md says something else of {name}"
        );
    }
}

#[test]
fn every_command_and_menu_entry_is_told_of() {
    let (readme, guide) = (read("README.md"), read("docs/DISCORD.md"));
    let offered = CommandSettings {
        personas: vec!["a".into(), "b".into()],
        max_talkativeness: 1.0,
    };
    for command in definitions(&offered) {
        let name = command["name"].as_str().unwrap();
        let Some(options) = command["options"].as_array() else {
            assert_has(&readme, [format!("**{name}**")]);
            assert_has(&guide, [format!("**{name}**")]);
            continue;
        };
        for option in options {
            let name = option["name"].as_str().unwrap();
            let inner = option["options"].as_array().into_iter().flatten();
            let group = inner
                .filter(|inner| inner["type"] == 1)
                .map(|inner| format!("{name} {}", inner["name"].as_str().unwrap()));
            let names: Vec<String> = group.collect();
            for name in if names.is_empty() {
                vec![name.to_owned()]
            } else {
                names
            } {
                assert!(
                    guide.contains(&format!("`{name}`")),
                    "docs/DISCORD.md says nothing of {name}"
                );
                assert!(
                    readme.contains(&format!("`{name}")),
                    "README.md says nothing of {name}"
                );
            }
        }
    }
}

#[test]
fn the_intents_are_as_many_as_the_guide_gives_reasons_for() {
    let guide = read("docs/DISCORD.md");
    let table = guide
        .split("### Intents")
        .nth(1)
        .and_then(|rest| rest.split("### ").next())
        .unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ")).count() - 1;
    let in_guilds = gateway::select_intents(ChannelMode::Off).iter().count();
    assert_eq!(
        rows,
        in_guilds + 1,
        "a row for each, and one for direct messages"
    );
}
