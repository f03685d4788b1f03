//! The parts that very many servers are divided into, so that several processes can share them.
//!
//! Discord puts a server on the shard `(id >> 22) % shards` (its documentation, "Sharding"). A partition has every shard
//! whose number leaves its own as the remainder. As long as the number of shards is a multiple of that of the partitions,
//! a server stays in its partition, however many shards there come to be.

/// The shard of a server, by the number of its id, where there are so many.
pub const fn find_shard(guild: u64, shards: u64) -> u64 {
    (guild >> 22) % if shards == 0 { 1 } else { shards }
}

/// One part of all servers. Direct messages, which are on shard 0, belong to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Partition {
    number: u16,
    count: u16,
}

impl Partition {
    /// The only part, where nothing is divided.
    pub const WHOLE: Self = Self {
        number: 0,
        count: 1,
    };

    /// Part `number`, counted from 0, of `count`; none where there is no such part.
    pub const fn new(number: u16, count: u16) -> Option<Self> {
        if number < count {
            Some(Self { number, count })
        } else {
            None
        }
    }

    /// Which one it is, from 0.
    pub const fn number(self) -> u16 {
        self.number
    }

    pub const fn count(self) -> u16 {
        self.count
    }

    /// Whether it is the one that does what has to be done once, however many there are.
    pub const fn is_first(self) -> bool {
        self.number == 0
    }

    /// The number after `last` that only this partition gives: of its turns, for one.
    pub fn next_number(self, last: u64) -> u64 {
        let count = u64::from(self.count);
        let ahead = (u64::from(self.number) + count - (last + 1) % count) % count;
        last + 1 + ahead
    }

    /// The partition that gave a number.
    pub fn giver_of(self, number: u64) -> u16 {
        // A remainder is less than what it is of.
        u16::try_from(number % u64::from(self.count)).unwrap_or(self.number)
    }

    pub fn others(self) -> impl Iterator<Item = u16> {
        (0..self.count).filter(move |number| *number != self.number)
    }

    /// Whether a server, by the number of its id, belongs to it.
    pub fn holds_guild(self, guild: u64) -> bool {
        find_shard(guild, self.count.into()) == u64::from(self.number)
    }

    /// Its shards, of so many.
    pub fn shards(self, of: u16) -> impl Iterator<Item = u16> {
        (self.number..of).step_by(self.count.into())
    }

    /// How many shards there have to be where Discord asks for at least so many.
    pub const fn round_up(self, shards: u16) -> u16 {
        shards.div_ceil(self.count).saturating_mul(self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_stays_in_its_partition_however_many_shards_there_come_to_be() {
        let all: Vec<Partition> = (0..4)
            .filter_map(|number| Partition::new(number, 4))
            .collect();
        let find = |guild: u64, shards: u16| {
            let shard = u16::try_from(find_shard(guild, shards.into())).unwrap();
            let holds = |part: &&Partition| part.shards(shards).any(|one| one == shard);
            let mut holders = all.iter().filter(holds);
            let holder = holders.next().copied();
            assert_eq!(holders.next(), None, "a shard has one partition");
            assert!(holder.is_some_and(|part| part.holds_guild(guild)));
            holder.expect("every shard has a partition")
        };
        for guild in (1..500_u64).map(|at| at * 1_234_567_891) {
            let few = find(guild, 4);
            assert!([8, 12, 64].iter().all(|shards| find(guild, *shards) == few));
        }
    }

    #[test]
    fn no_two_partitions_give_the_same_number_and_everybody_knows_who_gave_it() {
        for (number, last, next) in [(0, 0, 4), (3, 0, 3), (1, 5, 9), (2, 5, 6), (1, 4, 5)] {
            let part = Partition::new(number, 4).unwrap();
            assert_eq!(part.next_number(last), next);
            assert_eq!(Partition::new(0, 4).unwrap().giver_of(next), number);
        }
        assert_eq!(
            [0, 7].map(|last| Partition::WHOLE.next_number(last)),
            [1, 8]
        );
    }

    #[test]
    fn there_are_at_least_as_many_shards_as_partitions_and_none_is_left_over() {
        let part = Partition::new(2, 4).unwrap();
        assert_eq!([0, 1, 4, 5].map(|asked| part.round_up(asked)), [0, 4, 4, 8]);
        assert_eq!(Partition::WHOLE.round_up(5), 5);
        assert_eq!(part.shards(8).collect::<Vec<_>>(), [2, 6]);
        assert_eq!(part.others().collect::<Vec<_>>(), [0, 1, 3]);
        assert_eq!(Partition::new(4, 4), None);
    }
}
