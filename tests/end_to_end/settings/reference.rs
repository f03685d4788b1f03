//! docs/SETTINGS.md is made from the declarations of the settings: each has its row there, is known to `kith check`, and
//! can be set by a variable of the environment. `INSTA_UPDATE=always` writes the page.

use std::path::Path;

use kith::settings::{Settings, load, read_environment};
use kith_core::setting::{
    SettingField, SettingRule, SettingShape, SettingTable, SettingType, join_path,
};

use crate::settings::example::{below, find_default};
use crate::settings::{load_text, options};

const HEAD: &str = "# All settings

<!-- Made from the code by `INSTA_UPDATE=always cargo test settings::reference`; a test keeps it so. -->

Settings stand in `kith.toml`; only those you change have to be there. A running Kith picks up changes, but for those that \
count after a restart. Paths are relative to the folder of the file; `~` is your home. `kith check` explains every mistake.

Layers, the weakest first: defaults, `kith.toml`, the environment, flags, `[guild.ID]`, `[channel.ID]` of a thread's \
parent, its own `[channel.ID]`, and what moderators choose by slash command, within the limits set here.

In the environment `KITH__TABLE__NAME` sets `name` in `[table]`: `KITH__MODEL__TEMPERATURE=0.7`. Lists and tables can be \
set in a file only.
";

#[test]
fn the_page_is_what_the_code_declares() {
    let SettingShape::Table(table) = Settings::SHAPE else {
        unreachable!("settings are a table")
    };
    let (mut page, mut shown) = (HEAD.to_owned(), Vec::new());
    render_table(table, "", &mut page, &mut shown);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/SETTINGS.md");
    let environment = read_environment();
    if environment
        .get("INSTA_UPDATE")
        .is_some_and(|how| how == "always")
    {
        std::fs::write(&file, &page).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == page,
        "docs/SETTINGS.md is stale: INSTA_UPDATE=always writes it"
    );
}

fn render_table(
    table: &'static SettingTable,
    above: &str,
    page: &mut String,
    shown: &mut Vec<(&'static [&'static str], String)>,
) {
    let mut tables = Vec::new();
    page.push_str("\n| setting | write | default | meaning |\n|---|---|---|---|\n");
    for field in table.fields {
        let path = join_path(above, field.name);
        match below(&path, field) {
            Some((path, table)) => tables.push((path, table, field.meaning)),
            None => page.push_str(&render_row(&path, field)),
        }
    }
    for (path, table, meaning) in tables {
        let title = path
            .replace("1234567890", "ID")
            .replace("spare", "NAME")
            .replace("guide", "NAME")
            .replace("channel_history", "NAME")
            .replace("news_key", "NAME");
        let known = shown.iter().find(|(of, _)| *of == table.meaning);
        if let Some((_, first)) = known {
            if !title.contains(".ID.") {
                let text = join_lines(meaning);
                page.push_str(&format!("\n## `[{title}]`\n\nAs `[{first}]`. {text}"));
                *page = page.trim_end().to_owned() + "\n";
            }
            continue;
        }
        shown.push((table.meaning, title.clone()));
        let text = format!("{} {}", join_lines(meaning), join_lines(table.meaning));
        page.push_str(&format!("\n## `[{title}]`\n\n{}\n", text.trim()));
        render_table(table, &path, page, shown);
    }
}

fn render_row(path: &str, field: &'static SettingField) -> String {
    let default = find_default(path).map(|value| format!("`{value}`"));
    let example = field.example().map(|value| format!("e.g. `{value}`"));
    let default = default.or(example).unwrap_or_default();
    let mut meaning = join_lines(field.meaning);
    for rule in field.rules {
        match rule {
            SettingRule::Restart if !meaning.contains("after a restart") => {
                meaning.push_str(" Counts after a restart.")
            }
            SettingRule::Variable(name) => meaning.push_str(&format!(" Variable: `{name}`.")),
            _ => {}
        }
    }
    let row = [
        &format!("`{}`", field.name),
        &describe(path, field),
        &default,
        &meaning,
    ];
    let cells = row.map(|cell| cell.replace('|', "\\|"));
    format!("| {} |\n", cells.join(" | "))
}

/// What is to be written: what is declared, else what `kith check` tells of something else.
fn describe(path: &str, field: &SettingField) -> String {
    let of_shape = |shape: &SettingShape| match shape {
        SettingShape::Path => Some("path"),
        SettingShape::Secret => Some("text, secret"),
        _ => None,
    };
    if field.has(SettingRule::Outside) {
        return "not in the file".to_owned();
    }
    if let Some(wanted) = field.wanted() {
        return wanted;
    }
    match field.shape {
        SettingShape::List(SettingShape::Path) => "list of paths".to_owned(),
        SettingShape::List(_) => "list".to_owned(),
        SettingShape::Named(of) => format!("table: {}", of_shape(of).unwrap_or("values"))
            .trim()
            .to_owned(),
        shape => of_shape(&shape).map_or_else(|| ask_check(path), str::to_owned),
    }
}

fn ask_check(path: &str) -> String {
    let told = ["[]", "\"?\""].map(|wrong| {
        let problems = load_text(&format!("{path} = {wrong}"), &[])
            .err()
            .unwrap_or_default();
        let problem = problems
            .iter()
            .find(|problem| problem.message.contains(path));
        problem.and_then(|problem| Some(problem.cure.strip_prefix("write ")?.to_owned()))
    });
    let [of_list, of_text] = told;
    // Of a text, only its own form is told, and no rule about other settings.
    let of_text = of_text.filter(|told| {
        of_list.as_deref() != Some("text in quotes")
            || ["it like ", "them like ", "\""]
                .iter()
                .any(|start| told.starts_with(start))
    });
    let told = of_text.or(of_list).unwrap_or_else(|| "text".to_owned());
    let words = ["it ", "them "]
        .iter()
        .find_map(|word| told.strip_prefix(word));
    words.unwrap_or(&told).to_owned()
}

fn join_lines(lines: &[&str]) -> String {
    lines
        .iter()
        .map(|line| line.trim())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn check_knows_every_declared_setting_and_the_environment_sets_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    Settings::SHAPE.list("", &mut |path, field| {
        count += 1;
        assert!(!field.meaning.is_empty(), "{path} has no meaning");
        let is_single = !matches!(field.shape, SettingShape::List(_) | SettingShape::Named(_));
        if path.contains("NAME") || field.has(SettingRule::Outside) || !is_single {
            return;
        }
        let variable = format!("KITH__{}", path.replace('.', "__").to_uppercase());
        // A value that nothing takes, so that it is told of what was set.
        let environment = [(variable.as_str(), "\u{1}")];
        let problems = match load(&options(folder.path(), "", &environment)) {
            Ok(settings) => {
                assert!(settings.origins.0.contains_key(&path), "{path}");
                return;
            }
            Err(problems) => problems,
        };
        let told = problems.iter().any(|problem| {
            [&path, &variable]
                .iter()
                .any(|name| problem.message.contains(*name))
        });
        assert!(told, "{path}: {problems:?}");
        // What a range forbids is told with what it wants.
        if let (Some((_, most)), Some(wanted)) = (field.range(), field.wanted()) {
            let text = format!("{path} = {}", most * 2.0 + 1.0);
            let told = load(&options(folder.path(), &text, &[]))
                .err()
                .unwrap_or_default();
            assert!(
                told.iter().any(|problem| problem.cure.contains(&wanted)
                    || problem.message.contains("is missing")),
                "{path}: {told:?}"
            );
        }
    });
    assert!(count > 150, "{count}");
}
