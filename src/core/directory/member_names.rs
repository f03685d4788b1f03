//! The names of people seen, by guild: the newest are kept, so that one who writes is always known by name. Names are
//! never written to disk from here, and a person who is forgotten is forgotten here, too.

use std::sync::Arc;

use super::RecentMap;
use crate::chat::{GuildId, UserId};

/// How many names are kept at least; at most twice as many.
const KEPT: usize = 20_000;

/// The names of people seen, each in its guild; those in direct messages under none.
#[derive(Clone, Debug)]
pub struct MemberNames(RecentMap<(Option<GuildId>, UserId), Arc<str>>);

impl Default for MemberNames {
    fn default() -> Self {
        Self(RecentMap::new(KEPT))
    }
}

impl MemberNames {
    pub fn put(&mut self, guild: Option<GuildId>, user: UserId, name: Arc<str>) {
        self.0.put((guild, user), name);
    }

    /// The name of a person who was seen so lately, and by this very name, that it need not be put in again.
    pub fn find_fresh_name(
        &self,
        guild: Option<GuildId>,
        user: UserId,
        name: &str,
    ) -> Option<&Arc<str>> {
        self.0
            .get_new(&(guild, user))
            .filter(|known| ***known == *name)
    }

    pub fn of(&self, guild: Option<GuildId>, user: UserId) -> Option<&Arc<str>> {
        self.0.get(&(guild, user))
    }

    pub(super) fn forget(&mut self, user: UserId) {
        self.0.retain(|(_, known)| *known != user);
    }

    pub(super) fn find_named_user(
        &self,
        guild: Option<GuildId>,
        text: &str,
    ) -> Option<(UserId, usize)> {
        let in_guild = self.0.iter().filter(|((place, _), _)| *place == guild);
        let longest = in_guild
            .filter_map(|(_, name)| match_name_prefix(text, name))
            .max()?;
        let fits = |name: &str| match_name_prefix(text, name) == Some(longest);
        let mut found = self
            .0
            .iter()
            .filter(|((place, _), name)| *place == guild && fits(name));
        let ((_, user), _) = found.next()?;
        // A wrong ping is worse than none.
        found.next().is_none().then_some((*user, longest))
    }
}

/// How many bytes of `text` a name takes if `text` begins with it, whatever its case, and goes on with another word.
fn match_name_prefix(text: &str, name: &str) -> Option<usize> {
    let mut rest = text.chars();
    for wanted in name.chars() {
        let found = rest.next()?;
        if found != wanted && !found.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    let ends_in_word = name.chars().next_back()?.is_ascii_alphanumeric();
    let goes_on = rest
        .clone()
        .next()
        .is_some_and(|next| next.is_ascii_alphanumeric() || next == '_');
    (!(ends_in_word && goes_on)).then(|| text.len() - rest.as_str().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(people: &[(u64, &str)]) -> MemberNames {
        let mut names = MemberNames::default();
        people
            .iter()
            .for_each(|(id, name)| names.put(Some(GuildId(1)), UserId(*id), Arc::from(*name)));
        names
    }

    #[test]
    fn the_longest_name_that_fits_is_meant() {
        let names = names(&[(1, "Anna"), (2, "Anna Maria"), (3, "小明")]);
        let check = |text: &str, expected: Option<(u64, usize)>| {
            assert_eq!(
                names.find_named_user(Some(GuildId(1)), text),
                expected.map(|(id, length)| (UserId(id), length)),
                "{text}"
            );
        };
        check("anna maria!", Some((2, 10)));
        check("Anna, hi", Some((1, 4)));
        check("Annabel", None);
        check("小明你好", Some((3, 6)));
        check("everyone", None);
        assert_eq!(names.find_named_user(None, "Anna"), None);
    }

    #[test]
    fn of_two_with_the_same_name_nobody_is_meant() {
        let mut names = names(&[(1, "Sam"), (2, "sam")]);
        assert_eq!(names.find_named_user(Some(GuildId(1)), "Sam!"), None);
        names.forget(UserId(2));
        assert_eq!(
            names.find_named_user(Some(GuildId(1)), "SAM!"),
            Some((UserId(1), 3))
        );
    }
}
