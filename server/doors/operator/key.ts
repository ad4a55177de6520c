import { keyKinds, keyScopes } from '@venue-data/contract/records/account.ts'
import {
  changeOperatorsKey,
  createOperatorsKey,
  revokeOperatorsKey,
} from '../../integrations/access/actions.ts'
import type { Obstacle } from '../../integrations/access/key-check.ts'
import type { AskedTerms } from '../../integrations/access/key-terms.ts'
import { type KeyRow, isTraded, keysOfVenue, scopesOf } from '../../integrations/access/keys.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { readMoment } from '../../platform/kernel/time/written-time.ts'
import { venueOfSlug } from '../../core/venue/actions.ts'
import { bare, command, needed, oneOf, text, wholeNumber } from './command.ts'
import { sheet, table } from './print.ts'

const termFlags = {
  scopes: text('a,b'),
  'expires-at': text('M'),
  addresses: text('C,...'),
  'may-rotate': bare,
  'rate-per-minute': wholeNumber('R'),
}

/** A key's terms from flags; omitted ones stay as they are. `never` and `any` remove the expiry and the addresses. */
const termsIn = (given: {
  readonly scopes: string | undefined
  readonly 'expires-at': string | undefined
  readonly addresses: string | undefined
  readonly 'may-rotate': boolean
  readonly 'rate-per-minute': number | undefined
}): AskedTerms => {
  const { scopes, addresses, 'expires-at': end, 'rate-per-minute': ratePerMinute } = given
  return {
    ...(scopes !== undefined && { scopes: wordsIn(scopes) }),
    ...(end !== undefined && { expiresAt: end === 'never' ? null : momentIn(end) }),
    ...(addresses !== undefined && { addresses: addresses === 'any' ? [] : wordsIn(addresses) }),
    ...(given['may-rotate'] && { mayRotate: true }),
    ...(ratePerMinute !== undefined && { ratePerMinute }),
  }
}

const wordsIn = (list: string): string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

const momentIn = (typed: string): Temporal.Instant => {
  const moment = readMoment(typed)
  if (!moment)
    throw badRequest(
      '--expires-at must be a date and time with a zone, such as 2027-01-31T00:00:00Z, or never.',
    )
  return moment
}

const create = command({
  words: 'key create',
  about:
    'Creates a key and prints it, only once. An api key also gives a venue on pro, group or legacy access to the API.',
  flags: {
    venue: needed(text('S')),
    kind: needed(oneOf(keyKinds)),
    scope: oneOf(keyScopes),
    ...termFlags,
    name: text('N'),
  },
  misuse: ({ scope, scopes }) =>
    (scope === undefined) === (scopes === undefined)
      ? 'Say what the key may do: --scope read or read_write, or --scopes with a list.'
      : undefined,
  run: async (context, { venue: slug, kind, scope = 'read', name = `${kind} key`, ...given }) => {
    const venue = await venueOfSlug(context.db, slug)
    const asked = { kind, scope, name, createdBy: 'operator', terms: termsIn(given) }
    const { key, row, obstacle } = await context.db.transaction((db) =>
      createOperatorsKey(context, db, venue.id, asked),
    )
    const made = {
      id: row.id,
      key,
      kind,
      scope: row.scope,
      ...(given.scopes !== undefined && { scopes: row.scopes }),
      ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    }
    return {
      json: made,
      text: sheet(inWords(made)),
      notes: [
        'The key is shown only once: only its fingerprint is kept.',
        ...(obstacle ? [waitsFor(obstacle, slug, venue.plan)] : []),
      ],
    }
  },
})

const update = command({
  words: 'key update',
  about:
    'Changes what a key may do, until when, from where and how often. What is left out stays; `--expires-at never` and `--addresses any` take it away.',
  flags: { id: needed(wholeNumber('I')), ...termFlags },
  run: async (context, { id, ...given }) => {
    const key = presentKey(
      await context.db.transaction((db) =>
        changeOperatorsKey(context, { db, now: context.clock }, id, termsIn(given)),
      ),
    )
    return { json: key, text: sheet(inWords(key)) }
  },
})

const waitsFor = (obstacle: Obstacle, slug: string, plan: string): string =>
  obstacle === 'plan'
    ? `The plan of ${slug}, ${plan}, does not include the API: the key gets 403 until it does.`
    : `The access of ${slug} was withdrawn: the key gets 403 until access is granted again. An automation key does not grant it.`

const list = command({
  words: 'key list',
  about: "Prints a venue's keys, including revoked ones, without their text.",
  flags: { venue: needed(text('S')) },
  run: async ({ db }, { venue: slug }) => {
    const venue = await venueOfSlug(db, slug)
    const keys = (await keysOfVenue(db, venue.id)).filter((key) => !isTraded(key))
    return {
      json: keys.map(presentKey),
      text:
        keys.length === 0
          ? `${slug} has no key yet.`
          : table(keys, {
              ID: ({ id }) => id,
              NAME: ({ name }) => name,
              KIND: ({ kind }) => kind,
              SCOPE: ({ scope }) => scope,
              ENDS: ({ last_four }) => last_four,
              EXPIRES: ({ expires_at }) => expires_at,
              CREATED: ({ created_at }) => created_at,
              'LAST USED': ({ last_used_at }) => last_used_at,
              REVOKED: ({ revoked_at }) => revoked_at,
            }),
    }
  },
})

const revoke = command({
  words: 'key revoke',
  about:
    'Revokes a key permanently, with the keys that it replaced or that replaced it: from now on they get 401, and the webhook endpoints created with them stop. Safe to repeat.',
  flags: { id: needed(wholeNumber('I')) },
  run: async ({ db, clock }, { id }) => {
    const key = presentKey(
      await db.transaction((queries) => revokeOperatorsKey({ db: queries, now: clock }, id)),
    )
    return { json: key, text: sheet(inWords(key)) }
  },
})

export const keyCommands = [create, update, list, revoke]

/** Lists as the flags take them. */
const inWords = (fields: object): Record<string, string | number | boolean | null> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  )

const presentKey = (row: KeyRow) => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  scope: row.scope,
  scopes: scopesOf(row),
  expiresAt: row.expires_at,
  addresses: row.allowed_addresses ?? [],
  mayRotate: row.may_rotate,
  rotatedFrom: row.rotated_from,
  ratePerMinute: row.rate_per_minute,
  lastFour: row.last_four,
  createdBy: row.created_by,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
  revokedWhy: row.revoked_why,
})
