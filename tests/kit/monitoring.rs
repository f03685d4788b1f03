//! The port for programs that watch over `kith`, asked as they ask it.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::kith_process::KithProcess;

/// The table that opens the port.
pub const MONITORED: &str = "[metrics]\nlisten = \"127.0.0.1:0\"\n";

pub async fn probe(kith: &KithProcess, path: &str) -> (u16, String) {
    probe_as(kith, path, None).await
}

/// The same under the name of a host.
pub async fn probe_as(kith: &KithProcess, path: &str, host: Option<&str>) -> (u16, String) {
    let address = find_address(kith).await;
    let http = kith_system::tls::loopback_client().build().unwrap();
    let asked = http.get(format!("{address}{path}"));
    let asked = match host {
        Some(host) => asked.header("host", host),
        None => asked,
    };
    let answer = asked.send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

/// What comes back for bytes that are sent as they are.
pub async fn probe_raw(kith: &KithProcess, request: &str) -> String {
    let address = find_address(kith).await;
    let address = address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

async fn find_address(kith: &KithProcess) -> String {
    kith.until_logged("metrics and health are at ").await;
    let log = kith.log();
    let address = log.rsplit("metrics and health are at ").next().unwrap();
    address.split("/metrics").next().unwrap().to_owned()
}

pub async fn until_probed(kith: &KithProcess, path: &str, status: u16, body: &str) {
    let end = kith_system::clock::monotonic() + crate::PATIENCE;
    loop {
        let answer = probe(kith, path).await;
        if answer == (status, body.to_owned()) {
            return;
        }
        assert!(
            kith_system::clock::monotonic() < end,
            "{path} never said {body:?} but {answer:?}\n{}",
            kith.log()
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
