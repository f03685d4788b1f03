//! Which part of everything a daemon has, where several share it.

use std::net::SocketAddr;

use super::loop_message::LoopMessage;
use super::monitoring::{MonitoredLoops, MonitoredRun, MonitoringServer};
use crate::settings::Settings;
use kith_core::partition::Partition;
use kith_discord::DiscordShare;
use kith_store::{DatabasePlace, LeaseView};
use kith_system::service_manager;
use tokio::sync::{mpsc, watch};
use tokio::time::Interval;

pub struct PartitionContext {
    pub database: DatabasePlace,
    pub discord: DiscordShare,
    /// Where it is among what runs in this process, for who watches over it.
    pub loops: MonitoredLoops,
    /// The processes that share the companion; none where nothing is shared.
    pub leases: Option<watch::Receiver<LeaseView>>,
}

impl PartitionContext {
    pub fn whole(settings: &Settings) -> Self {
        Self {
            database: settings.database_place(),
            discord: DiscordShare::WHOLE,
            loops: MonitoredLoops::default(),
            leases: None,
        }
    }

    /// Whether it is all there is, and nothing else runs in this process.
    pub(super) fn is_whole(&self) -> bool {
        self.leases.is_none()
    }

    /// Whoever watches over the process sees this part as long as the answer lives.
    pub(super) async fn begin_monitoring(
        &self,
        listen: Option<SocketAddr>,
        loop_sender: &mpsc::Sender<LoopMessage>,
    ) -> anyhow::Result<(Option<MonitoringServer>, MonitoredRun)> {
        // Where several run, who started them has the port.
        let listen = listen.filter(|_| self.is_whole());
        let server = MonitoringServer::open(listen, &self.loops).await?;
        let run = self.loops.add(self.discord.partition, loop_sender);
        Ok((server, run))
    }

    /// When the loop tells that it is alive, so that a hung process is restarted. Of several, their starter tells.
    pub(super) fn find_watchdog(&self) -> Option<Interval> {
        let interval = service_manager::find_watchdog_interval().filter(|_| self.is_whole())?;
        Some(tokio::time::interval(interval))
    }

    /// Where a port of this part is, if the first part's is here: several may run in one process.
    pub fn shift_port(&self, listen: SocketAddr) -> SocketAddr {
        shift_port(listen, self.discord.partition)
    }
}

fn shift_port(mut listen: SocketAddr, partition: Partition) -> SocketAddr {
    // Of port 0 each has one of its own anyway.
    if listen.port() != 0 {
        listen.set_port(listen.port().saturating_add(partition.number()));
    }
    listen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_partition_has_ports_of_its_own() {
        let third = Partition::new(2, 4).unwrap();
        let shift = |listen: &str| shift_port(listen.parse().unwrap(), third).to_string();
        assert_eq!(shift("127.0.0.1:9464"), "127.0.0.1:9466");
        assert_eq!(shift("127.0.0.1:0"), "127.0.0.1:0");
    }
}
