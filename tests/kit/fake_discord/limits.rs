//! Rate limits as Discord tells and enforces them: buckets of a route and its channel or guild, one for everything, and
//! the waits that a 429 imposed. They run on real time.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::world::fits;

/// A limit of a kind of request, for each channel or guild by itself.
#[derive(Clone, Debug)]
struct Rule {
    /// Requests that share the bucket.
    patterns: Vec<String>,
    count: u32,
    window: Duration,
}

#[derive(Debug)]
struct Window {
    ends: Instant,
    used: u32,
}

/// What a request is told about its bucket.
#[derive(Debug)]
pub struct BucketStatus {
    pub bucket: String,
    pub limit: u32,
    pub remaining: u32,
    pub reset_after: Duration,
}

#[derive(Debug)]
pub struct TooEarly {
    pub retry_after: Duration,
    pub global: bool,
    pub standing: Option<BucketStatus>,
}

/// All limits. New ones are far above what a test sends, so that only those who ask for limits meet them.
#[derive(Debug, Default)]
pub struct Limits {
    rules: Vec<Rule>,
    windows: BTreeMap<String, Window>,
    /// Requests a second over all routes.
    global: Option<u32>,
    global_window: Option<Window>,
    /// Until when a 429 forbids a bucket, and everything.
    blocked: BTreeMap<String, Instant>,
    blocked_all: Option<Instant>,
}

/// The limit of routes without a rule.
const GENEROUS: (u32, Duration) = (10_000, Duration::from_secs(1));

impl Limits {
    /// Requests that fit one of these share so many in a window, for each channel or guild.
    pub fn set(&mut self, patterns: &[&str], count: u32, window: Duration) {
        let patterns = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        self.rules.insert(
            0,
            Rule {
                patterns,
                count,
                window,
            },
        );
    }

    /// So many requests a second over all routes.
    pub fn set_global(&mut self, a_second: u32) {
        self.global = Some(a_second);
    }

    /// Discord's own numbers, as observed: they are told in headers only, and change.
    pub fn like_discord(&mut self) {
        self.set(&["POST /channels/*/messages"], 5, Duration::from_secs(5));
        self.set(&["PATCH /channels/*/messages/*"], 5, Duration::from_secs(5));
        self.set(
            &["DELETE /channels/*/messages/*"],
            5,
            Duration::from_secs(1),
        );
        self.set(&["POST /channels/*/typing"], 5, Duration::from_secs(5));
        let reactions = "/channels/*/messages/*/reactions/*/@me";
        self.set(
            &[&format!("PUT {reactions}"), &format!("DELETE {reactions}")],
            1,
            Duration::from_millis(250),
        );
        self.set_global(50);
    }

    /// The bucket of a request, `hash:channel`, and its rule.
    fn bucket(&self, method: &str, path: &str) -> (String, String, u32, Duration) {
        let segments: Vec<&str> = path.split('/').collect();
        let major = segments.get(2).copied().unwrap_or_default();
        let rule = self.rules.iter().find(|rule| {
            rule.patterns
                .iter()
                .any(|pattern| fits(pattern, method, path))
        });
        let (name, count, window) = match rule {
            Some(rule) => (rule.patterns.join("+"), rule.count, rule.window),
            None => {
                let is_id = |segment: &&str| {
                    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit())
                };
                let route: Vec<&str> = segments
                    .iter()
                    .map(|one| if is_id(one) { "*" } else { *one })
                    .collect();
                (
                    format!("{method}{}", route.join("/")),
                    GENEROUS.0,
                    GENEROUS.1,
                )
            }
        };
        // Discord's are hashes; clients may only compare them.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        let hash = format!("{hash:016x}");
        (format!("{hash}:{major}"), hash, count, window)
    }

    pub fn take(&mut self, method: &str, path: &str) -> Result<BucketStatus, TooEarly> {
        let now = kith_system::clock::monotonic();
        let (key, hash, limit, length) = self.bucket(method, path);
        let wait = |until: Instant| until.saturating_duration_since(now);
        if let Some(until) = self.blocked_all.filter(|until| *until > now) {
            return Err(TooEarly {
                retry_after: wait(until),
                global: true,
                standing: None,
            });
        }
        if let Some(a_second) = self.global.filter(|_| !path.starts_with("/interactions/")) {
            let window = fresh(self.global_window.take(), now, Duration::from_secs(1));
            let (ends, used) = (window.ends, window.used);
            self.global_window = Some(Window {
                used: used + 1,
                ..window
            });
            if used >= a_second {
                return Err(TooEarly {
                    retry_after: wait(ends),
                    global: true,
                    standing: None,
                });
            }
        }
        let window = fresh(self.windows.remove(&key), now, length);
        let (ends, used) = (window.ends, window.used);
        let blocked = self.blocked.get(&key).copied().filter(|until| *until > now);
        let early = blocked.or((used >= limit).then_some(ends));
        self.windows.insert(
            key,
            Window {
                used: (used + 1).min(limit),
                ..window
            },
        );
        let remaining = if early.is_some() { 0 } else { limit - used - 1 };
        let reset_after = wait(early.unwrap_or(ends));
        let standing = BucketStatus {
            bucket: hash,
            limit,
            remaining,
            reset_after,
        };
        match early {
            Some(until) => Err(TooEarly {
                retry_after: wait(until),
                global: false,
                standing: Some(standing),
            }),
            None => Ok(standing),
        }
    }

    pub fn lift(&mut self) {
        self.blocked.clear();
        self.blocked_all = None;
    }

    /// A 429 out of the blue: the bucket, or everything, is forbidden for this long.
    pub fn block(&mut self, method: &str, path: &str, global: bool, length: Duration) -> TooEarly {
        let until = kith_system::clock::monotonic() + length;
        if global {
            self.blocked_all = Some(until);
            return TooEarly {
                retry_after: length,
                global,
                standing: None,
            };
        }
        let (key, bucket, limit, _) = self.bucket(method, path);
        self.blocked.insert(key, until);
        let standing = BucketStatus {
            bucket,
            limit,
            remaining: 0,
            reset_after: length,
        };
        TooEarly {
            retry_after: length,
            global,
            standing: Some(standing),
        }
    }
}

fn fresh(window: Option<Window>, now: Instant, length: Duration) -> Window {
    window.filter(|window| window.ends > now).unwrap_or(Window {
        ends: now + length,
        used: 0,
    })
}
