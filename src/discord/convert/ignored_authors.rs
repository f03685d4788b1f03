//! People who want to be ignored: what others quote of them, and every word that names them, ends here. Who they are is
//! asked anew each time; of what they write only the newest ids are kept, in memory, to know a forward or reply by.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::components::TextComponent;
use super::message_text::{DiscordMessage, MessageBody};
use kith_core::chat::UserId;

pub type OptOutCheck = Arc<dyn Fn(UserId) -> bool + Send + Sync>;

/// How many of their messages are known at once.
const KNOWN: usize = 4_096;

pub(super) struct IgnoredAuthors {
    opt_out_check: OptOutCheck,
    message_ids: BTreeSet<u64>,
}

impl IgnoredAuthors {
    pub fn new(opt_out_check: OptOutCheck) -> Self {
        Self {
            opt_out_check,
            message_ids: BTreeSet::new(),
        }
    }

    pub fn contains(&self, user: u64) -> bool {
        (self.opt_out_check)(UserId(user))
    }

    /// Takes everything of theirs out of what somebody wrote: mentions, old-style quotes and forwards.
    pub fn redact_message(&mut self, written: &mut DiscordMessage<'_>) {
        if written
            .author
            .is_some_and(|author| self.contains(author.id))
        {
            self.message_ids.insert(written.id);
            if self.message_ids.len() > KNOWN {
                self.message_ids.pop_first();
            }
            return;
        }
        let is_about = written
            .mentions
            .iter()
            .any(|person| self.contains(person.id))
            || iter_message_texts(&mut written.body)
                .any(|text| find_mentioned_users(text).any(|user| self.contains(user)))
            || written.replied_user.is_some_and(|user| self.contains(user))
            || written
                .reply_to
                .is_some_and(|id| self.message_ids.contains(&id));
        if is_about {
            iter_message_texts(&mut written.body)
                .for_each(|text| *text = Cow::Owned(remove_quotes(text)));
            written.mentions.retain(|person| !self.contains(person.id));
        }
        if written
            .forwarded_message
            .is_some_and(|id| self.message_ids.contains(&id))
        {
            written
                .forwarded
                .iter_mut()
                .for_each(|forwarded| *forwarded = MessageBody::default());
        }
    }
}

impl Default for IgnoredAuthors {
    fn default() -> Self {
        Self::new(Arc::new(|_| false))
    }
}

impl fmt::Debug for IgnoredAuthors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unread")
            .field("theirs", &self.message_ids.len())
            .finish_non_exhaustive()
    }
}

/// What a message says in words: its content, and texts that are laid out.
fn iter_message_texts<'b, 'a>(
    body: &'b mut MessageBody<'a>,
) -> impl Iterator<Item = &'b mut Cow<'a, str>> {
    let laid_out = body
        .components
        .iter_mut()
        .filter_map(|component| match component {
            TextComponent::Text(text) => Some(text),
            TextComponent::Button(_) | TextComponent::Menu(_) => None,
        });
    std::iter::once(&mut body.content).chain(laid_out)
}

/// The people a text mentions, pinged or not.
fn find_mentioned_users(content: &str) -> impl Iterator<Item = u64> {
    content
        .split("<@")
        .skip(1)
        .filter_map(|rest| rest.trim_start_matches('!').split_once('>')?.0.parse().ok())
}

/// A text without quotes: lines that begin with `>`, and all that follows `>>>`.
fn remove_quotes(content: &str) -> String {
    let lines = content.lines().take_while(|line| !line.starts_with(">>> "));
    lines
        .filter(|line| !line.trim_start().starts_with('>'))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_end_where_discord_ends_them() {
        for (text, left) in [
            ("> I collect stamps\n<@7> really?", "<@7> really?"),
            ("so\n> one\n> two\nyes", "so\nyes"),
            ("look:\n>>> one\ntwo", "look:"),
            ("a > b", "a > b"),
            ("> only", ""),
        ] {
            assert_eq!(remove_quotes(text), left);
        }
    }

    #[test]
    fn mentions_are_found_in_any_form() {
        let found: Vec<u64> =
            find_mentioned_users("<@7> and <@!8>, <@&9> <@x> <@10 <@11").collect();
        assert_eq!(found, [7, 8]);
    }
}
