//! What `--help` says, in a language: the texts of `cli_help.ftl` are laid over commands and arguments here, and nowhere
//! else.

use clap::builder::{Resettable, StyledStr};
use clap::{Arg, ArgAction, Command, CommandFactory};
use kith_language::{Language, LocalizedMessage, cli};

use super::Cli;

/// The key of the program itself; a subcommand's is its words.
const PROGRAM: &str = "kith";
/// Behind all arguments of a command.
const LAST: usize = usize::MAX;
/// In place of a command: for every command that has the argument.
const ANY: &str = "any";

pub fn build_parser(language: Language) -> Command {
    let mut command = describe_commands(language);
    // Adds the subcommand `help`, which clap describes in English.
    command.build();
    describe_help_commands(command, language)
}

/// The command line without what clap adds by itself.
pub fn describe_commands(language: Language) -> Command {
    let version = Arg::new("version")
        .short('V')
        .long("version")
        .action(ArgAction::Version)
        .display_order(LAST)
        .help(cli::print_version().in_language(language));
    let command = describe_command(Cli::command(), PROGRAM, language);
    command.disable_version_flag(true).arg(version)
}

fn describe_command(command: Command, path: &str, language: Language) -> Command {
    let find = |end: &str| language.find_help(&format!("{path}{end}"));
    let about = find("").unwrap_or_default();
    let more = find("-more").map(|more| StyledStr::from(format!("{about}\n\n{more}")));
    let examples = find("-examples").map(StyledStr::from);
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .display_order(LAST)
        .help(cli::print_help().in_language(language));
    let template = build_template(&command, language);
    command
        .mut_args(|argument| describe_argument(argument, path, language))
        .mut_subcommands(|inner| {
            let path = join_path(path, inner.get_name());
            describe_command(inner, &path, language)
        })
        .disable_help_flag(true)
        .arg(help)
        .about(about)
        .long_about(Resettable::from(more))
        .after_help(Resettable::from(examples))
        .help_template(template)
}

fn join_path(path: &str, name: &str) -> String {
    match path {
        PROGRAM => name.to_owned(),
        _ => format!("{path}-{name}"),
    }
}

/// Clap's own order with headings in a language.
fn build_template(command: &Command, language: Language) -> String {
    let style = command.get_styles().get_header();
    let heading =
        |message: LocalizedMessage| format!("{style}{}{style:#}", message.in_language(language));
    let sections = [
        (
            command.has_subcommands(),
            cli::commands_heading(),
            "{subcommands}",
        ),
        (
            command.get_positionals().next().is_some(),
            cli::arguments_heading(),
            "{positionals}",
        ),
        (true, cli::options_heading(), "{options}"),
    ];
    let sections = sections
        .into_iter()
        .filter(|(is_there, ..)| *is_there)
        .map(|(_, title, tag)| format!("{}\n{tag}", heading(title)));
    let sections: Vec<String> = sections.collect();
    let usage = cli::usage_of(format!("{style:#}{{usage}}")).in_language(language);
    format!(
        "{{about-with-newline}}\n{style}{usage}\n\n{}{{after-help}}",
        sections.join("\n\n")
    )
}

fn describe_argument(argument: Arg, path: &str, language: Language) -> Arg {
    let keys = argument_keys(path, argument.get_id().as_str());
    let mut text = keys
        .iter()
        .find_map(|key| language.find_help(key))
        .unwrap_or_default();
    if !argument.get_action().takes_values() {
        return argument.help(text);
    }
    let defaults = argument.get_default_values().iter();
    let defaults: Vec<_> = defaults.map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() {
        text = cli::help_with_default(defaults.join(" "), text).in_language(language);
    }
    let values = argument.get_possible_values();
    let values: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
    if !values.is_empty() {
        text = cli::help_with_values(text, values.join(", ")).in_language(language);
    }
    argument
        .help(text)
        .hide_default_value(true)
        .hide_possible_values(true)
}

/// Where the text of an argument stands: the first of them that is there.
fn argument_keys(path: &str, argument: &str) -> [String; 2] {
    let argument = argument.replace('_', "-");
    [path, ANY].map(|command| format!("{command}--{argument}"))
}

fn describe_help_commands(command: Command, language: Language) -> Command {
    command.mut_subcommands(|inner| match inner.get_name() {
        "help" => inner.about(cli::explain_commands().in_language(language)),
        _ => describe_help_commands(inner, language),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The keys of the catalog that the command line asks for, and what has none.
    #[derive(Default)]
    struct Walk {
        asked: BTreeSet<String>,
        missing: Vec<String>,
    }

    impl Walk {
        fn visit(&mut self, command: &Command, path: &str, language: Language) {
            let is_there = |key: &String| language.find_help(key).is_some();
            if !is_there(&path.to_owned()) {
                self.missing.push(format!("{language:?}: {path}"));
            }
            self.asked
                .extend(["", "-more", "-examples"].map(|end| format!("{path}{end}")));
            for argument in command.get_arguments() {
                let keys = argument_keys(path, argument.get_id().as_str());
                match keys.into_iter().find(is_there) {
                    Some(key) => drop(self.asked.insert(key)),
                    None => self
                        .missing
                        .push(format!("{language:?}: {path} {argument}")),
                }
            }
            for inner in command.get_subcommands() {
                self.visit(inner, &join_path(path, inner.get_name()), language);
            }
        }
    }

    #[test]
    fn every_command_and_argument_has_a_text_in_every_language_and_every_text_is_somebodys() {
        let catalog = include_str!("../../data/messages/en/cli_help.ftl");
        let is_key = |line: &&str| line.starts_with(|c: char| c.is_ascii_lowercase());
        let keys = catalog.lines().filter(is_key);
        let keys: Vec<&str> = keys.filter_map(|line| line.split(" =").next()).collect();
        assert!(keys.len() > 100, "only {} texts were found", keys.len());
        for language in Language::ALL {
            let mut walk = Walk::default();
            walk.visit(&Cli::command(), PROGRAM, language);
            assert!(walk.missing.is_empty(), "no text for {:#?}", walk.missing);
            let unused = keys.iter().filter(|key| !walk.asked.contains(**key));
            let unused: Vec<_> = unused.collect();
            assert!(unused.is_empty(), "nothing is explained by {unused:#?}");
        }
    }

    #[test]
    fn the_arguments_fit_together() {
        for language in Language::ALL {
            describe_commands(language).debug_assert();
        }
    }

    #[test]
    fn no_text_of_the_help_is_claps_own() {
        fn print(command: &mut Command, all: &mut String) {
            *all += &command.render_long_help().to_string();
            for inner in command.get_subcommands_mut() {
                if inner.get_name() != "help" {
                    print(inner, all);
                }
            }
        }
        let mut help = String::new();
        print(&mut build_parser(Language::ZH), &mut help);
        for text in [
            "Usage:",
            "Options:",
            "Commands:",
            "Arguments:",
            "Print",
            "[default",
            "[possible",
        ] {
            assert!(!help.contains(text), "{text}: {help}");
        }
    }
}
