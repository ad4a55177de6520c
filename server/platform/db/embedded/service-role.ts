// The role the service signs in as: an ordinary one that owns the database and its tables and nothing else, so that an
// attacker who reaches the database through the service cannot read files, run programs or get around an owner's limits.
// initdb creates only a superuser, and folders of earlier versions have tables owned by that superuser: each start, under
// the start lock, creates the role if it is missing and hands over what it does not own yet, in one transaction.
import { createHmac } from 'node:crypto'
import { Client } from 'pg'

const superuser = 'postgres'
const serviceRole = 'venue_data'

/** The address of the database for the service's role. */
export const serviceAddress = (password: string, port: number): string =>
  addressOf(serviceRole, servicePassword(password), port)

/** The address for the superuser, whose password is the stored one: for creating the role, and for tests. */
export const superuserAddress = (password: string, port: number): string =>
  addressOf(superuser, password, port)

/** Creates the role and hands the database over to it; does nothing if that was done. Call while holding the start lock. */
export async function settleServiceRole(password: string, port: number): Promise<void> {
  const client = new Client({ connectionString: superuserAddress(password, port) })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('begin')
    const { rows } = await client.query<{ statement: string }>(handingOver, [
      serviceRole,
      servicePassword(password),
    ])
    for (const { statement } of rows) await client.query(statement)
    await client.query('commit')
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Derived one-way from the stored password: only one file to keep, and no way from the role to the superuser. */
const servicePassword = (password: string): string =>
  createHmac('sha256', password).update(serviceRole).digest('base64url')

const addressOf = (role: string, password: string, port: number): string =>
  `postgres://${role}:${password}@127.0.0.1:${port}/postgres`

/** What is left to do, in order. Indexes and identity sequences move with their tables. */
const handingOver = `
  select format('create role %I login password %L', $1::text, $2::text) as statement, 1 as step
   where not exists (select from pg_roles where rolname = $1)
  union all
  select format('alter database %I owner to %I', datname, $1::text), 2
    from pg_database where datname = current_database() and pg_get_userbyid(datdba) <> $1
  union all
  select format('alter table %s owner to %I', oid::regclass, $1::text), 3
    from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and pg_get_userbyid(relowner) <> $1
   order by step`
