/**
 * The settings of the private PostgreSQL. They are passed on its command line, which takes precedence over
 * postgresql.conf, as initdb or an operator wrote it.
 */
export const embeddedSettings = (socketFolder: string, clusterName: string): Record<string, string> => ({
  listen_addresses: '',
  // A comma-separated list, so the name is quoted.
  unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  cluster_name: clusterName,

  // Confirmed transactions survive a power cut.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',

  // The service's pool uses a few dozen; the rest is for psql, backups and tests with their own pools.
  max_connections: '100',
  // The data is small, and the system's file cache backs it; only used memory is taken.
  shared_buffers: '128MB',
  // I/O workers help with slow disks and large scans; without them the server has three processes fewer.
  io_method: 'sync',
  // JIT pays off for many rows, and the service reads few.
  jit: 'off',
  // The private server has no replicas, so its WAL needs no data for them.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',

  TimeZone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  datestyle: 'ISO, YMD',

  // A plain log file, without statements and values, which contain personal data.
  logging_collector: 'off',
  log_destination: 'stderr',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
})
