//! Loads all settings: kith.toml, then the environment, then the flags; reads what they point to, and checks all of
//! it. Either everything is right, or every problem is told.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::environment::{collect_environment_values, find_machine_zone};
use super::layers::{self, ProblemList, SettingOrigin, SettingOrigins, SingleValue};
use super::problem::{SettingProblem, Severity};
use super::{
    Settings, check, check_discord, check_models, check_moderation, check_partitions, check_skills,
    check_tools, check_web, persona, profiles, proxy, secrets, toml_reader, tool_files,
};
use kith_core::persona::Language;
use kith_core::setting::{SettingData, SettingRule, SettingShape, SettingType};

const DEFAULT_FILE: &str = "kith.toml";

#[derive(Clone, Default)]
pub struct LoadOptions {
    /// The settings file; none for `kith.toml` in the working directory, where it exists.
    pub config: Option<PathBuf>,
    pub environment: BTreeMap<String, String>,
    /// What flags set: flag, dotted path of the setting, value.
    pub flags: Vec<(&'static str, &'static str, String)>,
}

impl LoadOptions {
    /// The settings file, where there is one to read.
    pub fn file(&self) -> Option<PathBuf> {
        let default = || {
            Path::new(DEFAULT_FILE)
                .exists()
                .then(|| PathBuf::from(DEFAULT_FILE))
        };
        self.config.clone().or_else(default)
    }

    /// The same, also where it does not exist yet.
    pub fn file_to_watch(&self) -> PathBuf {
        self.config
            .clone()
            .unwrap_or_else(|| PathBuf::from(DEFAULT_FILE))
    }
}

impl fmt::Debug for LoadOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The environment holds secrets, and not only ours.
        f.debug_struct("LoadOptions")
            .field("config", &self.config)
            .field("flags", &self.flags)
            .finish_non_exhaustive()
    }
}

/// Loads, layers and checks all settings and personas. On an error, every problem found, warnings too.
pub fn load(options: &LoadOptions) -> Result<Settings, Vec<SettingProblem>> {
    load_from(options.file(), options)
}

/// What environment and flags alone come to, whatever files there are.
pub fn load_without_file(options: &LoadOptions) -> Result<Settings, Vec<SettingProblem>> {
    load_from(None, options)
}

/// The language of the settings, also where something else in them is wrong.
pub fn find_language(options: &LoadOptions) -> Language {
    let text = options
        .file()
        .and_then(|file| std::fs::read_to_string(file).ok());
    let written = text.and_then(|text| read_language(&text));
    let variable = options.environment.get("KITH__LANGUAGE").cloned();
    variable
        .or(written)
        .and_then(|code| Language::from_code(&code))
        .unwrap_or_else(|| detect_language(&options.environment))
}

/// What a settings file says of its language. Of one that is no TOML, a line alone says it.
fn read_language(text: &str) -> Option<String> {
    let read = |text: &str| -> Option<String> {
        let table: toml::Table = text.parse().ok()?;
        Some(table.get("language")?.as_str()?.to_owned())
    };
    let mut top = text
        .lines()
        .take_while(|line| !line.trim_start().starts_with('['));
    read(text).or_else(|| top.find_map(read))
}

fn load_from(
    file: Option<PathBuf>,
    options: &LoadOptions,
) -> Result<Settings, Vec<SettingProblem>> {
    let mut problems = Vec::new();
    let mut origins = SettingOrigins::default();
    let mut tables = Vec::new();
    if let Some(file) = file {
        tables.extend(read_settings_file(
            file,
            options,
            &mut origins,
            &mut problems,
        ));
    }
    tables.extend(read_single_values(options, &mut origins, &mut problems));
    let mut settings = match layers::merge(tables) {
        Ok(settings) => settings,
        Err(error) => {
            problems.push(SettingProblem::error(
                format!("the layers do not fit together: {error}"),
                "check kith.toml",
            ));
            return Err(problems);
        }
    };
    let mut list = ProblemList {
        origins: &origins,
        all: &mut problems,
    };
    complete_and_check(&mut settings, &options.environment, &mut list);
    problems.sort_by_key(|problem| (problem.file.is_none(), problem.file.clone(), problem.line));
    if problems
        .iter()
        .any(|problem| problem.severity == Severity::Error)
    {
        return Err(problems);
    }
    settings.warnings = problems;
    settings.origins = origins;
    Ok(settings)
}

fn read_settings_file(
    file: PathBuf,
    options: &LoadOptions,
    origins: &mut SettingOrigins,
    problems: &mut Vec<SettingProblem>,
) -> Option<toml::Table> {
    let mut read = toml_reader::read_file::<Settings>(&file);
    problems.append(&mut read.problems);
    let lines = read.lines.into_iter();
    origins
        .0
        .extend(lines.map(|(path, line)| (path, SettingOrigin::File(file.clone(), Some(line)))));
    let table = read.table?;
    let home = options.environment.get("HOME").map(Path::new);
    let folder = file.parent().unwrap_or(Path::new(""));
    Some(anchor_paths(table, folder, home))
}

/// What the environment and the flags set, a table each, the strongest last.
fn read_single_values(
    options: &LoadOptions,
    origins: &mut SettingOrigins,
    problems: &mut Vec<SettingProblem>,
) -> Vec<toml::Table> {
    let mut singles = collect_environment_values(&options.environment, problems);
    singles.extend(options.flags.iter().map(|(flag, path, text)| SingleValue {
        source: (*flag).into(),
        path: (*path).into(),
        text: text.clone(),
    }));
    let mut tables = Vec::new();
    for single in singles {
        let value = match layers::parse_value(&single) {
            Ok(value) => value,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let path: Vec<String> = single.path.split('.').map(String::from).collect();
        tables.push(layers::nest_value(&path, value));
        if single.source == "OPENAI_BASE_URL"
            && let Some(set @ SettingOrigin::File(..)) = origins.0.get(&single.path)
        {
            let set = SettingOrigins(BTreeMap::from([(single.path.clone(), set.clone())]));
            let message =
                "OPENAI_BASE_URL in the environment replaces `model.base_url`".to_string();
            let cure = "unset the variable, or remove this line";
            problems.push(set.make_problem(&single.path, message, cure).into_warning());
        }
        let origin = SettingOrigin::Outside(single.source);
        origins.0.insert(single.path, origin);
    }
    tables
}

/// Reads the files and secrets that the settings point to, fills in what follows from them, and checks all of it.
fn complete_and_check(
    settings: &mut Settings,
    environment: &BTreeMap<String, String>,
    problems: &mut ProblemList<'_>,
) {
    check_skills::read_skills(settings, problems);
    tool_files::read_definitions(settings, environment, problems);
    for check in [
        check::check,
        check_discord::check,
        check_models::check,
        check_moderation::check,
        check_tools::check,
        profiles::check,
        check_web::check,
    ] {
        check(settings, problems);
    }
    settings.discord.moderation_actions = settings.moderation_kinds();
    settings.discord.named_tools = settings.named_tools();
    settings
        .discord
        .stickers
        .get_or_insert_with(|| settings.data_dir.join("stickers"));
    secrets::find_keys(settings, environment, problems);
    secrets::find_tool_secrets(settings, environment, problems);
    secrets::find_token(settings, environment, problems);
    secrets::find_store_address(settings, environment, problems);
    check_partitions::check(settings, problems);
    problems.all.extend(tool_files::find_leaks(settings));
    proxy::find_proxies(settings, environment, problems);
    let language = settings
        .language
        .unwrap_or_else(|| detect_language(environment));
    settings.language = Some(language);
    read_personas(settings, language, problems);
    let zone = find_machine_zone(environment, problems.all);
    for persona in [&mut settings.shipped]
        .into_iter()
        .chain(settings.persona_files.values_mut())
    {
        Arc::make_mut(persona).machine_zone = zone;
    }
    check_skills::check(settings, problems);
    if let Some(dir) = &settings.prompts_dir
        && !dir.is_dir()
    {
        let message = format!("there is no folder {}", dir.display());
        let cure = "create it, or remove this setting";
        problems.error("prompts_dir", message, cure);
    }
}

/// Makes the paths in a file's table relative to the file's folder; the default of `data_dir`, too, so that writing it
/// down changes nothing. A path may begin in the home folder.
fn anchor_paths(table: toml::Table, folder: &Path, home: Option<&Path>) -> toml::Table {
    let default = Settings::default().data_dir.to_string_lossy().into_owned();
    let mut table = table;
    table
        .entry("data_dir")
        .or_insert(toml::Value::String(default));
    let anchor = |path: &mut String| {
        let below_home = path.strip_prefix('~').zip(home);
        let below_home = below_home.filter(|(rest, _)| rest.is_empty() || rest.starts_with('/'));
        let anchored = match below_home {
            Some((rest, home)) => home.join(rest.trim_start_matches('/')),
            None => folder.join(&*path),
        };
        *path = anchored.to_string_lossy().into_owned();
    };
    anchor_table(&mut table, &Settings::SHAPE, &anchor);
    table
}

fn anchor_table(table: &mut toml::Table, shape: &SettingShape, anchor: &dyn Fn(&mut String)) {
    match shape {
        SettingShape::Table(declared) => {
            for field in declared.fields {
                match table.get_mut(field.name) {
                    Some(toml::Value::Array(program)) if field.has(SettingRule::Program) => {
                        anchor_arguments(program, anchor);
                    }
                    Some(value) => anchor_value(value, &field.shape, anchor),
                    None => {}
                }
            }
        }
        SettingShape::Named(shape) => table
            .iter_mut()
            .for_each(|(_, value)| anchor_value(value, shape, anchor)),
        _ => {}
    }
}

fn anchor_value(value: &mut toml::Value, shape: &SettingShape, anchor: &dyn Fn(&mut String)) {
    match (shape, value) {
        (SettingShape::Path, toml::Value::String(path)) if !path.is_empty() => anchor(path),
        (SettingShape::List(shape), toml::Value::Array(elements)) => elements
            .iter_mut()
            .for_each(|element| anchor_value(element, shape, anchor)),
        (_, toml::Value::Table(table)) => anchor_table(table, shape, anchor),
        _ => {}
    }
}

/// The same of what profiles run: arguments that are paths.
fn anchor_arguments(program: &mut [toml::Value], anchor: &dyn Fn(&mut String)) {
    for argument in program {
        if let toml::Value::String(path) = argument
            && ["./", "../", "~/"]
                .iter()
                .any(|start| path.starts_with(start))
        {
            anchor(path);
        }
    }
}

/// The language of the machine's locale, where Kith speaks it; else English.
fn detect_language(environment: &BTreeMap<String, String>) -> Language {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| environment.get(name));
    locale
        .and_then(|locale| Language::from_locale(locale))
        .unwrap_or_default()
}

/// Reads every persona file that is named anywhere, and the shipped one.
fn read_personas(settings: &mut Settings, language: Language, problems: &mut ProblemList<'_>) {
    let (name, text) = language.persona();
    match persona::parse(Path::new(name), text) {
        Ok(persona) => settings.shipped = Arc::new(persona),
        Err(wrong) => problems.all.extend(wrong),
    }
    let named: Vec<(String, PathBuf)> = settings
        .values()
        .into_iter()
        .filter(|value| value.field.has(SettingRule::PersonaFile))
        .filter_map(|value| match value.data {
            SettingData::Path(file) => Some((value.path, file.to_owned())),
            _ => None,
        })
        .collect();
    for (path, file) in named {
        if settings.persona_files.contains_key(&file) {
            continue;
        }
        if !file.is_file() {
            let message = format!("there is no persona file {}", file.display());
            problems.error(&path, message, "check the path, or copy one from persona/");
            continue;
        }
        match persona::load(&file) {
            Ok(persona) => {
                settings.persona_files.insert(file, Arc::new(persona));
            }
            Err(wrong) => problems.all.extend(wrong),
        }
    }
}
