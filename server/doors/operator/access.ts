import { type Review, reviewAccess } from '../../integrations/access/actions.ts'
import { type AccessRow, venuesWithAccess } from '../../integrations/access/reads.ts'
import { venueOfSlug } from '../../core/venue/actions.ts'
import { type Command, command, needed, text } from './command.ts'
import { sheet, table } from './print.ts'

const list = command({
  words: 'access list',
  about: 'Prints every venue that asked for or was granted access, open requests first.',
  flags: {},
  run: async ({ db }) => {
    const rows = await venuesWithAccess(db)
    return {
      json: rows.map(presentAccess),
      text:
        rows.length === 0
          ? 'No venue has asked for access yet.'
          : table(rows, {
              VENUE: ({ slug }) => slug,
              PLAN: ({ plan }) => plan,
              ACCESS: ({ access }) => access,
              SINCE: ({ access_changed_at }) => access_changed_at,
              'LIVE KEYS': ({ live_keys }) => live_keys,
              DESCRIPTION: ({ access_description }) => access_description,
              ANSWER: ({ access_answer }) => access_answer,
            }),
    }
  },
})

const review = (verb: Review, about: string): Command =>
  command({
    words: `access ${verb}`,
    about,
    flags: { venue: needed(text('S')), why: text('W') },
    run: async ({ db, clock }, { venue: slug, why }) => {
      const venue = await venueOfSlug(db, slug)
      const row = await db.transaction((queries) =>
        reviewAccess({ db: queries, now: clock }, venue.id, verb, why),
      )
      return { json: presentAccess(row), text: sheet(presentAccess(row)) }
    },
  })

export const accessCommands = [
  list,
  review('approve', 'Grants the access that a venue asked for.'),
  review('decline', "Declines a venue's request; the owner sees why."),
  review(
    'withdraw',
    "Withdraws access and permanently revokes all of the venue's keys; its webhook endpoints stop. Works for any venue with live keys. Safe to repeat.",
  ),
]

const presentAccess = (row: AccessRow) => ({
  venue: row.slug,
  name: row.name,
  plan: row.plan,
  access: row.access,
  description: row.access_description,
  answer: row.access_answer,
  changedAt: row.access_changed_at,
  liveKeys: row.live_keys,
})
