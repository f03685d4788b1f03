//! Where only a proxy leads to Discord: HTTP CONNECT and SOCKS5, with and without credentials, and never around it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use kith_core::secret::Secret;
use kith_discord::gateway::GatewayDispatch;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

use crate::gateway::fake_discord::{ANNA, FakeDiscord, GENERAL, LinkFault, World};
use crate::gateway::gateway_test::{GatewayTest, settings};

/// A name that only the proxies know.
const HIDDEN: &str = "gateway.hidden.invalid";

/// What a proxy speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Connect,
    Socks,
}

/// A proxy on loopback that knows the way to [`HIDDEN`]; answers its address and how many came through.
async fn proxy(
    kind: Kind,
    password: Option<&'static str>,
    to: String,
) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let passed = Arc::new(AtomicUsize::new(0));
    let count = passed.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (to, count) = (to.clone(), count.clone());
            tokio::spawn(async move {
                let mut client = BufReader::new(stream);
                let asked = match kind {
                    Kind::Connect => connect(&mut client, password).await,
                    Kind::Socks => socks(&mut client, password).await,
                };
                if asked.unwrap_or_default() == HIDDEN {
                    count.fetch_add(1, Ordering::Relaxed);
                    let mut server = TcpStream::connect(to).await.unwrap();
                    drop(copy_bidirectional(&mut client, &mut server).await);
                }
            });
        }
    });
    (address.to_string(), passed)
}

/// HTTP CONNECT (RFC 9110, 9.3.6); answers the host.
async fn connect(client: &mut BufReader<TcpStream>, password: Option<&str>) -> io::Result<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    while client.read_line(&mut line).await? > 2 {
        lines.push(std::mem::take(&mut line));
    }
    // "me:secret", as RFC 7617 writes it.
    let welcome = match password {
        Some(_) => lines
            .iter()
            .any(|line| line.trim() == "Proxy-Authorization: Basic bWU6c2VjcmV0"),
        None => true,
    };
    let answer = if welcome {
        "200 OK"
    } else {
        "407 Proxy Authentication Required"
    };
    client
        .write_all(format!("HTTP/1.1 {answer}\r\n\r\n").as_bytes())
        .await?;
    let host = lines[0]
        .strip_prefix("CONNECT ")
        .and_then(|rest| rest.split(':').next())
        .unwrap_or_default();
    Ok(if welcome {
        host.to_owned()
    } else {
        String::new()
    })
}

/// SOCKS 5 (RFC 1928) with names, and with name and password (RFC 1929); answers the host.
async fn socks(client: &mut BufReader<TcpStream>, password: Option<&str>) -> io::Result<String> {
    async fn counted(client: &mut BufReader<TcpStream>) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; client.read_u8().await?.into()];
        client.read_exact(&mut bytes).await?;
        Ok(bytes)
    }
    assert_eq!(client.read_u8().await?, 5);
    let methods = counted(client).await?;
    let method = if password.is_some() { 2 } else { 0 };
    if !methods.contains(&method) {
        client.write_all(&[5, 255]).await?;
        return Ok(String::new());
    }
    client.write_all(&[5, method]).await?;
    if let Some(password) = password {
        assert_eq!(client.read_u8().await?, 1);
        let welcome = (counted(client).await?, counted(client).await?)
            == (b"me".to_vec(), password.as_bytes().to_vec());
        client.write_all(&[1, u8::from(!welcome)]).await?;
    }
    let mut head = [0; 4];
    client.read_exact(&mut head).await?;
    assert_eq!(head, [5, 1, 0, 3], "the proxy must be asked by name");
    let host = counted(client).await?;
    client.read_u16().await?;
    client.write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 0]).await?;
    Ok(String::from_utf8_lossy(&host).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gateway_is_reached_through_a_proxy_where_no_other_way_leads() {
    for (kind, scheme) in [
        (Kind::Connect, "http"),
        (Kind::Socks, "socks5"),
        (Kind::Socks, "socks5h"),
    ] {
        for password in [None, Some("secret")] {
            let fake = FakeDiscord::start(World::small());
            let mut settings = settings(&fake).await;
            let target = settings.url.strip_prefix("ws://").unwrap().to_owned();
            let (address, passed) = proxy(kind, password, target).await;
            let credentials = password
                .map(|password| format!("me:{password}@"))
                .unwrap_or_default();
            settings.proxy = Secret::new(format!("{scheme}://{credentials}{address}"));
            settings.url = format!("ws://{HIDDEN}:80");
            let mut rig = GatewayTest::connected_with(settings).await;
            fake.says(GENERAL, ANNA, "through");
            assert_eq!(rig.message().await, "through");
            // READY names the fake's own address to resume at: it is no sibling, so it is not gone to.
            fake.break_links(LinkFault::Drop);
            assert!(rig.connected_again().await.resumed);
            assert_eq!(passed.load(Ordering::Relaxed), 2, "{kind:?}");
            fake.world(|world| assert_eq!(world.log.connects.len(), 2, "{kind:?}"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_that_refuses_is_told_without_its_password_and_never_gone_around() {
    for kind in [Kind::Connect, Kind::Socks] {
        let fake = FakeDiscord::start(World::small());
        let mut settings = settings(&fake).await;
        let target = settings.url.strip_prefix("ws://").unwrap().to_owned();
        let (address, passed) = proxy(kind, Some("secret"), target).await;
        let scheme = if kind == Kind::Connect {
            "http"
        } else {
            "socks5"
        };
        settings.proxy = Secret::new(format!("{scheme}://me:hunter2@{address}"));
        let mut rig = GatewayTest::start(settings).await;
        let notice = rig
            .until("a notice", |dispatch| match dispatch {
                GatewayDispatch::Notice(text) => Some(text),
                _ => None,
            })
            .await;
        assert!(!notice.contains("hunter2"), "{notice}");
        assert_eq!(passed.load(Ordering::Relaxed), 0);
        fake.world(|world| assert!(world.log.connects.is_empty(), "{kind:?}: {notice}"));
    }
}
