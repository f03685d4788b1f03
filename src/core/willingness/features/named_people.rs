//! Whom a message names.

use crate::chat::UserId;

/// The few people a message names, without allocating.
#[derive(Default)]
pub(super) struct NamedPeople {
    ids: [UserId; 8],
    len: usize,
}

impl NamedPeople {
    pub(super) fn get(&self) -> &[UserId] {
        self.ids.get(..self.len).unwrap_or(&self.ids)
    }
}

impl FromIterator<UserId> for NamedPeople {
    fn from_iter<I: IntoIterator<Item = UserId>>(ids: I) -> NamedPeople {
        let mut named = NamedPeople::default();
        for id in ids {
            if !named.get().contains(&id)
                && let Some(slot) = named.ids.get_mut(named.len)
            {
                *slot = id;
                named.len += 1;
            }
        }
        named
    }
}
