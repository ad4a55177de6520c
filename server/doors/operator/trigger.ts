import type { Plan } from '@venue-data/contract/records/account.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { onPracticeInstance } from '../../integrations/practice/instance.ts'
import { staffOfVenue } from '../../core/staff/people.ts'
import type { StaffRole } from '../../core/staff/roles.ts'
import { venueOfSlug } from '../../core/venue/actions.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { UsageError, command, needed, operand, text, wholeNumber } from './command.ts'
import { sheet } from './print.ts'
import { causedElsewhere, triggers } from './triggers/table.ts'
import type { Somebody, Stage } from './triggers/trigger.ts'

const width = Math.max(...Object.keys(triggers).map((name) => name.length))

const elsewhere = Object.entries(causedElsewhere)
  .map(([name, how]) => `  ${name.padEnd(width)}  ${how}`)
  .join('\n')

const listed = Object.entries(triggers)
  .map(([name, { about, emits }]) => {
    const event = emits === null ? ' (no event)' : emits === name ? '' : ` (${emits})`
    return `  ${name.padEnd(width)}  ${about}${event}`
  })
  .join('\n')

/** Causes an event by doing what staff would do; for practice instances. */
export const triggerCommand = command({
  words: 'trigger',
  about: `Causes an event by doing what staff would do, on the record of --id or on one created for it, and prints the record. For practice instances. EVENT is one of\n${listed}\nThese events have no trigger:\n${elsewhere}`,
  flags: {
    event: operand(text('EVENT')),
    venue: needed(text('S')),
    id: wholeNumber('N'),
  },
  misuse: ({ event, id }) => {
    const trigger = triggers[event]
    if (!trigger) return `There is no trigger "${event}": "trigger --help" lists them.`
    if (trigger.on === null && id !== undefined) return `${event} creates its own record: omit --id.`
    return undefined
  },
  run: async (context, { event, venue: slug, id }) => {
    const trigger = triggers[event]
    if (!trigger) throw new UsageError(`There is no trigger "${event}".`)
    await onPracticeInstance(context.db)
    const record = await onStage(context, slug, (stage) => trigger.run(stage, id))
    return { json: record, text: sheet(record as Parameters<typeof sheet>[0]) }
  },
})

/** One unit of work at the venue, done by one of its own staff. */
const onStage = async (
  parts: Pick<Context, 'db' | 'clock' | 'random' | 'secrets' | 'config'>,
  slug: string,
  play: (stage: Stage) => Promise<object>,
): Promise<object> => {
  const { db, clock, random } = parts
  const row = await venueOfSlug(db, slug)
  const venue: Venue = { ...row, plan: row.plan as Plan }
  // Owners come first; a host may not do all of it.
  const account = (await staffOfVenue(db, venue.id)).find(
    ({ role, disabled_at }) => role !== 'host' && role !== 'server' && disabled_at === null,
  )
  if (!account)
    throw new Refusal(409, `${slug} has no owner or manager who could do this: add one with "staff add".`)
  const { id, email, role } = account
  const actor = { kind: 'staff', id, email, role: role as StaffRole } as const
  return db.transaction((queries) =>
    play({
      work: { db: queries.within(venue.id), venue, now: clock },
      ...{ actor, parts, somebody: somebodyNew(random) },
    }),
  )
}

/** Example addresses and numbers (RFC 2606, and 555-01xx of the North American plan) reach nobody. */
const somebodyNew = (random: Context['random']): Somebody => {
  const word = random(5).toString('hex')
  const area = 200 + (random(2).readUInt16BE() % 800)
  const line = String(random(1).readUInt8() % 100).padStart(2, '0')
  return { name: 'Robin Practice', email: `robin.${word}@example.com`, phone: `(${area}) 555-01${line}` }
}
