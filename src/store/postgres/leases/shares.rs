//! Which partitions a process takes or gives back, so that all have about as many. Pure.

/// Who holds which partition, as all processes see it at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holdings {
    pub live: Vec<i64>,
    pub holders: Vec<Option<i64>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The partitions that it takes, which nobody holds.
    pub take: Vec<u16>,
    /// The one that it gives back. One at a time, so that little rests at any moment.
    pub give_back: Option<u16>,
}

impl Holdings {
    fn count(&self, process: i64) -> usize {
        let held = self.holders.iter().flatten();
        held.filter(|holder| **holder == process).count()
    }

    /// What one of the processes does. Each takes what is free up to its share, rounded up, as far as nobody else lacks it. Where nothing is free, and
    /// somebody has less than a share, rounded down, or more than one, rounded up, the one that has most gives back.
    pub fn decide(&self, me: i64) -> Step {
        let processes = self.live.len().max(1);
        let (least, most) = (
            self.holders.len() / processes,
            self.holders.len().div_ceil(processes),
        );
        let mine = self.count(me);
        let numbered = || (0_u16..).zip(&self.holders);
        // What others lack is left to them.
        let lacking = |process: &i64| least.saturating_sub(self.count(*process));
        let others = self.live.iter().filter(|process| **process != me);
        let left_to_others: usize = others.map(lacking).sum();
        let free: Vec<u16> = numbered()
            .filter(|(_, holder)| holder.is_none())
            .map(|(number, _)| number)
            .collect();
        let own = least.saturating_sub(mine).min(free.len());
        let more = free.len().saturating_sub(own + left_to_others);
        let take = free
            .iter()
            .copied()
            .take((own + more).min(most.saturating_sub(mine)))
            .collect();
        let is_fair = self
            .live
            .iter()
            .all(|process| self.count(*process) >= least);
        let richest = self
            .live
            .iter()
            .max_by_key(|process| (self.count(**process), -**process));
        let gives = (!is_fair || mine > most) && free.is_empty() && richest == Some(&me);
        let of_me = numbered().filter(|(_, holder)| **holder == Some(me));
        let last = of_me.last().map(|(number, _)| number);
        Step {
            take,
            give_back: last.filter(|_| gives),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn apply(holdings: &mut Holdings, me: i64) -> bool {
        let Step { take, give_back } = holdings.decide(me);
        for number in &take {
            holdings.holders[usize::from(*number)] = Some(me);
        }
        if let Some(number) = give_back {
            holdings.holders[usize::from(number)] = None;
        }
        !take.is_empty() || give_back.is_some()
    }

    #[test]
    fn what_a_dead_process_held_is_free_and_a_standby_takes_it() {
        let before = Holdings {
            live: vec![1, 2],
            holders: vec![Some(1)],
        };
        assert_eq!(before.decide(2), Step::default());
        let after = Holdings {
            live: vec![2],
            holders: vec![None],
        };
        assert_eq!(after.decide(2).take, [0]);
    }

    proptest! {
        #[test]
        fn in_the_end_all_partitions_are_held_in_fair_shares_and_nobody_moves_any_more(
            partitions in 1_usize..20,
            processes in 1_i64..8,
            held in proptest::collection::vec(proptest::option::of(1_i64..8), 20),
            order in proptest::collection::vec(0_usize..8, 600),
        ) {
            let live: Vec<i64> = (1..=processes).collect();
            let is_live = |holder: &i64| *holder <= processes;
            let holders = held[..partitions].iter().map(|holder| holder.filter(is_live)).collect();
            let mut holdings = Holdings { live, holders };
            let mut moves = 0;
            for turn in order {
                moves += usize::from(apply(&mut holdings, turn as i64 % processes + 1));
            }
            for process in 1..=processes {
                prop_assert!(!apply(&mut holdings, process), "{holdings:?}");
                let count = holdings.count(process);
                let share = partitions as f64 / processes as f64;
                prop_assert!((count as f64 - share).abs() < 1.0, "{holdings:?}");
            }
            prop_assert!(holdings.holders.iter().all(Option::is_some));
            prop_assert!(moves <= 3 * partitions, "{moves} moves");
        }
    }
}
