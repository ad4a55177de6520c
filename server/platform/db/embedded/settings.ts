// The settings that the embedded PostgreSQL gets at every start. They go on its command line, not into
// postgresql.conf, so that they are always those of this version of the program.
// Nothing here may be secret: every user of the machine can read a command line.

/** PostgreSQL settings by name, such as `{ fsync: 'off' }`. */
export type Flags = Readonly<Record<string, string>>

const settings: Flags = {
  // Reachable from this machine only, over TCP: a socket's path has a length limit that a deep checkout exceeds.
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  // A session whose client was killed aborts its statement instead of finishing it for nobody.
  client_connection_check_interval: '2s',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  min_wal_size: '80MB',
  wal_compression: 'on',
  checkpoint_timeout: '10min',
  // New tables get statistics soon: until then plans are made for ten pages of rows, and an import fills thousands.
  autovacuum_naptime: '10s',
  // Statements here are short; compiling them costs more than it saves.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Personal data never reaches the log. An ERROR carries values even in its first line (`invalid input
  // syntax for type date: "…"`), so statement errors are left out altogether: the service logs their codes.
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
}

/** The command line of `postgres` on this folder and port. */
export const postgresArguments = (folder: string, port: number, flags: Flags): string[] => [
  '-D',
  folder,
  '-p',
  String(port),
  ...Object.entries({ ...settings, ...flags }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]
