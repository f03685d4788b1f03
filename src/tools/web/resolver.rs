//! From names to addresses, for the guarded client: what is looked up here is what is connected to, so that no name can
//! lead to one address when it is checked and to another when it is used.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::error::HostRefusal;
use super::private_address::describe_non_public;

pub trait NameLookup: Send + Sync {
    fn look_up(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

pub(super) struct SystemResolver;

impl NameLookup for SystemResolver {
    fn look_up(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let name = name.to_owned();
        async move {
            Ok(tokio::net::lookup_host((name, 0))
                .await?
                .map(|found| found.ip())
                .collect())
        }
        .boxed()
    }
}

pub(super) struct GuardedResolver {
    pub names: Arc<dyn NameLookup>,
    /// Whether addresses that are not public are handed on, too: only for places that the host named.
    pub allow_private: bool,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (found, any) = (self.names.look_up(name.as_str()), self.allow_private);
        Box::pin(async move {
            let found = found.await?;
            // One of many is enough: which of them is connected to is nobody's choice here.
            if let Some(kind) = found
                .iter()
                .find_map(|address| describe_non_public(*address))
                .filter(|_| !any)
            {
                return Err(HostRefusal {
                    host: name.as_str().to_owned(),
                    looked_up: true,
                    kind,
                }
                .into());
            }
            Ok(Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}

#[cfg(test)]
#[path = "../tests/inside/resolver.rs"]
mod tests;
