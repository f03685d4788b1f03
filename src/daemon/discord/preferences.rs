//! How people want to be treated, as the loop, tools and the gateway ask for it.

use std::sync::{PoisonError, RwLock};

use kith_core::chat::UserId;
use kith_core::preference::PersonPreference;
use kith_store::PersonPreferences;

pub(super) fn read_preference(
    preferences: &RwLock<PersonPreferences>,
    user: UserId,
) -> PersonPreference {
    preferences
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .get(user)
}
