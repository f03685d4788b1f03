//! People use commands, menus and buttons. What is not registered or not shown cannot be used.

use serde_json::{Map, Value, json};

use crate::fake_discord::FakeDiscord;
use crate::fake_discord::Id;
use crate::fake_discord::gateway::Dispatch;
use crate::fake_discord::shared_state::State;
use crate::fake_discord::wire::{self, InteractionData};
use crate::fake_discord::world::{Interaction, Message, World};

impl FakeDiscord {
    /// Somebody uses a slash command, `kith pause`, with options by name, `json!({"for": "30m"})`.
    pub fn slash(&self, channel: Id, user: Id, command: &str, options: Value) -> Id {
        self.shared.change(|state| {
            let data = slash_data(state, channel, command, &options);
            ask(
                state,
                channel,
                user,
                InteractionData {
                    kind: 2,
                    data,
                    message: None,
                },
                None,
            )
        })
    }

    /// Somebody uses a message menu (`Why?`) on a message.
    pub fn menu(&self, channel: Id, user: Id, name: &str, message: Id) -> Id {
        self.shared.change(|state| {
            let command = registered(&state.world, name, 3);
            let target = state.world.message(channel, message).unwrap_or_else(|| panic!("no message {message}"));
            let data = json!({
                "id": command["id"], "name": name, "type": 3, "target_id": wire::id(message),
                "resolved": {"messages": {message.to_string(): wire::message(&state.world, target)}},
            });
            ask(state, channel, user, InteractionData { kind: 2, data, message: None }, None)
        })
    }

    /// Somebody presses a button under a message of the bot's, an ephemeral one, too.
    pub fn presses(&self, channel: Id, user: Id, message: Id, custom_id: &str) -> Id {
        self.shared.change(|state| {
            let shown = anywhere(&state.world, channel, message);
            let button = button(&shown.components, custom_id);
            let button = button.unwrap_or_else(|| panic!("no button {custom_id} in {:?}", shown.components));
            assert!(button["disabled"] != true, "the button {custom_id} is disabled");
            let mut data = json!({"custom_id": custom_id, "component_type": button["type"], "id": button["id"]});
            if let Some(values) = button.get("options") {
                data["values"] = json!([values[0]["value"]]);
            }
            let body = wire::message(&state.world, shown);
            ask(state, channel, user, InteractionData { kind: 3, data, message: Some(body) }, Some(message))
        })
    }

    pub fn interaction(&self, id: Id) -> Interaction {
        self.world(|world| world.interactions[&id].clone())
    }

    pub async fn answer(&self, id: Id) -> Message {
        let shown = |world: &World| {
            let interaction = &world.interactions[&id];
            interaction
                .answer
                .clone()
                .filter(|_| interaction.is_shown())
        };
        self.until("the answer to an interaction", shown).await
    }
}

/// A registered command of this name and Discord's number for its kind.
fn registered<'a>(world: &'a World, name: &str, kind: u64) -> &'a Value {
    let known = world
        .commands
        .iter()
        .find(|command| command["name"] == name && command["type"] == kind);
    known.unwrap_or_else(|| {
        panic!(
            "no command {name} of type {kind} is registered: {:#?}",
            world.commands
        )
    })
}

fn slash_data(state: &State, channel: Id, line: &str, options: &Value) -> Value {
    let mut words = line.split(' ');
    let name = words.next().unwrap_or_default();
    let command = registered(&state.world, name, 1);
    let mut path = Vec::new();
    let mut place = command;
    for word in words {
        let inner = place["options"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|option| option["name"] == word);
        place = inner.unwrap_or_else(|| panic!("/{line}: there is no {word}"));
        path.push(place);
    }
    let mut resolved = Map::new();
    let known = place["options"].as_array().cloned().unwrap_or_default();
    let given: Vec<Value> = options
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, value)| {
            let option = known.iter().find(|option| option["name"] == *key);
            let option = option.unwrap_or_else(|| panic!("/{line} has no option {key}"));
            resolve(
                state,
                channel,
                option["type"].as_u64(),
                value,
                &mut resolved,
            );
            json!({"name": key, "type": option["type"], "value": value})
        })
        .collect();
    for option in known.iter().filter(|option| option["required"] == true) {
        assert!(
            given.iter().any(|given| given["name"] == option["name"]),
            "/{line} needs {}",
            option["name"]
        );
    }
    let wrap = |inner: Vec<Value>, outer: &&Value| {
        vec![json!({"name": outer["name"], "type": outer["type"], "options": inner})]
    };
    let options = path.iter().rev().fold(given, wrap);
    let mut data = json!({"id": command["id"], "name": name, "type": 1, "options": options});
    if !resolved.is_empty() {
        data["resolved"] = resolved.into();
    }
    data
}

/// Tells what an option's id stands for: 6 is a user, 7 a channel, 8 a role.
fn resolve(
    state: &State,
    channel: Id,
    kind: Option<u64>,
    value: &Value,
    resolved: &mut Map<String, Value>,
) {
    let Some(id) = value.as_str().and_then(|id| id.parse::<Id>().ok()) else {
        return;
    };
    let guild = state.world.guild_of(channel);
    let mut put = |group: &str, found: Option<Value>| {
        let list = resolved.entry(group).or_insert_with(|| json!({}));
        if let Some(found) = found {
            list[id.to_string()] = found;
        }
    };
    match kind {
        Some(6) => {
            put("users", Some(wire::user_of(&state.world, id)));
            put(
                "members",
                guild
                    .and_then(|guild| guild.members.get(&id))
                    .map(wire::partial_member),
            );
        }
        Some(7) => put(
            "channels",
            state.world.channels.get(&id).map(|channel| {
                let mut channel = wire::channel(&state.world, channel);
                channel["permissions"] = "0".into();
                channel
            }),
        ),
        Some(8) => put(
            "roles",
            guild.and_then(|guild| guild.roles.get(&id)).map(wire::role),
        ),
        _ => {}
    }
}

/// A message of a channel, or one that only the caller of an interaction sees.
fn anywhere(world: &World, channel: Id, id: Id) -> &Message {
    let found = world.message(channel, id).or_else(|| world.find_hidden(id));
    found.unwrap_or_else(|| panic!("no message {id}"))
}

fn button<'a>(components: &'a [Value], custom_id: &str) -> Option<&'a Value> {
    components
        .iter()
        .find_map(|component| match component["components"].as_array() {
            Some(inner) => button(inner, custom_id),
            None => Some(component).filter(|component| component["custom_id"] == custom_id),
        })
}

fn ask(state: &mut State, channel: Id, user: Id, asked: InteractionData, on: Option<Id>) -> Id {
    let id = state.new_id();
    let at = state.clock.now();
    let interaction = Interaction {
        id,
        token: format!("aW50ZXJhY3Rpb246-{id}"),
        channel,
        user,
        at,
        on,
        callback: None,
        answered_at: None,
        body: Value::Null,
        answer: None,
        followups: Vec::new(),
    };
    let body = wire::interaction(&state.world, &interaction, asked, at);
    state.world.interactions.insert(id, interaction);
    let guild = state.world.channel(channel).guild;
    state.hub.dispatch(Dispatch {
        kind: "INTERACTION_CREATE",
        guild,
        needs: 0,
        private: false,
        body,
    });
    id
}
