//! How long typing a message takes: a message waits so long before it is sent.

use super::chat::{Millis, SECOND};
use super::word::is_wide;

pub const TYPING_LASTS: Millis = 10 * SECOND;

crate::setting_table! {
    /// How fast it types. The time the model took is counted in.
    pub struct PacingSettings {
        /// Alphabetic writing; 0 sends at once.
        #[setting(Range(0.0, 1_000.0), Zero("at once"), Unit("characters a second"))]
        pub characters_per_second: f32 = 18.0,
        /// Chinese, Japanese and Korean.
        #[setting(Range(0.0, 1_000.0), Zero("at once"), Unit("characters a second"))]
        pub cjk_per_second: f32 = 6.0,
        /// The longest pause before one message.
        #[setting(Range(0.0, 60.0), Unit("seconds"))]
        pub longest_pause_seconds: f32 = 6.0,
    }
}
/// How long a person would need to type `text`.
pub fn estimate_typing_time(text: &str, pacing: &PacingSettings) -> Millis {
    if pacing.characters_per_second <= 0.0 {
        return 0;
    }
    let (mut wide, mut narrow) = (0u32, 0u32);
    for c in text.chars() {
        if is_wide(c) { wide += 1 } else { narrow += 1 }
    }
    let seconds =
        narrow as f32 / pacing.characters_per_second + wide as f32 / pacing.cjk_per_second.max(0.1);
    (seconds.min(pacing.longest_pause_seconds) * 1_000.0) as Millis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_takes_longer_to_type_than_the_same_number_of_latin_letters() {
        let pacing = PacingSettings::default();
        assert!(
            estimate_typing_time("你好你好你好", &pacing) > estimate_typing_time("hello!", &pacing)
        );
        assert_eq!(estimate_typing_time(&"a".repeat(5_000), &pacing), 6_000);
        assert_eq!(
            estimate_typing_time(
                "anything",
                &PacingSettings {
                    characters_per_second: 0.0,
                    ..PacingSettings::default()
                }
            ),
            0
        );
    }
}
