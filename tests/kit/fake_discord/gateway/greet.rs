//! What the gateway answers to what a client says: heartbeats, identify, resume, and everything that ends a link.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value, json};

use super::hub::{Health, Out, Session, is_for};
use super::intents;
use crate::fake_discord::Id;
use crate::fake_discord::shared_state::State;
use crate::fake_discord::wire;
use crate::fake_discord::world::{Channel, Identify, Resume};

/// An answer over the same link.
pub enum GatewayReply {
    Nothing,
    Frame(String),
    Close(u16),
}

/// Above this many guilds a bot must be sharded.
const MOST_GUILDS_ON_A_SHARD: usize = 2500;

/// What Discord says with a close code.
pub fn reason(code: u16) -> &'static str {
    match code {
        4000 => "Unknown error.",
        4001 => "Unknown opcode.",
        4002 => "Error while decoding payload.",
        4003 => "Not authenticated.",
        4004 => "Authentication failed.",
        4005 => "Already authenticated.",
        4007 => "Invalid seq.",
        4008 => "Rate limited.",
        4009 => "Session timed out.",
        4010 => "Invalid shard.",
        4011 => "Sharding required.",
        4012 => "Invalid API version.",
        4013 => "Invalid intent(s).",
        4014 => "Disallowed intent(s).",
        _ => "",
    }
}

/// A client's word on a link.
pub fn hear(state: &mut State, link: u64, said: &Value, health: Health) -> GatewayReply {
    let has_session = state
        .hub
        .links
        .get(&link)
        .is_some_and(|link| link.session.is_some());
    let d = &said["d"];
    match said["op"].as_u64() {
        Some(1) => {
            state.world.log.heartbeats += 1;
            match health {
                Health::Well => {
                    GatewayReply::Frame(r#"{"t":null,"s":null,"op":11,"d":null}"#.into())
                }
                Health::NoAcks | Health::Frozen => GatewayReply::Nothing,
            }
        }
        Some(2) if has_session => GatewayReply::Close(4005),
        Some(2) => identify(state, link, d),
        Some(6) => resume(state, link, d),
        Some(3 | 4 | 8) if !has_session => GatewayReply::Close(4003),
        Some(3) => {
            state.world.log.presence = d.clone();
            GatewayReply::Nothing
        }
        Some(4) => GatewayReply::Nothing,
        Some(8) => members(state, link, d),
        _ => GatewayReply::Close(4001),
    }
}

/// A client that closes with 1000 or 1001 ends its session; with another code it can come back to it.
pub fn closed_by_client(state: &mut State, link: u64, code: Option<u16>) {
    let session = state
        .hub
        .links
        .get(&link)
        .and_then(|link| link.session.clone());
    if let (Some(session), Some(1000 | 1001)) = (session, code) {
        state.hub.sessions.remove(&session);
    }
}

fn identify(state: &mut State, link: u64, d: &Value) -> GatewayReply {
    let now = state.clock.now();
    let intents = d["intents"].as_u64().unwrap_or(u64::MAX);
    let number = |place: usize, otherwise| d["shard"][place].as_u64().unwrap_or(otherwise);
    let shard = (number(0, 0), number(1, 1));
    let mut payload = d.clone();
    payload["token"] = Value::Null;
    state.world.log.identifies.push(Identify {
        at: now,
        intents,
        shard,
        payload,
    });
    state.world.log.presence = d["presence"].clone();
    state.world.starts_left -= 1;
    for key in ["token", "intents", "properties"] {
        if d[key].is_null() {
            state.violations.push(format!("identify without {key}"));
            return GatewayReply::Close(4002);
        }
    }
    if let Some(code) = state.hub.refuse_identify.pop_front() {
        return GatewayReply::Close(code);
    }
    if d["token"]
        .as_str()
        .map(|token| token.trim_start_matches("Bot "))
        != Some(&*state.world.token)
    {
        return GatewayReply::Close(4004);
    }
    if shard.1 == 0 || shard.0 >= shard.1 {
        return GatewayReply::Close(4010);
    }
    let on_shard = state
        .world
        .guilds
        .keys()
        .filter(|guild| is_for(shard, Some(**guild)))
        .count();
    if on_shard >= MOST_GUILDS_ON_A_SHARD {
        return GatewayReply::Close(4011);
    }
    if intents & !intents::KNOWN != 0 {
        return GatewayReply::Close(4013);
    }
    let privileged = crate::fake_discord::world::permissions::PRIVILEGED_INTENTS;
    if intents & privileged & !state.world.granted != 0 {
        return GatewayReply::Close(4014);
    }
    if state.world.starts_left < 0 {
        return GatewayReply::Frame(r#"{"op":9,"d":false}"#.into());
    }
    let number = state.hub.number();
    let id = format!("session-{number}");
    let large_threshold = d["large_threshold"].as_u64().unwrap_or(50);
    let session = Session {
        number,
        intents,
        shard,
        seq: 0,
        kept: VecDeque::new(),
        link: Some(link),
        forgotten: false,
    };
    keep_newest_left(&mut state.hub.sessions, shard);
    state.hub.sessions.insert(id.clone(), session);
    if let Some(link) = state.hub.links.get_mut(&link) {
        link.session = Some(id.clone());
    }
    ready(state, &id, shard, intents, large_threshold);
    GatewayReply::Nothing
}

/// Beside a new session of a shard somebody may still come back to the one before, and to no older one.
fn keep_newest_left(sessions: &mut BTreeMap<String, Session>, shard: (u64, u64)) {
    let left = |session: &Session| session.link.is_none() && session.shard == shard;
    let newest = sessions
        .values()
        .filter(|old| left(old))
        .map(|old| old.number)
        .max();
    sessions.retain(|_, old| !left(old) || Some(old.number) == newest);
}

fn ready(state: &mut State, session: &str, shard: (u64, u64), intents: u64, large_threshold: u64) {
    let world = &state.world;
    let guilds = || {
        let mine = world
            .guilds
            .values()
            .filter(|guild| guild.members.contains_key(&world.bot));
        mine.filter(|guild| is_for(shard, Some(guild.id)))
    };
    let body = json!({
        "v": 10,
        "user": wire::me(world),
        "guilds": guilds().map(|guild| json!({"id": wire::id(guild.id), "unavailable": true})).collect::<Vec<_>>(),
        "session_id": session,
        "session_type": "normal",
        "resume_gateway_url": state.gateway_url,
        "shard": [shard.0, shard.1],
        "application": {"id": wire::id(world.bot), "flags": wire::application_flags(world)},
        "private_channels": [],
        "relationships": [],
        "presences": [],
        "user_settings_proto": "",
        "user_settings": {},
        "guild_join_requests": [],
        "geo_ordered_rtc_regions": [],
        "auth": {},
        "_trace": ["fake"],
    });
    state.hub.tell_one(session, "READY", &body);
    if intents & intents::GUILDS == 0 {
        return;
    }
    let mut channels: BTreeMap<Id, Vec<&Channel>> = BTreeMap::new();
    for channel in world.channels.values() {
        channels
            .entry(channel.guild.unwrap_or_default())
            .or_default()
            .push(channel);
    }
    for guild in guilds().filter(|guild| !guild.unavailable) {
        let own = channels
            .get(&guild.id)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let body = wire::guild_create(world, guild, own, large_threshold);
        state.hub.tell_one(session, "GUILD_CREATE", &body);
    }
}

fn resume(state: &mut State, link: u64, d: &Value) -> GatewayReply {
    let id = d["session_id"].as_str().unwrap_or_default().to_owned();
    let seq = d["seq"].as_u64().unwrap_or(0);
    let at = state.clock.now();
    let known = d["token"]
        .as_str()
        .map(|token| token.trim_start_matches("Bot "))
        == Some(&*state.world.token);
    let session = state.hub.sessions.get(&id).filter(|session| {
        let oldest = session
            .kept
            .front()
            .map_or(session.seq + 1, |(first, _)| *first);
        !session.forgotten && seq <= session.seq && seq + 1 >= oldest
    });
    let granted = known && session.is_some();
    let is_hung_up = state.hub.refuse_resumes > 0;
    state.world.log.resumes.push(Resume {
        at,
        session: id.clone(),
        seq,
        granted: granted && !is_hung_up,
    });
    if is_hung_up {
        state.hub.refuse_resumes -= 1;
        return GatewayReply::Close(4000);
    }
    if !known {
        return GatewayReply::Close(4004);
    }
    let Some(session) = state.hub.sessions.get_mut(&id).filter(|_| granted) else {
        return GatewayReply::Frame(r#"{"t":null,"s":null,"op":9,"d":false}"#.into());
    };
    session.link = Some(link);
    let missed: Vec<_> = session
        .kept
        .iter()
        .filter(|(number, _)| *number > seq)
        .map(|(_, frame)| frame.clone())
        .collect();
    if let Some(link) = state.hub.links.get_mut(&link) {
        link.session = Some(id.clone());
        missed
            .into_iter()
            .for_each(|frame| link.send(Out::Frame(frame)));
    }
    state
        .hub
        .tell_one(&id, "RESUMED", &json!({"_trace": ["fake"]}));
    GatewayReply::Nothing
}

fn members(state: &mut State, link: u64, d: &Value) -> GatewayReply {
    let Some(session) = state
        .hub
        .links
        .get(&link)
        .and_then(|link| link.session.clone())
    else {
        return GatewayReply::Nothing;
    };
    let guild = d["guild_id"]
        .as_str()
        .and_then(|id| id.parse().ok())
        .and_then(|id: Id| state.world.guilds.get(&id));
    let Some(guild) = guild else {
        return GatewayReply::Nothing;
    };
    let wanted: Option<Vec<Id>> = d["user_ids"].as_array().map(|ids| {
        ids.iter()
            .filter_map(|id| {
                id.as_str()
                    .map_or_else(|| id.as_u64(), |id| id.parse().ok())
            })
            .collect()
    });
    let prefix = d["query"].as_str().unwrap_or_default().to_lowercase();
    let found = guild.members.values().filter(|member| match &wanted {
        Some(ids) => ids.contains(&member.user),
        None => state
            .world
            .users
            .get(&member.user)
            .is_some_and(|user| user.name.starts_with(&prefix)),
    });
    let body = json!({
        "guild_id": wire::id(guild.id),
        "members": found.map(|member| wire::member(&state.world, member)).collect::<Vec<_>>(),
        "chunk_index": 0,
        "chunk_count": 1,
        "not_found": [],
        "nonce": d["nonce"],
    });
    state.hub.tell_one(&session, "GUILD_MEMBERS_CHUNK", &body);
    GatewayReply::Nothing
}
