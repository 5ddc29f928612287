/**
 * PostgreSQL's settings for the private server. They are given on its command line, so what initdb found out about the
 * machine, or somebody wrote into postgresql.conf, does not change them.
 */
export const embeddedSettings = (socketFolder: string, clusterName: string): Record<string, string> => ({
  listen_addresses: '',
  // A list, in which a comma separates unless the name is quoted.
  unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  cluster_name: clusterName,

  // What was answered is on the disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',

  // The service's pool takes a few tens; the rest is for psql, backups and tests that each bring a pool.
  max_connections: '100',
  // Meetings are small and the system's own file cache is behind it; only what is used is taken from the machine.
  shared_buffers: '128MB',
  // Worker processes for reading pay off with slow disks and big scans; without them the server is three processes smaller.
  io_method: 'sync',
  // Compiling a query pays off after many rows, and the service reads few.
  jit: 'off',
  // Nobody replicates a private server, so its log need not hold what only a replica reads.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',

  TimeZone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  datestyle: 'ISO, YMD',

  // The log is a plain file. Neither statements nor values go into it: they hold people's names and addresses.
  logging_collector: 'off',
  log_destination: 'stderr',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
})
