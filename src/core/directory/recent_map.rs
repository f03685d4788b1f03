//! A map that stays small: it keeps what was put into it last, and forgets the rest half by half.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// A bounded map. It has room for `size` values put in since it last made room, and keeps those from before that until
/// it makes room again: never fewer than the newest `size`, never more than twice as many.
#[derive(Clone, Debug)]
pub struct RecentMap<K, V> {
    size: usize,
    new: HashMap<K, V>,
    old: HashMap<K, V>,
}

impl<K: Eq + Hash, V> RecentMap<K, V> {
    pub fn new(size: usize) -> Self {
        Self {
            size,
            new: HashMap::new(),
            old: HashMap::new(),
        }
    }

    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.new.get(key).or_else(|| self.old.get(key))
    }

    /// What is kept under a key, if it need not be put in again to be kept for long.
    pub fn get_new<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.new.get(key)
    }

    pub fn put(&mut self, key: K, value: V) {
        if self.new.len() >= self.size && !self.new.contains_key(&key) {
            self.old = std::mem::take(&mut self.new);
        }
        self.old.remove(&key);
        self.new.insert(key, value);
    }

    /// All that is kept, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.new.iter().chain(&self.old)
    }

    pub fn retain(&mut self, mut fits: impl FnMut(&K) -> bool) {
        self.new.retain(|key, _| fits(key));
        self.old.retain(|key, _| fits(key));
    }

    pub fn len(&self) -> usize {
        self.new.len() + self.old.len()
    }

    pub fn is_empty(&self) -> bool {
        self.new.is_empty() && self.old.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_the_newest_and_never_grows_past_twice_its_size() {
        let mut recent = RecentMap::new(10);
        for number in 0..1_000 {
            recent.put(number, number);
            assert!(recent.len() <= 20);
            assert!((0..10).all(|back| number < back || recent.get(&(number - back)).is_some()));
        }
    }

    #[test]
    fn a_value_put_in_again_replaces_the_older_one() {
        let mut recent = RecentMap::new(2);
        recent.put("anna", 1);
        recent.put("ben", 2);
        recent.put("cleo", 3);
        recent.put("anna", 4);
        assert_eq!(
            recent
                .iter()
                .filter(|(name, _)| **name == "anna")
                .map(|(_, value)| *value)
                .collect::<Vec<_>>(),
            [4]
        );
    }
}
