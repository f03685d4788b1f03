//! Where names may lead.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// Public at first, then somewhere else.
struct ChangingResolver(AtomicUsize);

impl NameLookup for ChangingResolver {
    fn look_up(&self, _: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let addresses = match self.0.fetch_add(1, Ordering::Relaxed) {
            0 => vec![[93, 184, 216, 34].into()],
            1 => vec![[127, 0, 0, 1].into()],
            _ => vec![[93, 184, 216, 34].into(), [10, 0, 0, 5].into()],
        };
        std::future::ready(Ok(addresses)).boxed()
    }
}

#[tokio::test]
async fn every_look_up_is_checked_and_what_it_answered_is_what_is_connected_to() {
    let names: Arc<dyn NameLookup> = Arc::new(ChangingResolver(AtomicUsize::new(0)));
    let strict = GuardedResolver {
        names,
        allow_private: false,
    };
    let name = || "turning.test".parse().unwrap();
    let first: Vec<SocketAddr> = strict.resolve(name()).await.unwrap().collect();
    assert_eq!(first, ["93.184.216.34:0".parse().unwrap()]);
    for kind in ["an address of this machine", "a private address"] {
        let Err(error) = strict.resolve(name()).await else {
            panic!("{kind} was let through")
        };
        let told = format!("turning.test leads to {kind}, and only public ones are fetched from");
        assert_eq!(error.to_string(), told);
    }
}
