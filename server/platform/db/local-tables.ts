/**
 * Small tables that stay on one node of a Citus cluster. Every other table has venue_id first in its primary key and is
 * distributed by it. Some of these have it there too, with one row per venue, so only this list identifies them.
 */
export const localTables: readonly string[] = [
  'api_key',
  'app',
  'app_code',
  'app_install',
  'app_token',
  'database_mark',
  'invitation',
  'key_usage_day',
  'key_window',
  'lane',
  'mail_process',
  'mail_relay',
  'password_link',
  'practice',
  'practice_process',
  'schema_migration',
  'session',
  'sign_in_window',
  'staff',
  'venue',
  'venue_sender',
]
