//! Forgetting a person while nobody edits a block: an edit that had read what is being erased would bring it back.

use super::Memory;
use kith_core::chat::{ChannelId, Millis, UserId};
use kith_store::{ForgetResult, StoreError};

impl Memory {
    /// Erases a person in these channels, or everywhere; see [`kith_store::Store::forget_person`]. After an error a
    /// part may be erased, and it may be asked again.
    pub async fn forget_person(
        &self,
        user: UserId,
        channels: Option<Vec<ChannelId>>,
        now: Millis,
    ) -> Result<ForgetResult, StoreError> {
        let _held = self.edits.lock().await;
        self.store.forget_person(user, channels, now).await
    }

    /// Erases what people wrote who do not want to be remembered; see [`kith_store::Store::forget_unremembered`]. After
    /// an error the next call erases the rest.
    pub async fn forget_unremembered(&self, before: Millis) -> Result<ForgetResult, StoreError> {
        let _held = self.edits.lock().await;
        self.store.forget_unremembered(before).await
    }
}
