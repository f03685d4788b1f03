//! Kith on Discord as people meet it: the real daemon against a fake Discord over real sockets, with a scripted model.
//! Nothing here leaves the loopback interface.

mod allowed;
mod approvals;
mod archived;
mod chaos;
mod commands;
mod direct;
#[path = "../support/fake_discord/mod.rs"]
mod fake_discord;
mod gone;
mod hands;
#[path = "../support/house.rs"]
#[expect(dead_code, reason = "the room's half of the house is for its own tests")]
mod house;
mod idle;
mod late;
mod log_buttons;
mod looks;
mod made_while_away;
mod manners;
mod moderation;
mod modes;
mod modes_reset;
mod namesakes;
mod orphaned;
mod outage;
mod own_lines;
mod people;
mod pictures;
mod privacy;
mod reacting;
mod rights;
mod sessions;
mod shards;
mod speaking;
mod starting;
mod stickers;
mod storm;
mod talking;
mod thrown_out;
mod told;
mod town;
mod unquoted;
mod unstored;
#[path = "../support/wakes.rs"]
mod wakes;
