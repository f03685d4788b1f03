//! What a message says, as one text: its words with names instead of ids, and in brackets what was sent along.

use kith_language::{LocalizedMessage, history};
use std::borrow::Cow;
use std::fmt::Write;

use super::components::TextComponent;
use super::links;
use super::markup::{self, MarkupNames};
use super::message_text::{
    DiscordMessage, DiscordPerson, MessageBody, MessageFile, PollResult, PollText,
};
use kith_core::chat::{ChannelId, GuildId, UserId};
use kith_core::directory::Directory;
use kith_core::persona::Language;

/// The most of a description, of a question or of one of its answers that is kept, in characters.
const LONGEST_QUOTE: usize = 300;
/// The most of an embed that is kept, in characters.
const LONGEST_EMBED: usize = 1_000;
/// The most of what bots lay out that is kept: as much as a message's own text can be, in characters.
const LONGEST_LAYOUT: usize = 2_000;
/// The most of a file's name that is kept, in characters.
const LONGEST_FILE: usize = 80;

pub(super) struct MarkupContext<'a> {
    pub directory: &'a Directory,
    pub guild: Option<GuildId>,
    pub channel: ChannelId,
    pub mentions: &'a [DiscordPerson<'a>],
    pub language: Language,
}

impl MarkupContext<'_> {
    /// The text of a message; empty if it shows nothing that can be told.
    pub fn text(&self, written: &DiscordMessage<'_>) -> String {
        let mut out = String::with_capacity(written.body.content.len() + 16);
        // What people's links lead to is theirs no more than the page is; bots write what they have to say in embeds.
        let by_program =
            written.webhook.is_some() || written.author.is_some_and(|author| author.bot);
        self.write_body(&mut out, &written.body, by_program);
        for forwarded in &written.forwarded {
            push_separator(&mut out);
            out.push_str(&history::forwarded().in_language(self.language));
            self.write_body(&mut out, forwarded, false);
        }
        if let Some(poll) = &written.poll {
            self.write_poll(&mut out, poll);
        }
        if let Some(result) = &written.poll_result {
            self.write_poll_result(&mut out, result);
        }
        let name_place = |channel, is_message| self.name_place(channel, is_message);
        match links::name_links(&out, self.channel, &name_place) {
            Cow::Owned(named) => named,
            Cow::Borrowed(_) => out,
        }
    }

    fn write_body(&self, out: &mut String, body: &MessageBody<'_>, by_program: bool) {
        let before = out.len();
        if !body.content.is_empty() {
            push_separator(out);
            markup::render_markup(out, &body.content, self);
        }
        for file in &body.files {
            self.write_file(out, file, body.is_recording);
        }
        for sticker in &body.stickers {
            self.write_note(out, history::sticker(), &markup::sanitize_name(sticker));
        }
        self.write_layout(out, &body.components);
        // Of what has words of its own, embeds only say where its links lead.
        if by_program || out.len() == before {
            self.write_embeds(out, &body.embeds);
        }
    }

    /// What is laid out, until there is no more room for it.
    fn write_layout(&self, out: &mut String, components: &[TextComponent<'_>]) {
        let mut room = LONGEST_LAYOUT;
        for component in components {
            let before = out.len();
            match component {
                TextComponent::Text(text) => {
                    // A text that is laid out is a line of its own.
                    if !out.is_empty() {
                        out.push('\n');
                    }
                    markup::render_markup(out, text, self);
                }
                TextComponent::Button(label) => {
                    self.write_note(out, history::button(), &self.quote(label))
                }
                TextComponent::Menu(placeholder) => {
                    self.write_note(out, history::menu(), &self.quote(placeholder))
                }
            }
            if let Some((end, _)) = out[before..].char_indices().nth(room) {
                out.truncate(before + end);
                out.push('…');
                return;
            }
            room -= out[before..].chars().count();
        }
    }

    fn write_embeds(&self, out: &mut String, embeds: &[Vec<Cow<'_, str>>]) {
        let mut room = LONGEST_LAYOUT;
        for texts in embeds {
            let texts: Vec<_> = texts.iter().map(|text| self.quote(text)).collect();
            let joined = replace_brackets(&texts.join(" — "), LONGEST_EMBED.min(room));
            room = room.saturating_sub(joined.chars().count());
            self.write_note(out, history::embed(), &joined);
            if room == 0 {
                return;
            }
        }
    }

    fn write_file(&self, out: &mut String, file: &MessageFile<'_>, is_recording: bool) {
        let seconds = || {
            file.seconds
                .filter(|seconds| (0.0..1e6).contains(seconds))
                .map(f64::round)
        };
        if is_recording {
            let length = seconds().map_or(String::new(), |seconds| format!("{seconds} s"));
            return self.write_note(out, history::voice_message(), &length);
        }
        let kind = file.kind.split_once('/').map_or("", |(kind, _)| kind);
        let label = match kind {
            "image" => history::image(),
            "video" => history::video(),
            "audio" => history::audio(),
            _ => history::file(),
        };
        let mut description = replace_brackets(&markup::sanitize_name(file.name), LONGEST_FILE);
        if kind != "image" {
            let _ = write!(description, ", {}", format_size(file.bytes));
        }
        if let Some(shows) = file.description {
            let _ = write!(description, ", “{}”", self.quote(shows));
        }
        self.write_note(out, label, &description);
    }

    fn write_poll(&self, out: &mut String, poll: &PollText<'_>) {
        let answers: Vec<_> = poll
            .answers
            .iter()
            .map(|answer| self.quote(answer))
            .collect();
        let content = format!("{} — {}", self.quote(poll.question), answers.join(" / "));
        self.write_note(out, history::poll(), &content);
    }

    fn write_poll_result(&self, out: &mut String, result: &PollResult<'_>) {
        let outcome = match result.winner {
            Some(winner) => {
                history::poll_winner(self.quote(winner), result.votes, result.winner_votes)
            }
            None => history::poll_tie(result.votes),
        };
        let outcome = outcome.in_language(self.language);
        let content = format!("{} — {outcome}", self.quote(result.question));
        self.write_note(out, history::poll_ended(), &content);
    }

    /// `[label: what]`, or `[label]` if there is nothing more to say.
    fn write_note(&self, out: &mut String, label: LocalizedMessage, what: &str) {
        push_separator(out);
        let label = label.in_language(self.language);
        let colon = if what.is_empty() { "" } else { ": " };
        let _ = write!(out, "[{label}{colon}{what}]");
    }

    /// The beginning of a text, on one line and without square brackets.
    fn quote(&self, text: &str) -> String {
        let mut quoted = String::with_capacity(text.len());
        markup::render_markup(&mut quoted, text, self);
        replace_brackets(&quoted, LONGEST_QUOTE)
    }

    /// What stands for a link to a place of Discord: a name in the place of its ids.
    fn name_place(&self, channel: Option<u64>, is_message: bool) -> String {
        if channel.is_none() {
            return history::discord_link().in_language(self.language);
        }
        let name = self.channel_name(channel).into_owned();
        match is_message {
            true => history::message_in(name).in_language(self.language),
            false => format!("#{name}"),
        }
    }

    fn fallback_name(&self) -> Cow<'_, str> {
        history::someone().in_language(self.language).into()
    }

    /// The name of a person as this channel's members see it: as the message tells, else as it was last seen.
    pub fn display_name<'n>(&'n self, person: &DiscordPerson<'n>) -> Cow<'n, str> {
        // REST does not tell nicks, and some events tell no name at all.
        let is_untold = !person.is_member && (self.guild.is_some() || person.username.is_empty());
        let known = || {
            let known = self
                .directory
                .find_name(self.guild, UserId(person.id))
                .filter(|_| is_untold);
            known.map(|name| Cow::Borrowed(&**name))
        };
        let names = [person.nick, person.global_name, Some(person.username)];
        let find_name = || {
            names
                .into_iter()
                .flatten()
                .map(markup::sanitize_name)
                .find(|name| !name.is_empty())
        };
        known()
            .or_else(find_name)
            .unwrap_or_else(|| self.fallback_name())
    }
}

impl MarkupNames for MarkupContext<'_> {
    fn person_name(&self, id: Option<u64>) -> Cow<'_, str> {
        let Some(id) = id else {
            return self.fallback_name();
        };
        if let Some(person) = self.mentions.iter().find(|person| person.id == id) {
            return self.display_name(person);
        }
        let known = self.directory.find_name(self.guild, UserId(id));
        known.map_or_else(|| self.fallback_name(), |name| Cow::Borrowed(&**name))
    }

    fn role_name(&self, id: Option<u64>) -> Cow<'_, str> {
        let guild = self
            .guild
            .and_then(|guild| self.directory.guilds.get(&guild));
        let role = guild.zip(id).and_then(|(guild, id)| guild.roles.get(&id));
        role.map_or_else(
            || history::role().in_language(self.language).into(),
            |role| markup::sanitize_name(role.name.trim_start_matches('@')),
        )
    }

    fn channel_name(&self, id: Option<u64>) -> Cow<'_, str> {
        // The name of a channel is told where its text could be: a hidden one's may say more than it should.
        let id = id
            .map(ChannelId)
            .filter(|id| self.directory.is_readable_in(*id, self.channel));
        let known = id.and_then(|id| self.directory.channels.get(&id));
        known.map_or_else(
            || history::unknown_channel().in_language(self.language).into(),
            |known| markup::sanitize_name(&known.channel.name),
        )
    }
}

fn push_separator(out: &mut String) {
    if !out.is_empty() {
        out.push(' ');
    }
}

/// The beginning of a text on one line, square brackets made round: it stands in square ones.
fn replace_brackets(text: &str, longest: usize) -> String {
    let round = text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('[', "(")
        .replace(']', ")");
    match round.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &round[..end]),
        None => round,
    }
}

fn format_size(bytes: u64) -> String {
    const KB: u64 = 1_000;
    const MB: u64 = 1_000 * KB;
    match bytes {
        MB.. => format!("{} MB", (bytes + MB / 2) / MB),
        KB.. => format!("{} KB", (bytes + KB / 2) / KB),
        _ => format!("{bytes} B"),
    }
}
