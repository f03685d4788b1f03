//! What is looked at before the first link: whether the token is right, which intents are granted, who the hosts are,
//! where the gateway is, how many shards it wants and how many sessions may still be started.

use kith_language::discord;
use std::time::Duration;

use serde_json::Value;

use super::super::rest::{RequestPriority, RestClient, RestError, RestRequest, RestRoute};
use super::session_start_limit::SessionStartLimit;
use crate::shard_count::ShardCount;
use kith_core::chat::UserId;
use kith_core::partition::Partition;
use kith_core::persona::Language;

/// How long Discord may take to tell the limit before a new session.
const LIMIT_WITHIN: Duration = Duration::from_secs(3);
/// Bits of an application's flags (Discord's documentation, "Application Flags"): the intent granted after a review, and
/// by the switch alone.
const GUILD_MEMBERS: u64 = 1 << 14 | 1 << 15;
const MESSAGE_CONTENT: u64 = 1 << 18 | 1 << 19;
/// A member of a team who has accepted (Discord's documentation, "Membership State").
const ACCEPTED: u64 = 2;
/// The role of a member who may look at a team and what belongs to it, and change nothing (its documentation, "Team Member
/// Roles").
const READ_ONLY: &str = "read_only";

#[derive(Clone, Debug, PartialEq)]
pub struct GatewayInfo {
    pub me: UserId,
    pub name: String,
    pub application: u64,
    pub application_name: String,
    /// The application's owner, or those of its team who have accepted and may do more than read.
    pub hosts: Vec<UserId>,
    pub message_content: bool,
    pub members: bool,
    pub gateway: String,
    pub shards: u16,
    pub limit: SessionStartLimit,
}

#[derive(Clone, Debug, PartialEq)]
pub enum GatewayStartError {
    Token,
    MessageContent {
        /// The application's id, for the address of its page.
        application: u64,
    },
    /// So few sessions are left that starting over and over would use them up, and cost the token.
    FewSessions(SessionStartLimit),
    Rest(RestError),
    Missing(&'static str),
}

/// Asks Discord everything, and says what stands in the way of connecting a partition of so many shards.
pub async fn check_gateway_info(
    rest: &RestClient,
    (shards, partition): (ShardCount, Partition),
) -> Result<GatewayInfo, GatewayStartError> {
    let start = fetch_gateway_info(rest).await?;
    if !start.message_content {
        return Err(GatewayStartError::MessageContent {
            application: start.application,
        });
    }
    let own = partition.shards(shards.resolve(start.shards, partition));
    let is_enough = u32::try_from(own.count()).is_ok_and(|own| start.limit.remaining >= own);
    if start.limit.is_low() || !is_enough {
        return Err(GatewayStartError::FewSessions(start.limit));
    }
    Ok(start)
}

/// Asks Discord everything. What it tells is not judged.
pub async fn fetch_gateway_info(rest: &RestClient) -> Result<GatewayInfo, GatewayStartError> {
    let ask = async |route| {
        rest.call(RestRequest::get(route).priority(RequestPriority::Vital))
            .await
            .map_err(GatewayStartError::from)
    };
    let me = ask(RestRoute::me()).await?;
    let application = ask(RestRoute::application()).await?;
    let gateway = ask(RestRoute::gateway_bot()).await?;
    let flags = application["flags"].as_u64().unwrap_or(0);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(GatewayInfo {
        me: UserId(id(&me["id"]).ok_or(GatewayStartError::Missing("users/@me: id"))?),
        name: text(&me["username"]),
        application: id(&application["id"])
            .ok_or(GatewayStartError::Missing("applications/@me: id"))?,
        application_name: text(&application["name"]),
        hosts: read_hosts(&application),
        message_content: flags & MESSAGE_CONTENT != 0,
        members: flags & GUILD_MEMBERS != 0,
        gateway: gateway["url"]
            .as_str()
            .ok_or(GatewayStartError::Missing("gateway/bot: url"))?
            .to_owned(),
        shards: gateway["shards"]
            .as_u64()
            .and_then(|shards| u16::try_from(shards).ok())
            .unwrap_or(1)
            .max(1),
        limit: read_limit(&gateway).ok_or(GatewayStartError::Missing(
            "gateway/bot: session_start_limit",
        ))?,
    })
}

/// Asks how many sessions may still be started.
pub(super) async fn limit(rest: &RestClient) -> Result<SessionStartLimit, String> {
    let call = RestRequest::get(RestRoute::gateway_bot())
        .priority(RequestPriority::Vital)
        .timeout(LIMIT_WITHIN);
    let gateway = rest.call(call).await.map_err(|why| why.to_string())?;
    read_limit(&gateway).ok_or_else(|| "gateway/bot: session_start_limit is missing".into())
}

fn read_limit(gateway: &Value) -> Option<SessionStartLimit> {
    let limit = &gateway["session_start_limit"];
    let number = |key: &str| {
        limit[key]
            .as_u64()
            .map(|number| u32::try_from(number).unwrap_or(u32::MAX))
    };
    Some(SessionStartLimit {
        total: number("total")?,
        remaining: number("remaining")?,
        renews_in: Duration::from_millis(limit["reset_after"].as_u64()?),
        max_concurrency: number("max_concurrency")
            .and_then(|number| u16::try_from(number).ok())
            .unwrap_or(1)
            .max(1),
    })
}

/// The team where there is one (its owner is an account nobody has), else the owner. Of the team only who may do more than
/// look: hosts approve what the companion does. Its own owner has no role that says so.
fn read_hosts(application: &Value) -> Vec<UserId> {
    let team = &application["team"];
    let owner = id(&team["owner_user_id"]);
    let members = team["members"].as_array().into_iter().flatten();
    let accepted = members.filter(|member| member["membership_state"].as_u64() == Some(ACCEPTED));
    let mut operators: Vec<UserId> = accepted
        .filter_map(|member| Some((id(&member["user"]["id"])?, &member["role"])))
        .filter(|(member, role)| Some(*member) == owner || role.as_str() != Some(READ_ONLY))
        .map(|(member, _)| UserId(member))
        .collect();
    if operators.is_empty() {
        operators.extend(id(&application["owner"]["id"]).map(UserId));
    }
    operators
}

fn id(value: &Value) -> Option<u64> {
    value.as_str()?.parse().ok()
}

impl GatewayStartError {
    /// Whether the same may go well a moment later: Discord is away, or the network is.
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::Rest(why) => why.is_transient(),
            Self::Token | Self::MessageContent { .. } | Self::FewSessions(_) | Self::Missing(_) => {
                false
            }
        }
    }

    /// One sentence that says what to do.
    pub fn describe(&self, language: Language) -> String {
        match self {
            Self::Token => super::close::FatalClose::Token
                .describe(language)
                .to_owned(),
            Self::MessageContent { application } => {
                discord::message_content_missing(application.to_string()).in_language(language)
            }
            Self::FewSessions(limit) => {
                let (left, total, minutes) = (
                    limit.remaining,
                    limit.total,
                    limit.renews_in.as_secs().div_ceil(60),
                );
                discord::starts_used_up(left, minutes, total).in_language(language)
            }
            Self::Rest(why) => {
                let why = why.describe(language);
                discord::cannot_start(why).in_language(language)
            }
            Self::Missing(what) => discord::answer_lacks(what.to_string()).in_language(language),
        }
    }
}

impl From<RestError> for GatewayStartError {
    fn from(why: RestError) -> Self {
        if why == RestError::Unauthorized {
            Self::Token
        } else {
            Self::Rest(why)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_team_hosts_where_there_is_one_and_who_was_only_invited_does_not() {
        let owner = json!({ "owner": { "id": "7" }, "team": null });
        assert_eq!(read_hosts(&owner), [UserId(7)]);
        let member =
            |id: &str, state: u64| json!({ "user": { "id": id }, "membership_state": state });
        let team = json!({ "owner": { "id": "7" }, "team": { "members": [member("1", 2), member("2", 1)] } });
        assert_eq!(read_hosts(&team), [UserId(1)]);
    }

    #[test]
    fn who_may_only_look_at_the_team_is_no_host_unless_the_team_is_theirs() {
        let member = |id: &str, role: Option<&str>| json!({ "user": { "id": id }, "membership_state": 2, "role": role });
        let members = [
            member("1", Some("admin")),
            member("2", Some("developer")),
            member("3", Some("read_only")),
            member("4", Some("read_only")),
            member("5", None),
        ];
        let team = json!({
            "owner": { "id": "7" },
            "team": { "owner_user_id": "4", "members": members },
        });
        assert_eq!(read_hosts(&team), [1, 2, 4, 5].map(UserId));
    }

    #[test]
    fn every_error_says_what_to_do_in_both_languages() {
        let limit = SessionStartLimit {
            total: 1000,
            remaining: 3,
            renews_in: Duration::from_secs(61),
            max_concurrency: 1,
        };
        let errors = [
            GatewayStartError::MessageContent { application: 42 },
            GatewayStartError::FewSessions(limit),
        ];
        let english = errors.each_ref().map(|error| error.describe(Language::EN));
        assert!(english[0].contains("Message Content Intent") && english[0].contains("/42/bot"));
        assert!(english[1].contains("3 of 1000") && english[1].contains("2 min"));
        for error in &errors {
            assert_ne!(error.describe(Language::EN), error.describe(Language::ZH));
        }
    }
}
