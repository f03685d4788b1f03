//! REST: connections, and what each request goes through: faults, the token, rate limits, its route, the description.

mod access;
mod answers;
mod application;
mod errors;
mod form;
mod http;
mod members;
mod messages;
mod posting;
mod routes;
mod threads;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, BufReader};
use tokio::net::TcpStream;

use super::limits::{BucketStatus, TooEarly};
use super::port::Port;
use super::shared_state::{Shared, State};
use super::world::Request;
use super::{ConnectionPolicy, Fault};
use http::{Answer, Body, Call};

enum Plan {
    Answer(Answer),
    Late(Duration, Answer),
    /// Says nothing until the client hangs up.
    Hang,
    HangUp,
}

/// The base path of the version that is spoken.
const BASE: &str = "/api/v10";

/// Receives connections as long as the runtime lives and the door is open.
pub async fn listen(mut port: Port, shared: Arc<Shared>) {
    let mut doors = shared.rest_door.subscribe();
    loop {
        let door = *doors.borrow_and_update();
        if door == ConnectionPolicy::Refused {
            port.shut();
            shared.rest_door_stands.send_replace(door);
            let _ = doors.changed().await;
            continue;
        }
        let listener = port.open();
        shared.rest_door_stands.send_replace(door);
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) if *doors.borrow() == ConnectionPolicy::Open => {
                    shared.assert_loopback(peer);
                    tokio::spawn(serve(stream, shared.clone()));
                }
                // Dropped before a word of the request was read.
                other => drop(other),
            },
            _ = doors.changed() => {}
        }
    }
}

/// Speaks on a connection until either side ends it, or the door is shut while nothing is being asked.
async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    let _ = stream.set_nodelay(true);
    let mut doors = shared.rest_door.subscribe();
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    loop {
        let call = tokio::select! {
            call = http::read(&mut reader) => call,
            _ = doors.wait_for(|door| *door != ConnectionPolicy::Open) => return,
        };
        let Some(call) = call.filter(|_| *doors.borrow() == ConnectionPolicy::Open) else {
            return;
        };
        let answer = match shared.change(|state| state.plan(call)) {
            Plan::Answer(answer) => answer,
            Plan::Late(time, answer) => {
                tokio::time::sleep(time).await;
                answer
            }
            Plan::Hang => {
                while matches!(reader.read(&mut [0; 64]).await, Ok(count) if count > 0) {}
                return;
            }
            Plan::HangUp => return,
        };
        if answer.write(&mut writer).await.is_err() {
            return;
        }
    }
}

impl State {
    fn plan(&mut self, mut call: Call) -> Plan {
        let is_api = call.path.starts_with(BASE);
        if is_api {
            call.path.drain(..BASE.len());
        }
        let number = self.world.log.requests.len();
        self.world
            .log
            .requests
            .push(record(self.clock.now(), &call));
        let mut plan = if is_api {
            let fault = self.faults.take(&call.method, &call.path);
            self.suffer(fault, &call)
        } else {
            let fault = self.faults.take(&call.method, &call.path);
            self.hand_out(fault, &call)
        };
        if let Plan::Answer(answer) | Plan::Late(_, answer) = &mut plan {
            let date = self
                .tells_date
                .then(|| super::clock::http_date(self.clock.now()));
            answer.headers.extend(date.map(|date| ("date", date)));
            self.world.log.requests[number].status = Some(answer.status);
        }
        plan
    }

    /// A file, or what goes wrong with it.
    fn hand_out(&mut self, fault: Option<Fault>, call: &Call) -> Plan {
        let file = self.file(call);
        match fault {
            Some(Fault::Hang) => Plan::Hang,
            Some(Fault::Drop) => Plan::HangUp,
            Some(Fault::Slow(time)) => Plan::Late(time, file),
            Some(Fault::Status(status)) => Plan::Answer(Answer::new(status, Body::Nothing)),
            _ => Plan::Answer(file),
        }
    }

    /// A file of an attachment, which anybody may fetch who knows its address.
    fn file(&mut self, call: &Call) -> Answer {
        if call.headers.contains_key("authorization") {
            self.violations
                .push(format!("the token was sent along to fetch {}", call.path));
        }
        match self.world.files.get(&call.path) {
            Some(file) => Answer::new(200, Body::Other("application/octet-stream", file.clone())),
            None => {
                self.violations
                    .push(format!("{} {} is not under {BASE}", call.method, call.path));
                errors::not_found()
            }
        }
    }

    fn suffer(&mut self, fault: Option<Fault>, call: &Call) -> Plan {
        let (method, path) = (call.method.as_str(), call.path.as_str());
        match fault {
            None => Plan::Answer(self.answer(call)),
            Some(Fault::Slow(time)) => Plan::Late(time, self.answer(call)),
            Some(Fault::RouteLimit(time)) => {
                Plan::Answer(too_early(self.limits.block(method, path, false, time)))
            }
            Some(Fault::GlobalLimit(time)) => {
                Plan::Answer(too_early(self.limits.block(method, path, true, time)))
            }
            Some(Fault::Html429(time)) => {
                let page = b"<!DOCTYPE html><html><title>Access denied | discord.com used Cloudflare</title></html>";
                let mut answer =
                    Answer::new(429, Body::Other("text/html; charset=UTF-8", page.to_vec()));
                answer.headers.push(("retry-after", seconds_up(time)));
                Plan::Answer(answer)
            }
            Some(Fault::Untold429 { page }) => {
                let page = if page {
                    b"<html>slow down</html>".to_vec()
                } else {
                    b"{\"message\": \"Slow down.\"}".to_vec()
                };
                Plan::Answer(Answer::new(429, Body::Other("text/plain", page)))
            }
            Some(Fault::Refused(code)) => Plan::Answer(errors::code(code)),
            Some(Fault::Status(status)) => {
                let body = json!({"message": format!("{status}: Scripted"), "code": 0});
                Plan::Answer(Answer::new(status, Body::Json(body)))
            }
            Some(Fault::Hang) => Plan::Hang,
            Some(Fault::Drop) => Plan::HangUp,
            Some(Fault::DoneBut504) => {
                self.answer(call);
                Plan::Answer(Answer::new(
                    504,
                    Body::Other("text/html", b"<html>504 Gateway Time-out</html>".to_vec()),
                ))
            }
            Some(Fault::DoneButGarbage) => {
                self.answer(call);
                Plan::Answer(Answer::new(
                    200,
                    Body::Other("application/json", b"{\"id\": \"12".to_vec()),
                ))
            }
            Some(Fault::DoneButHang) => {
                self.answer(call);
                Plan::Hang
            }
            Some(Fault::DoneButDrop) => {
                self.answer(call);
                Plan::HangUp
            }
        }
    }

    /// The answer of a Discord that works.
    fn answer(&mut self, call: &Call) -> Answer {
        let (method, path) = (call.method.as_str(), call.path.as_str());
        let needs_token = !path.starts_with("/interactions/")
            && !path.starts_with("/webhooks/")
            && path != "/gateway";
        if needs_token
            && call.headers.get("authorization") != Some(&format!("Bot {}", self.world.token))
        {
            return errors::unauthorized();
        }
        let standing = match self.limits.take(method, path) {
            Ok(standing) => standing,
            Err(early) => return too_early(early),
        };
        let mut answer = if call.malformed {
            errors::code(50109)
        } else {
            self.judged(call)
        };
        answer
            .headers
            .extend(standing_headers(&standing, self.clock.now()));
        answer
    }

    fn judged(&mut self, call: &Call) -> Answer {
        let (method, path) = (call.method.as_str(), call.path.as_str());
        if let Some(description) = self.description {
            self.violations
                .extend(description.check_request(method, path, &call.body));
        }
        let answer = self.route(call).unwrap_or_else(|refusal| refusal);
        if answer.status == 400 {
            // Whatever was sent, Discord would have said that it is wrong.
            self.violations.extend(
                errors::is_malformed(&answer)
                    .then(|| format!("{method} {path} {}: {:?}", call.body, answer.body)),
            );
        }
        if let Some(description) = self.description
            && answer.status < 300
        {
            let body = match &answer.body {
                Body::Json(body) => body,
                Body::Nothing | Body::Other(..) => &Value::Null,
            };
            self.violations
                .extend(description.check_answer(method, path, answer.status, body));
        }
        answer
    }
}

fn record(at: i64, call: &Call) -> Request {
    let mut headers: BTreeMap<String, String> = call.headers.clone();
    headers.remove("authorization");
    Request {
        at,
        method: call.method.clone(),
        path: call.path.clone(),
        query: call.query.clone(),
        headers,
        body: call.body.clone(),
        files: call
            .files
            .iter()
            .map(|file| (file.name.clone(), file.bytes.len()))
            .collect(),
        status: None,
    }
}

fn standing_headers(standing: &BucketStatus, now: i64) -> Vec<(&'static str, String)> {
    let reset = now as f64 / 1000.0 + standing.reset_after.as_secs_f64();
    vec![
        ("x-ratelimit-bucket", standing.bucket.clone()),
        ("x-ratelimit-limit", standing.limit.to_string()),
        ("x-ratelimit-remaining", standing.remaining.to_string()),
        ("x-ratelimit-reset", format!("{reset:.3}")),
        (
            "x-ratelimit-reset-after",
            format!("{:.3}", standing.reset_after.as_secs_f64()),
        ),
    ]
}

fn too_early(early: TooEarly) -> Answer {
    let seconds = early.retry_after.as_secs_f64();
    let body = json!({"message": "You are being rate limited.", "retry_after": seconds, "global": early.global});
    let mut answer = Answer::new(429, Body::Json(body));
    answer
        .headers
        .push(("retry-after", seconds_up(early.retry_after)));
    answer.headers.push(("via", "1.1 google".into()));
    match (early.global, &early.standing) {
        (true, _) => {
            answer.headers.push(("x-ratelimit-global", "true".into()));
            answer.headers.push(("x-ratelimit-scope", "global".into()));
        }
        (false, Some(standing)) => {
            answer.headers.push(("x-ratelimit-scope", "user".into()));
            answer
                .headers
                .extend(standing_headers(standing, kith_system::clock::now()));
        }
        (false, None) => {}
    }
    answer
}

/// Whole seconds, rounded up, as the header has them.
fn seconds_up(time: Duration) -> String {
    time.as_secs_f64().ceil().to_string()
}
