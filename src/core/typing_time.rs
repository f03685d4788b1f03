//! How long typing a message takes: a message waits so long before it is sent.

use serde::{Deserialize, Serialize};

use super::chat::{Millis, SECOND};
use super::word::is_wide;

pub const TYPING_LASTS: Millis = 10 * SECOND;

/// How fast it types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PacingSettings {
    /// Characters a second for alphabetic writing; 0 sends at once.
    pub characters_per_second: f32,
    /// Characters a second for Chinese, Japanese and Korean.
    pub cjk_per_second: f32,
    /// The longest pause before one message, in seconds.
    pub longest_pause_seconds: f32,
}

impl Default for PacingSettings {
    fn default() -> Self {
        Self {
            characters_per_second: 18.0,
            cjk_per_second: 6.0,
            longest_pause_seconds: 6.0,
        }
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
