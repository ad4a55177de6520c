import type { Context, Work } from '../../context.ts'
import { leaveByLink } from '../campaigns/leaving.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import type { KeyRing } from '../../platform/kernel/secrets.ts'
import { chooseWeeklyLetter } from '../../core/staff/weekly-letter.ts'
import { type LinkFacts, type LinkPurpose, readLinkToken } from '../../mail/link-token.ts'
import { suppress } from '../subscribers/leaving.ts'
import { preferencesForUpdate } from '../subscribers/preferences-store.ts'
import { venueOfId } from '../../core/venue/venues.ts'
import type { Report } from './report.ts'
import { insertBounce, settleUnknown, softBouncesAmong } from './store.ts'

/** A mailbox that bounced softly so often among the last mails is given up. */
export const softBounceRule = { bounces: 3, mails: 5 } as const

/**
 * Acts on a report about one copy: a hard bounce puts the address on the do-not-email list, a complaint does too and
 * takes the person off the list at the first one, soft bounces do at 3 of the last 5 mails. The same report twice
 * counts once. Answers false for a report about nothing of ours.
 */
export const takeReport = async (
  context: Pick<Context, 'db' | 'secrets' | 'clock'>,
  report: Report,
): Promise<boolean> => {
  const about = factsIn(context.secrets, 'bounce', report.tokens)
  const venue = about && (await venueOfId(context.db, about.venue))
  if (!about || !venue) return false
  await context.db.transaction((db) =>
    act({ db: db.within(venue.id), venue, now: context.clock }, about, report),
  )
  return true
}

type Taking = Pick<Context, 'db' | 'secrets' | 'clock'>

/** Somebody's mail to the unsubscribe mailbox: it leaves a list, or ends the letter about each week of somebody of the staff. */
export const takeLeavingMail = async (context: Taking, tokens: readonly string[]): Promise<boolean> =>
  (await leaveList(context, tokens)) || (await endLetter(context, tokens))

const leaveList = async (context: Taking, tokens: readonly string[]): Promise<boolean> => {
  const about = factsIn(context.secrets, 'unsubscribe', tokens)
  const venue = about && (await venueOfId(context.db, about.venue))
  if (!about || !venue) return false
  await context.db.transaction((db) =>
    leaveByLink({ db: db.within(venue.id), venue, now: context.clock }, about),
  )
  return true
}

const endLetter = async ({ db, secrets }: Taking, tokens: readonly string[]): Promise<boolean> => {
  const about = factsIn(secrets, 'letter', tokens)
  if (!about) return false
  return (await chooseWeeklyLetter(db, { venue: about.venue, id: about.subscriber }, false)) > 0
}

const factsIn = (secrets: KeyRing, purpose: LinkPurpose, tokens: readonly string[]): LinkFacts | undefined =>
  tokens.map((token) => readLinkToken(secrets, purpose, token)).find((facts) => facts !== undefined)

const act = async (
  work: Work,
  { subscriber, campaign }: LinkFacts,
  { kind, source, statusCode, key }: Report,
): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  if (kind === 'unsubscribed') return leaveByLink(work, { subscriber, campaign })
  await settleUnknown(db, venue.id, campaign, subscriber, now)
  if (kind === 'delivered') return
  const person = await preferencesForUpdate(db, venue.id, subscriber)
  // Erased since: nothing is kept of them, and nothing will go there.
  if (!person) return
  const bounce = { emailKey: emailKey(person.email), kind, source, statusCode, campaign, subscriber, key }
  if (!(await insertBounce(db, venue.id, bounce, now))) return
  const isTooOften = async () =>
    (await softBouncesAmong(db, venue.id, { campaign, subscriber }, softBounceRule.mails)) >=
    softBounceRule.bounces
  if (kind === 'complaint') await suppress(work, service, { email: person.email, reason: 'spam_report' })
  else if (kind === 'hard' || (await isTooOften())) {
    await suppress(work, service, { email: person.email, reason: 'bounced' })
  }
}

const service = { kind: 'service' } as const
