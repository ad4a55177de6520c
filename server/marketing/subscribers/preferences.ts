import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import {
  type PreferenceRow,
  type Topic,
  chooseTopic,
  preferencesForUpdate,
  preferencesOf,
  refuseTopic,
  topicsOf,
  writePreferences,
} from './preferences-store.ts'
import { presentSubscriber } from './subscriber.ts'
import { subscriberById } from './reads.ts'
import { countChange } from './tag-writes.ts'

/*
 * What a guest chooses on their preferences page: a pause, birthday mail, the venue's topics.
 * Leaving the list altogether is `leaving.ts`.
 */

/** How long somebody may pause email, in days. */
export const pauses = [30, 90, 180] as const
export type Pause = (typeof pauses)[number]

export type Preferences = PreferenceRow & { readonly topics: readonly Topic[] }

/** Undefined when the record is gone. */
export const readPreferences = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  subscriber: number,
): Promise<Preferences | undefined> => {
  const row = await preferencesOf(db, venue.id, subscriber)
  return row && { ...row, topics: await topicsOf(db, venue.id, subscriber) }
}

export type Choice = {
  /** `keep` leaves a pause as it is, null ends it. */
  readonly pause: Pause | 'keep' | null
  readonly birthdayMails: boolean
  /** Ids of the topics they want; topics on the page that are missing here are unwanted. */
  readonly topics: ReadonlySet<number>
}

/** Saves what the guest chose; undefined if their record is gone. */
export const savePreferences = async (
  work: Work,
  subscriber: number,
  { pause, birthdayMails, topics }: Choice,
): Promise<Preferences | undefined> => {
  const { db, venue } = work
  const before = await preferencesForUpdate(db, venue.id, subscriber)
  if (!before) return undefined
  const offered = await topicsOf(db, venue.id, subscriber)
  const now = work.now()
  const kept = before.mail_paused_until === null ? null : Temporal.Instant.from(before.mail_paused_until)
  const pausedUntil = pause === 'keep' ? kept : pause === null ? null : now.add({ hours: 24 * pause })
  const after = await writePreferences(db, venue.id, subscriber, { pausedUntil, birthdayMails })
  const shown = await subscriberById(db, venue.id, subscriber)
  let isFiled = false
  for (const { id, chosen } of offered) {
    if (topics.has(id) && !chosen) isFiled = (await chooseTopic(db, venue.id, subscriber, id)) || isFiled
    if (!topics.has(id)) await refuseTopic(db, venue.id, subscriber, id)
  }
  if (isFiled && shown) {
    const tagged = await countChange(db, venue.id, subscriber, now)
    await recordEvent(work, 'subscriber.updated', presentSubscriber(tagged), now, {
      before: presentSubscriber(shown),
    })
  }
  const saved = { ...after, topics: await topicsOf(db, venue.id, subscriber) }
  await recordActivity(
    work,
    { kind: 'guest' },
    {
      action: 'choose_mail',
      record: { kind: 'subscriber', id: subscriber },
      before: columnsOf(before, offered),
      after: columnsOf(after, saved.topics),
    },
    now,
  )
  return saved
}

const columnsOf = (row: PreferenceRow, topics: readonly Topic[]) => ({
  mail_paused_until: row.mail_paused_until,
  birthday_mails: row.birthday_mails,
  topics: topics.filter(({ chosen }) => chosen).map(({ name }) => name),
})
