//! The application: where the gateway is, who the bot is, and its commands.

use serde_json::{Value, json};

use super::errors::{code, form};
use super::form;
use super::http::{Answer, Call};
use super::routes::Result;
use crate::fake_discord::Id;
use crate::fake_discord::gateway::Dispatch;
use crate::fake_discord::shared_state::State;
use crate::fake_discord::wire;

impl State {
    pub(super) fn gateway(&mut self) -> Result {
        Ok(Answer::json(json!({"url": self.told_gateway()})))
    }

    fn told_gateway(&self) -> String {
        self.world
            .gateway_url
            .clone()
            .unwrap_or_else(|| self.gateway_url.clone())
    }

    pub(super) fn gateway_bot(&mut self) -> Result {
        Ok(Answer::json(json!({
            "url": self.told_gateway(),
            "shards": self.world.shards,
            "session_start_limit": {
                "total": 1000,
                "remaining": self.world.starts_left.max(0),
                "reset_after": 14_400_000,
                "max_concurrency": self.world.max_concurrency,
            },
        })))
    }

    pub(super) fn application(&mut self) -> Result {
        Ok(Answer::json(wire::application(&self.world)))
    }

    pub(super) fn me(&mut self) -> Result {
        Ok(Answer::json(wire::me(&self.world)))
    }

    pub(super) fn user(&mut self, user: Id) -> Result {
        let found = self.world.users.get(&user).ok_or_else(|| code(10013))?;
        Ok(Answer::json(wire::user(found)))
    }

    pub(super) fn patch_me(&mut self, call: &Call) -> Result {
        form::keys(&call.body, &["username", "avatar", "banner"])?;
        let picture = call.body["avatar"].as_str();
        if picture
            .is_some_and(|data| !data.starts_with("data:image/") || !data.contains(";base64,"))
        {
            return Err(form("avatar", "IMAGE_INVALID", "Invalid image data"));
        }
        let mark = format!("{:032x}", self.new_id());
        let bot = self
            .world
            .users
            .get_mut(&self.world.bot)
            .expect("the bot is a user");
        if let Some(name) = call.body["username"].as_str() {
            bot.name = name.into();
        }
        match call.body.get("avatar") {
            None => {}
            Some(Value::Null) => bot.avatar = None,
            Some(_) => bot.avatar = Some(mark),
        }
        let body = wire::me(&self.world);
        let told = body.clone();
        self.hub.dispatch(Dispatch {
            kind: "USER_UPDATE",
            guild: None,
            needs: 0,
            private: false,
            body: told,
        });
        Ok(Answer::json(body))
    }

    /// The commands; in all languages only for those who ask for that.
    pub(super) fn commands(&mut self, app: Id, call: &Call) -> Result {
        self.own_application(app)?;
        let mut commands: Value = self.world.commands.clone().into();
        if call
            .query
            .get("with_localizations")
            .is_none_or(|wanted| wanted != "true")
        {
            strip_localizations(&mut commands);
        }
        Ok(Answer::json(commands))
    }

    fn own_application(&self, app: Id) -> Result<()> {
        if app == self.world.bot {
            Ok(())
        } else {
            Err(code(20012))
        }
    }

    pub(super) fn put_commands(&mut self, app: Id, call: &Call) -> Result {
        self.own_application(app)?;
        let given = call.body.as_array().cloned().unwrap_or_default();
        let mut names: Vec<(u64, &str)> = Vec::new();
        form::is("commands", &call.body)?;
        for command in &given {
            check_command(command)?;
            let name = (
                command["type"].as_u64().unwrap_or(1),
                command["name"].as_str().unwrap_or_default(),
            );
            if names.contains(&name) {
                return Err(form(
                    "name",
                    "APPLICATION_COMMANDS_DUPLICATE_NAME",
                    "Names must be unique.",
                ));
            }
            names.push(name);
        }
        let registered = given
            .iter()
            .map(|command| self.register(command))
            .collect::<Vec<Value>>();
        self.world.commands = registered;
        self.world.overwrites += 1;
        Ok(Answer::json(self.world.commands.clone().into()))
    }

    /// A command as Discord tells it again; it keeps its id if one of this name and type was there.
    fn register(&mut self, given: &Value) -> Value {
        let kind = given["type"].as_u64().unwrap_or(1);
        let same = |old: &&Value| old["name"] == given["name"] && old["type"] == kind;
        let id = self
            .world
            .commands
            .iter()
            .find(same)
            .map(|old| old["id"].clone());
        let id = id.unwrap_or_else(|| wire::id(self.new_id()));
        let mut command = json!({
            "id": id,
            "application_id": wire::id(self.world.bot),
            "version": wire::id(self.new_id()),
            "default_member_permissions": given["default_member_permissions"].as_str(),
            "type": kind,
            "name": given["name"],
            "name_localizations": given.get("name_localizations"),
            "description": given["description"].as_str().unwrap_or_default(),
            "description_localizations": given.get("description_localizations"),
            "dm_permission": given["dm_permission"].as_bool().unwrap_or(true),
            "contexts": given.get("contexts"),
            "integration_types": given["integration_types"].as_array().cloned().unwrap_or_else(|| vec![0.into()]),
            "nsfw": given["nsfw"] == true,
        });
        if let Some(number) = given["default_member_permissions"].as_u64() {
            command["default_member_permissions"] = number.to_string().into();
        }
        if let Some(options) = given.get("options").filter(|options| options.is_array()) {
            command["options"] = options.clone();
        }
        command
    }
}

fn strip_localizations(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(strip_localizations),
        Value::Object(map) => {
            map.retain(|key, _| key != "name_localizations" && key != "description_localizations");
            map.values_mut().for_each(strip_localizations);
        }
        _ => {}
    }
}

/// What no form says of a command: what is required stands first, and all of it is not too large.
fn check_command(command: &Value) -> Result<()> {
    if check_options(command)? > 8000 {
        return Err(form(
            "options",
            "APPLICATION_COMMAND_TOO_LARGE",
            "More than 8000 in all",
        ));
    }
    Ok(())
}

/// How many characters are in a command or an option and all below it.
fn check_options(command: &Value) -> Result<usize> {
    let length = |key: &str| command[key].as_str().map_or(0, |text| text.chars().count());
    let options = command["options"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    if !options.is_sorted_by_key(|option| option["required"] != true) {
        return Err(form(
            "options",
            "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
            "Required ones stand first",
        ));
    }
    options
        .iter()
        .try_fold(length("name") + length("description"), |size, option| {
            Ok(size + check_options(option)?)
        })
}
