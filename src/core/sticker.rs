//! A picture of a message that a moderator keeps, to be sent like a sticker, and what it is called. Plain data.

use super::chat::{ChannelId, GuildId, MessageId, Millis};

/// The most a guild keeps.
pub const MOST: usize = 50;
/// The largest file, in bytes.
pub const LARGEST: u64 = 2 << 20;
const NAME_CHARACTERS: usize = 40;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sticker {
    pub guild: GuildId,
    /// What it is called there: no two of a guild alike.
    pub name: String,
    /// Where its message stands: only where that can be read may it be shown.
    pub channel: ChannelId,
    /// The message it came with; it goes with it.
    pub message: MessageId,
    pub at: Millis,
}

/// What a picture is called: by the words it came with, else by its file, and unlike those there are.
pub fn name(said: &str, file: &str, taken: &[Sticker]) -> String {
    let is_word =
        |word: &&str| !word.starts_with('<') && !word.starts_with('@') && !word.contains("://");
    let said = said
        .split_whitespace()
        .filter(is_word)
        .collect::<Vec<_>>()
        .join(" ");
    let stem = file
        .rsplit_once('.')
        .map_or(file, |(stem, _)| stem)
        .replace(['_', '-'], " ");
    let names = [clean_name(&said), clean_name(&stem), "picture".to_owned()];
    let name = names
        .into_iter()
        .find(|name| !name.is_empty())
        .unwrap_or_default();
    let is_free = |name: &String| {
        taken
            .iter()
            .all(|sticker| sticker.name.to_lowercase() != name.to_lowercase())
    };
    let numbered = (2..=taken.len() + 1).map(|number| format!("{name} {number}"));
    std::iter::once(name.clone())
        .chain(numbered)
        .find(is_free)
        .unwrap_or(name)
}

/// Letters, digits and what stands between words, on one line.
fn clean_name(text: &str) -> String {
    let is_kept =
        |c: &char| c.is_alphanumeric() || c.is_whitespace() || "'-!?,.，。！？、…".contains(*c);
    let kept: String = text.chars().filter(is_kept).collect();
    let line = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(NAME_CHARACTERS).collect();
    let cut = cut.trim();
    if cut.chars().any(char::is_alphanumeric) {
        cut.to_owned()
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(name: &str) -> Sticker {
        let (guild, channel, message) = (GuildId(1), ChannelId(2), MessageId(3));
        Sticker {
            guild,
            name: name.into(),
            channel,
            message,
            at: 0,
        }
    }

    #[test]
    fn a_picture_is_called_by_the_words_it_came_with_else_by_its_file() {
        for (said, file, expected) in [
            ("my  cat\nagain!", "IMG_1.png", "my cat again!"),
            ("<@123> @Ben https://example.org/a b", "IMG_1.png", "b"),
            ("😂😂", "sleepy_cat-2.final.png", "sleepy cat 2.final"),
            ("!!", ".png", "picture"),
            ("\"><b>x</b>] [", "a.png", "bxb"),
            ("猫：困了！", "a.png", "猫困了！"),
            (&"x".repeat(90), "a.png", &"x".repeat(40)),
        ] {
            assert_eq!(name(said, file, &[]), expected, "{said}");
        }
    }

    #[test]
    fn no_two_are_called_alike() {
        let taken = [called("Cat"), called("cat 2")];
        assert_eq!(name("cat", "", &taken), "cat 3");
        assert_eq!(name("dog", "", &taken), "dog");
    }
}
