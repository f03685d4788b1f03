//! The gateway against a fake Discord on loopback, over real sockets: sessions that survive, storms that do not happen,
//! refusals that say what to do, proxies, and everything passed on in order.

use kith_testkit::fake_discord;

mod compression;
mod cost;
mod event_order;
mod gateway_test;
mod outages;
mod proxies;
mod reconnect_storms;
mod refusals;
mod sessions;
