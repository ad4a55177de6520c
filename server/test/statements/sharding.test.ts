import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { localTables } from '../../platform/db/local-tables.ts'
import { readSources } from '../tree/imports.ts'
import { rowsOf } from '../rows.ts'
import { type TestService, startService } from '../service.ts'
import {
  type Exception,
  type SourceStatement,
  type TableKinds,
  faultsOf,
  statementsIn,
} from './statements.ts'

/*
 * The same schema and statements can be spread by venue over the nodes of a Citus cluster. The rules that allow it are
 * kept true here on plain PostgreSQL: those for tables over the catalog of the migrated database, those for statements
 * over the text of each one. A table is either sharded or local.
 */

/** Reads and deletes over all venues, by file and name: Citus takes them as long as they lock nothing. */
const sweeps = {
  'server/integrations/batches/writes.ts': ['deleteOldBatches'],
  'server/integrations/changes/fill.ts': ['filledFeeds'],
  'server/integrations/changes/forget.ts': ['venuesWithOldOnes'],
  'server/integrations/changes/waiting.ts': ['feedsOf'],
  'server/platform/db/renew-epochs.ts': ['renewEpochs'],
  'server/marketing/campaigns/sending/due.ts': ['dueCampaigns', 'campaignsToCome', 'nextCampaign'],
  'server/marketing/campaigns/sending/takeover.ts': ['campaignsLeftBehind'],
  'server/data/reports/kept-days.ts': ['venuesWithMarks'],
  'server/data/reports/demand/forget-demand.ts': ['forgetRefused', 'forgetShown'],
  'server/data/imports/store.ts': ['oldUploads'],
  'server/data/imports/records.ts': ['importsToForget'],
  'server/platform/http/idempotency.ts': ['forgetOldKeys'],
  'server/core/money/account-store.ts': ['venuesToReconcile', 'venuesWithAccounts'],
  'server/core/money/call-store.ts': ['venuesWithCalls', 'venuesWithOtherCalls', 'forgetCalls'],
  'server/core/money/checkout-store.ts': ['forgetForms'],
  'server/book/reservations/guarantee/give-back-unanswered.ts': ['venuesWithUnanswered'],
  'server/tickets/online/money-back/refund-online.ts': ['venuesWithLateCalls'],
  'server/book/texts/texts-store.ts': ['venuesWithTexts'],
  'server/mail/guest-mail-queue.ts': ['forgetOldGuestMails'],
  'server/core/venue/frame-sites.ts': ['forgetFrameSites'],
  'server/core/venue/leased-rows.ts': ['venuesDue', 'firstDue'],
  'server/core/venue/venues-to-be-found.ts': ['withOpenPages'],
  'server/core/venue/guest-window.ts': ['forgetGuestWindows'],
  'server/marketing/subscribers/sign-up.ts': ['signUpsMailedBefore'],
  'server/book/reservations/guest/booking-networks.ts': ['forgetBookingNetworks'],
  'server/book/reservations/guest/booking-proof.ts': ['forgetUnmade'],
  'server/book/day/book-row.ts': ['venuesWithPartiesAtTable'],
  'server/book/reservations/holds/hold-reads.ts': ['venuesWithLapsedHolds'],
  'server/book/waitlist/freed-job.ts': ['venuesWithFreedPlaces'],
  'server/book/tables/waiting-reads.ts': ['datesWaitedFor'],
  'server/book/reservations/change/pending-change.ts': ['venuesWithLapsedChanges'],
  'server/book/rules/floor/mode-reads.ts': ['venuesToGiveTables'],
  'server/book/waitlist/reads.ts': ['venuesWithLapsedOffers', 'venuesWithPartiesInLine'],
  'server/integrations/webhooks/engine/last-look.ts': ['stillToStart'],
  'server/integrations/webhooks/engine/look.ts': ['lookAtVenues'],
  'server/integrations/webhooks/engine/metrics.ts': ['dueNow'],
  'server/integrations/webhooks/engine/prune.ts': [
    'oldestData',
    'eventsWithOldData',
    'oldestAttempt',
    'oldAttempts',
    'oldestEvent',
    'oldEvents',
  ],
  'server/integrations/webhooks/engine/sweep.ts': [
    'countWaiting',
    'venuesWithDue',
    'hopeless',
    'venuesWithGoneHooks',
  ],
  'server/integrations/webhooks/listen.ts': ['endpointsOnPort'],
  'server/integrations/webhooks/notify-switched-off.ts': ['venuesWithSwitchedOff'],
  'server/integrations/webhooks/mail-about-endpoints.ts': ['venuesToTell'],
  'server/mail/recipient-places.ts': ['forgetRecipientPlaces'],
  'server/integrations/changes/doorbell.ts': ['venuesToRing'],
}

/** About many venues on one machine, and about one at a time on a cluster (integrations/webhooks/engine/gather-for-venues.ts). */
const aboutMany = {
  'server/integrations/webhooks/engine/lease.ts': ['leaseDeliveries'],
  'server/integrations/webhooks/engine/settle.ts': ['settleTries'],
}

const exceptions: readonly Exception[] = [
  ...Object.entries({ ...sweeps, ...aboutMany }).flatMap(([path, names]) =>
    names.map((name) => ({ path, name, rule: 'over all venues', why: 'a sweep of the worker' }) as const),
  ),
  {
    path: 'server/integrations/webhooks/engine/settle.ts',
    name: 'settleTries',
    rule: 'insert in a with',
    why: 'one statement settles a batch of tries; on Citus it costs more and is still correct',
  },
  {
    path: 'server/core/events/record.ts',
    name: 'writeEvents',
    rule: 'insert in a with',
    why: 'deliveries need the ids of their events; on Citus it costs more and is still correct, and events without any take the plain form',
  },
  {
    path: 'server/marketing/campaigns/audience/list.ts',
    name: 'rebuildList',
    rule: 'insert in a with',
    why: 'one statement, so that the list and its counters are of one view; venue_id comes from the source',
  },
]

/** The statements of queues are written once for all of their tables. */
const leasedRows = 'server/core/venue/leased-rows.ts'
const queues = [...readSources()].flatMap(([path, text]) =>
  path === leasedRows ? [] : Array.from(text.matchAll(/\bleasedRows\('(\w+)'/g), ([, table = '']) => table),
)
const ofEachQueue = (statement: SourceStatement): SourceStatement[] =>
  statement.path === leasedRows
    ? queues.map((table) => ({ ...statement, text: statement.text.replaceAll('{table}', table) }))
    : [statement]

type Catalogue = Pick<TestService, 'db'>

const shardedTables = async (service: Catalogue): Promise<string[]> =>
  (
    await rowsOf<{ name: string }>(
      service,
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`,
    )
  )
    .map(({ name }) => name)
    .filter((name) => !localTables.includes(name))

/** What in a database breaks the rules for tables, one sentence each. */
const catalogueFaults = async (service: Catalogue): Promise<string[]> => {
  const sharded = await shardedTables(service)
  const ask = async (sentence: string, text: string): Promise<string[]> =>
    (await rowsOf<{ what: string }>(service, text, [sharded])).map(({ what }) => `${what}: ${sentence}`)
  const found = await Promise.all([
    ask(
      'has no primary key with venue_id first',
      `select t.name as what from unnest($1::text[]) as t (name)
        where not exists (
          select from pg_constraint p join pg_attribute a on a.attrelid = p.conrelid and a.attnum = p.conkey[1]
           where p.conrelid = to_regclass(t.name) and p.contype = 'p' and a.attname = 'venue_id')`,
    ),
    ask(
      'is not logged',
      `select relname as what from pg_class where oid = any($1::text[]::regclass[]) and relpersistence <> 'p'`,
    ),
    ask(
      'has a venue_id that may be null or is no bigint',
      `select attrelid::regclass::text as what from pg_attribute
        where attrelid = any($1::text[]::regclass[]) and attname = 'venue_id'
          and (not attnotnull or atttypid <> 'int8'::regtype)`,
    ),
    ask(
      'an identity is no bigint, or was made by default',
      `select attrelid::regclass || '.' || attname as what from pg_attribute
        where attrelid = any($1::text[]::regclass[])
          and (attidentity = 'd' or (attidentity <> '' and atttypid <> 'int8'::regtype))`,
    ),
    ask(
      'a foreign key does not name venue_id first on both sides',
      `select c.conname as what from pg_constraint c
         left join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
         left join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
        where c.contype = 'f' and c.conrelid = any($1::text[]::regclass[])
          and (a.attname <> 'venue_id' or b.attname <> 'venue_id')`,
    ),
    ask(
      'a foreign key crosses between sharded and local tables',
      `select conname as what from pg_constraint
        where contype = 'f'
          and (conrelid = any($1::text[]::regclass[])) <> (confrelid = any($1::text[]::regclass[]))`,
    ),
    ask(
      'on delete or update sets null or a default',
      `select conname as what from pg_constraint
        where contype = 'f' and conrelid = any($1::text[]::regclass[])
          and (confdeltype in ('n', 'd') or confupdtype in ('n', 'd'))`,
    ),
    ask(
      'a unique index does not have venue_id first',
      `select i.indexrelid::regclass::text as what from pg_index i
         left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indisunique and i.indrelid = any($1::text[]::regclass[]) and a.attname is distinct from 'venue_id'`,
    ),
    ask(
      'is an exclusion or can be deferred',
      `select conname as what from pg_constraint
        where conrelid = any($1::text[]::regclass[]) and (contype = 'x' or condeferrable)`,
    ),
    ask(
      'is a trigger',
      `select tgname as what from pg_trigger where tgrelid = any($1::text[]::regclass[]) and not tgisinternal`,
    ),
    ask('is a rule', `select rulename as what from pg_rewrite where ev_class = any($1::text[]::regclass[])`),
  ])
  return found.flat()
}

describe('sharding by venue', () => {
  let service: TestService
  let kinds: TableKinds

  before(async () => {
    service = await startService()
    kinds = { sharded: await shardedTables(service), local: localTables }
  })
  after(() => service.stop())

  describe('tables', () => {
    it('are of two kinds, and every local one is there', async () => {
      const all = await rowsOf<{ name: string }>(
        service,
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
      )
      for (const name of localTables)
        assert.ok(
          all.some((table) => table.name === name),
          `${name} is no longer a table`,
        )
      assert.ok(kinds.sharded.length > 15)
    })

    it('keep the rules for tables', async () => {
      assert.deepEqual(await catalogueFaults(service), [])
    })

    const plants: [what: string, statements: string, said: RegExp][] = [
      [
        'a table without venue_id',
        'create table planted (id bigint primary key)',
        /^planted: has no primary key/,
      ],
      [
        'a key with venue_id second',
        'create table planted (id bigint, venue_id bigint not null, primary key (id, venue_id))',
        /has no primary key/,
      ],
      ['no primary key', 'create table planted (venue_id bigint not null)', /has no primary key/],
      [
        'an unlogged table',
        'create unlogged table planted (venue_id bigint primary key)',
        /^planted: is not logged/,
      ],
      ['a venue_id of another type', 'create table planted (venue_id integer primary key)', /no bigint/],
      [
        'an integer identity',
        'create table planted (venue_id bigint, id integer generated always as identity, primary key (venue_id, id))',
        /planted\.id: an identity is no bigint/,
      ],
      [
        'a foreign key to venue',
        'create table planted (venue_id bigint primary key references venue (id))',
        /crosses between sharded and local/,
      ],
      [
        'a foreign key of a local table to a sharded one',
        'alter table staff add column planted bigint; create table other (venue_id bigint primary key); alter table staff add constraint planted foreign key (planted) references other (venue_id)',
        /^planted: a foreign key crosses/,
      ],
      [
        'on delete set null',
        'create table planted (venue_id bigint, id bigint, guest_id bigint, primary key (venue_id, id), constraint planted_fk foreign key (venue_id, guest_id) references guest (venue_id, id) on delete set null (guest_id))',
        /^planted_fk: on delete or update sets null/,
      ],
      [
        'a unique index without venue_id',
        'create unique index planted on guest (email_key)',
        /^planted: a unique index/,
      ],
      [
        'a trigger',
        'create function planted() returns trigger language plpgsql as $$ begin return new; end $$; create trigger planted before insert on guest for each row execute function planted()',
        /^planted: is a trigger/,
      ],
      [
        'a deferrable constraint',
        'create table planted (venue_id bigint, id bigint, primary key (venue_id, id) deferrable)',
        /is an exclusion or can be deferred/,
      ],
    ]
    for (const [what, statements, said] of plants) {
      it(`the check fires on ${what}`, async () => {
        await service.db.session(async (client) => {
          await client.query('begin')
          await client.query(statements)
          // Asked on the same connection, so that nothing has to be undone.
          const here: Catalogue = { db: { ...service.db, session: (work) => work(client) } }
          const faults = await catalogueFaults(here)
          await client.query('rollback')
          assert.ok(
            faults.some((fault) => said.test(fault)),
            faults.join('\n'),
          )
        })
      })
    }
  })

  describe('statements', () => {
    const statements = statementsIn(readSources()).flatMap(ofEachQueue)

    it('are all found, and all run on tables there are', () => {
      const tags = [...readSources()]
        .filter(([path]) => !path.includes('test') && path !== 'server/platform/db/sql.ts')
        .reduce((sum, [, text]) => sum + (text.match(/\bsql\((?:[^`]*?)\)`/g)?.length ?? 0), 0)
      assert.ok(statements.length >= tags * 0.95, `${statements.length} of about ${tags}`)
      assert.ok(statements.length > 60)
    })

    it('those of queues are judged for each of their tables', () => {
      assert.ok(queues.length >= 8, queues.join(', '))
      for (const table of queues) assert.ok(kinds.sharded.includes(table), table)
      const taken = statements.filter(({ path, text }) => path === leasedRows && text.includes('skip locked'))
      assert.equal(taken.length, queues.length)
    })

    it('keep the rules for statements', () => {
      assert.deepEqual(
        statements.flatMap((statement) => faultsOf(statement, kinds, exceptions)),
        [],
      )
    })

    it('the statements that are let through are there', () => {
      for (const { path, name } of exceptions) {
        assert.ok(
          statements.some((one) => one.path === path && one.name === name),
          `${path} ${name}`,
        )
      }
    })

    const plants: [what: string, statement: string, said: RegExp][] = [
      ['no venue', 'select id from guest where id = ${id}', /bound to a venue|venue_id = \$ is missing/],
      ['a venue that is no parameter', 'select id from guest where venue_id = 5', /venue_id = \$ is missing/],
      [
        'an update without a venue',
        'update guest set name = ${x} where id = ${id}',
        /venue_id = \$ is missing/,
      ],
      ['a delete without a venue', 'delete from guest where id = ${id}', /venue_id = \$ is missing/],
      [
        'a join that forgets the venue',
        'select g.id from guest g join reservation r on r.guest_id = g.id where g.venue_id = ${v}',
        /every sharded table is bound/,
      ],
      [
        'a subquery that forgets the venue',
        'select id from guest where venue_id = ${v} and id in (select guest_id from reservation where id = ${r})',
        /every sharded table is bound/,
      ],
      [
        'an insert with venue_id not first',
        'insert into guest (name, venue_id) values (${n}, ${v})',
        /venue_id is the first column/,
      ],
      [
        'a join with a local table',
        'select g.id from guest g join venue v on v.id = g.venue_id where g.venue_id = ${v}',
        /a sharded and a local table/,
      ],
      [
        'a lock over venues',
        'select id from guest where id = ${id} for update skip locked',
        /locks are taken inside one venue/,
      ],
      [
        'a changed venue',
        'update guest set venue_id = ${w} where venue_id = ${v} and id = ${id}',
        /venue_id never changes/,
      ],
      [
        'the clock of the database',
        'update guest set updated_at = now() where venue_id = ${v}',
        /the clock comes as a parameter/,
      ],
      [
        'a conflict with arithmetic on time',
        `insert into tag (venue_id, name) values (\${v}, \${n}) on conflict (venue_id, name) do update set made_at = tag.made_at + interval '1 d'`,
        /only immutable things/,
      ],
      [
        'a conflict with a subquery',
        'insert into tag (venue_id, name) values (${v}, ${n}) on conflict (venue_id, name) do update set n = (select 1)',
        /only immutable things/,
      ],
      [
        'returning a cast',
        'update guest set name = ${n} where venue_id = ${v} returning created_at::text',
        /returning takes only columns/,
      ],
      [
        'returning a stable function',
        `update guest set name = \${n} where venue_id = \${v} returning to_char(created_at, 'YYYY')`,
        /returning takes only columns/,
      ],
      [
        'a volatile function',
        'update guest set token = gen_random_uuid() where venue_id = ${v}',
        /no volatile function/,
      ],
      [
        'a stable function over a column',
        'update guest set notes = concat(notes, ${n}) where venue_id = ${v}',
        /no stable function over a column/,
      ],
      [
        'arithmetic over a column',
        `delete from event where venue_id = \${v} and occurred_at + interval '7 d' < \${now}`,
        /no stable arithmetic/,
      ],
      [
        'the hour of a moment',
        'select extract(hour from created_at) from guest where venue_id = ${v}',
        /time zone does not reach/,
      ],
      [
        'an insert inside a with',
        'with made as ( insert into guest (venue_id) values (${v}) returning id) select id from made',
        /no insert inside a with/,
      ],
      [
        'an insert from a select',
        'insert into tag (venue_id, name) select venue_id, name from guest where venue_id = ${v}',
        /many rows go in as values/,
      ],
      [
        'a venue borrowed from the select around it',
        'select (select max(r.id) from reservation r where r.venue_id = g.venue_id) from guest g where g.venue_id = ${v}',
        /reservation has it from another/,
      ],
      [
        'a venue borrowed from the rows of a subselect',
        'select n.id from (select venue_id, id from guest where venue_id = ${v}) n where exists (select from reservation r where r.venue_id = n.venue_id)',
        /reservation has it from another/,
      ],
      [
        'several venues that one of the tables does not name',
        'select g.id, k.n from guest g cross join lateral (select count(*) as n from reservation where venue_id = g.venue_id and guest_id = g.id) k where g.venue_id = any(${v}::bigint[])',
        /names them/,
      ],
      [
        'venues that come as rows alone',
        'select g.id from unnest(${v}::bigint[], ${i}::bigint[]) as a (venue_id, id) join guest g on g.venue_id = a.venue_id and g.id = a.id',
        /names them/,
      ],
      [
        'a lateral without a from',
        'select k.x from guest g cross join lateral (select exists (select from reservation where venue_id = ${v}) as x) k where g.venue_id = ${v}',
        /a select in a from has a from itself/,
      ],
      [
        'a case that compares',
        `update guest set name = case name when \${n} then 'a' else 'b' end where venue_id = \${v}`,
        /case when x = y/,
      ],
      [
        'a case that compares in a conflict',
        `insert into tag (venue_id, name) values (\${v}, \${n}) on conflict (venue_id, name) do update set name = case tag.name when 'a' then 'b' end`,
        /case when x = y/,
      ],
      ['merge', 'merge into guest using asked on true when matched then do nothing', /merge is refused/],
      ['an advisory lock', 'select pg_advisory_xact_lock(${n})', /advisory locks belong/],
      ['notify', `notify something`, /no LISTEN and NOTIFY/],
    ]
    for (const [what, text, said] of plants) {
      it(`the check fires on ${what}`, () => {
        const source = `export const planted = (v: number) =>\n  db.run(sql({ id: 'int8' })\`\n    ${text}\`)\n`
        const [statement, ...more] = statementsIn(new Map([['server/crm/guests/planted.ts', source]]))
        assert.ok(statement && more.length === 0)
        assert.equal(statement.name, 'planted')
        const faults = faultsOf(statement, kinds, exceptions)
        assert.ok(
          faults.some((fault) => said.test(fault)),
          `${statement.text}\n${faults.join('\n')}`,
        )
      })
    }

    it('the check fires on a piece that borrows its venue', () => {
      for (const [tag, text] of [
        ['part', 'array(select t.name from tag t where t.venue_id = g.venue_id and t.id = g.tag_id)'],
        ['part', 'g.id in (select r.guest_id from reservation r where r.venue_id = g.venue_id)'],
        ['fragment(', 'g.id in (select r.guest_id from reservation r where r.venue_id = g.venue_id)'],
        ['fragment(', 'exists (select from reservation r where r.venue_id = ${guest}.venue_id)'],
      ] as const) {
        const source = `const planted = ${tag}\`${text}\``
        const [piece] = statementsIn(new Map([['server/crm/guests/planted.ts', source]]))
        assert.ok(piece)
        assert.match(faultsOf(piece, kinds, exceptions).join('\n'), /has it from another/, text)
      }
    })

    it('the check lets the forms through that were tried on real nodes', () => {
      for (const text of [
        'select ${columnsOf(row)} from guest where venue_id = ${v} and created_at >= ${s} order by created_at desc limit ${l}',
        'insert into idempotency as i (venue_id, key) values (${v}, ${k}) on conflict (venue_id, key) do update set token = excluded.token, n = i.n + 1 where i.claimed_at < ${fresh} returning token',
        `update guest set name = coalesce(nullif(btrim(name), ''), \${n}) where venue_id = \${v} and id = \${id} returning id, name`,
        'select t.id from ticket_order t join occurrence o on o.venue_id = t.venue_id and o.id = t.occurrence_id where t.venue_id = ${v}',
        'with found as (select id from guest where venue_id = ${v}) select r.id from reservation r join found on found.id = r.guest_id where r.venue_id = ${v} for update',
        'select slug from venue where id = ${id}',
        'select (select max(r.id) from reservation r where r.venue_id = ${v} and r.guest_id = g.id) from guest g where g.venue_id = ${v}',
        'select k.n from guest g cross join lateral (select count(*) as n from reservation where venue_id = ${v} and guest_id = g.id) k where g.venue_id = ${v}',
        `update guest set name = case when name = \${n} then 'a' else 'b' end where venue_id = \${v}`,
      ]) {
        const source = `const planted = sql()\`${text}\``
        const [statement] = statementsIn(new Map([['server/crm/guests/planted.ts', source]]))
        assert.ok(statement)
        assert.deepEqual(faultsOf(statement, kinds, exceptions), [])
      }
    })
  })
})
