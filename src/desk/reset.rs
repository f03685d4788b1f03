//! `/kith reset`: what was set by hand is taken back, and the settings files count again.

use std::collections::BTreeSet;

use super::rights::{Outcome, Visit, text};
use super::{Change, Extent};
use crate::core::by_hand::Place;

pub(super) async fn answer(visit: &Visit<'_>, extent: Extent) -> Outcome {
    visit.may_steer()?;
    let (here, where_en, where_zh) = visit.extent(extent);
    // The whole guild means its channels, too: a channel of its own mind would be a surprise.
    let within: BTreeSet<Place> = match here {
        Place::Channel(_) => BTreeSet::from([here]),
        Place::Guild(guild) => visit.channels_of(guild).await?.into_iter().map(Place::Channel).chain([here]).collect(),
    };
    let set: BTreeSet<Place> = visit.desk.store.by_hand().await?.into_iter().map(|set| set.place).collect();
    let places: Vec<Place> = set.intersection(&within).copied().collect();
    if places.is_empty() {
        let said = visit.say(
            format!("Nothing was set by hand {where_en}: the settings of the host count."),
            format!("{where_zh}没有手动设置过任何内容：以部署者的设置为准。"),
        );
        return text(said, Vec::new());
    }
    for place in &places {
        visit.desk.store.reset_by_hand(*place).await?;
    }
    text(
        visit.say(
            format!("What was set by hand {where_en} is taken back: the settings of the host count again."),
            format!("{where_zh}的手动设置已撤销：重新以部署者的设置为准。"),
        ),
        places.into_iter().map(Change::Reset).collect(),
    )
}
