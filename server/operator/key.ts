import { keyKinds, keyScopes } from '@venue-data/contract/account.ts'
import { createOperatorsKey, revokeOperatorsKey } from '../access/actions.ts'
import type { Obstacle } from '../access/key-check.ts'
import { type KeyRow, keysOfVenue } from '../access/keys.ts'
import { venueOfSlug } from '../venue/actions.ts'
import { command, needed, oneOf, text, wholeNumber } from './command.ts'
import { sheet, table } from './print.ts'

const create = command({
  words: 'key create',
  about:
    'Creates a key and prints it, only once. An api key also gives a venue on pro, group or legacy access to the API.',
  flags: {
    venue: needed(text('S')),
    kind: needed(oneOf(keyKinds)),
    scope: needed(oneOf(keyScopes)),
    name: text('N'),
  },
  run: async (context, { venue: slug, kind, scope, name = `${kind} key` }) => {
    const venue = await venueOfSlug(context.db, slug)
    const { key, row, obstacle } = await context.db.transaction((db) =>
      createOperatorsKey(context, db, venue.id, { kind, scope, name, createdBy: 'operator' }),
    )
    const made = { id: row.id, key, kind, scope }
    return {
      json: made,
      text: sheet(made),
      notes: [
        'The key is shown only once: only its fingerprint is kept.',
        ...(obstacle ? [waitsFor(obstacle, slug, venue.plan)] : []),
      ],
    }
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
    const keys = await keysOfVenue(db, venue.id)
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
    'Revokes a key permanently: from now on it gets 401, and the webhook endpoints created with it stop. Safe to repeat.',
  flags: { id: needed(wholeNumber('I')) },
  run: async ({ db, clock }, { id }) => {
    const key = presentKey(
      await db.transaction((queries) => revokeOperatorsKey({ db: queries, now: clock }, id)),
    )
    return { json: key, text: sheet(key) }
  },
})

export const keyCommands = [create, list, revoke]

const presentKey = (row: KeyRow) => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  scope: row.scope,
  lastFour: row.last_four,
  createdBy: row.created_by,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
  revokedWhy: row.revoked_why,
})
