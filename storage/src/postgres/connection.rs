//! The way to the server: an address, a pool, and how a connection is set up.

use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime, Timeouts};
use enza_runtime::seams::store::Failure;
use tokio_postgres::config::Host;
use tokio_postgres::{Config, NoTls, Row, types::ToSql};

use crate::fault::Fault;
use crate::open::Durability;

/// Connections at once, at most: the writers' and those of reads.
const CONNECTIONS: usize = 16;

/// How long to wait for a connection to be made, or for one to be free.
const PATIENCE: Duration = Duration::from_secs(10);

/// The driver's reading of an address, with our settings added.
pub(super) fn config(url: &str, durability: Durability) -> Result<Config, Failure> {
    // The driver's complaint may quote the address, and the address may hold a password.
    let unreadable = |_| Failure::Other("the address of the database cannot be read as postgres://…".to_owned());
    let mut config: Config = url.parse().map_err(unreadable)?;
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(PATIENCE);
    }
    if config.get_application_name().is_none() {
        config.application_name("enza");
    }
    let synchronous = match durability {
        Durability::Full => "on",
        Durability::Normal => "off",
    };
    let options = config.get_options().unwrap_or_default();
    let options = format!("{options} -c synchronous_commit={synchronous} -c client_min_messages=warning");
    config.options(options.trim());
    Ok(config)
}

/// Where that is, for people: `host:port/database`.
pub(super) fn place(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(path)) => path.display().to_string(),
        None => "localhost".to_owned(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432);
    format!("{host}:{port}/{}", config.get_dbname().or(config.get_user()).unwrap_or_default())
}

/// Connections that are made as they are needed, and again after they were lost.
pub(super) fn pool(config: Config) -> Result<Pool, Failure> {
    let manager = Manager::from_config(config, NoTls, ManagerConfig { recycling_method: RecyclingMethod::Fast });
    Pool::builder(manager)
        .max_size(CONNECTIONS)
        .timeouts(Timeouts { wait: Some(PATIENCE), create: Some(PATIENCE), recycle: Some(PATIENCE) })
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|why| Failure::Other(why.to_string()))
}

/// The first row of an answer.
pub(super) async fn first(pool: &Pool, sql: &str, with: &[&(dyn ToSql + Sync)]) -> Result<Option<Row>, Fault> {
    let connection = pool.get().await?;
    let statement = connection.prepare_cached(sql).await?;
    Ok(connection.query_opt(&statement, with).await?)
}

/// Every row of an answer.
pub(super) async fn all(pool: &Pool, sql: &str, with: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, Fault> {
    let connection: Object = pool.get().await?;
    let statement = connection.prepare_cached(sql).await?;
    Ok(connection.query(&statement, with).await?)
}
