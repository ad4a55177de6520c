import type { Context, Work } from '../../context.ts'
import { isForEverybody } from '../../platform/db/faults.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { domainOf } from '../../platform/kernel/mailbox.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { senderOf } from '../../mail/addressing.ts'
import { keptAnswer } from '../../mail/answers.ts'
import { messageIdOf } from '../../mail/copy-address.ts'
import { factsOf } from '../../mail/guest-mail-kinds.ts'
import {
  type GuestMailResult,
  type GuestMailRow,
  forgetOldGuestMails,
  giveBackGuestMail,
  guestMailLimits,
  keepFromOthers,
  renewGuestMail,
  settleGuestMail,
  guestMailsDue,
  takeGuestMail,
} from '../../mail/guest-mail-queue.ts'
import type { Outcome } from '../../mail/mailer.ts'
import { UnmailableAddress, wireAddress } from '../../mail/mime/header-text.ts'
import {
  forgetRecipientPlaces,
  giveRecipientPlace,
  recipientOf,
  takeRecipientPlace,
} from '../../mail/recipient-places.ts'
import { senderStateOf } from '../../mail/venue-sender.ts'
import { reasonNotToMail } from '../../marketing/subscribers/reads.ts'
import { whileRenewed } from '../../core/venue/leased-rows.ts'
import { type KeptGuestSettings, guestSettingsOf } from '../../core/venue/guest-settings.ts'
import { logoPath, logoSize } from '../../core/venue/logo/logo.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import { type VenueRow, venueOfId } from '../../core/venue/venues.ts'
import { markCalendarSent } from '../../book/reservations/guest/guest-booking.ts'
import { replyAddressOf } from './booking-facts.ts'
import { composeLetter } from './compose.ts'
import { htmlOf, plainTextOf } from './dress-letter.ts'
import { writeMessage } from './write-message.ts'
import { phoneForGuests } from '../../platform/kernel/phone/shown-phone.ts'

type Sending = Pick<Context, 'db' | 'clock' | 'config' | 'log' | 'mail' | 'secrets' | 'hold'>

/**
 * Sends what is due, of each venue in turn, until nothing is; on hold nothing is taken. A venue whose mails cannot be worked on
 * waits for the next run, and keeps no other from its own.
 */
export const sendGuestMails = async (
  context: Sending,
  signal?: AbortSignal,
  renewMs = 1_000 * guestMailLimits.renewSeconds,
): Promise<void> => {
  const { db, clock, hold, log } = context
  const failed = new Set<VenueId>()
  for (let round = 0; round < mostRounds; round++) {
    if (hold.isOn() || signal?.aborted) return
    const venues = (await guestMailsDue.venues(db, clock())).filter((id) => !failed.has(id))
    if (venues.length === 0) return
    for (const id of venues) {
      if (hold.isOn() || signal?.aborted) return
      try {
        const venue = await venueOfId(db, id)
        if (venue) await sendOfVenue(context, venue, renewMs, signal)
      } catch (error) {
        if (isForEverybody(error)) throw error
        log.error({ venue: id, code: codeOf(error) ?? (error as Error).name }, 'mails to guests failed')
        failed.add(id)
      }
    }
  }
}

/** More wait for the next run a second later. */
const mostRounds = 50

export const forgetGuestMails = async ({ db, clock }: Sending): Promise<number> =>
  (await forgetRecipientPlaces(db, clock())) +
  (await forgetOldGuestMails(db, clock().subtract({ hours: 24 * guestMailLimits.keptDays })))

const sendOfVenue = async (
  context: Sending,
  venue: VenueRow,
  renewMs: number,
  signal?: AbortSignal,
): Promise<void> => {
  const { clock, hold } = context
  const db = context.db.within(venue.id)
  const work: Work = { db, venue: venue as Venue & VenueRow, now: clock }
  const kept = await guestSettingsOf(db, venue.id)
  for (let sent = 0; sent < guestMailLimits.inARow; sent++) {
    if (hold.isOn() || signal?.aborted) return
    const mail = await takeGuestMail(db, venue.id, clock())
    if (!mail) return
    const renew = (): Promise<number> => renewGuestMail(db, venue.id, mail, clock())
    const result = await whileRenewed(renewMs, renew, () => tried(context, work, venue, kept, mail))
    await (result.state === 'paced'
      ? giveBackGuestMail(db, venue.id, mail, result.freeAt)
      : settleGuestMail(db, venue.id, mail, result, clock()))
  }
}

/** Not tried: the address has had its mails of this hour. */
type Paced = { readonly state: 'paced'; readonly freeAt: Temporal.Instant }

/** The letter about a week: one that comes twice is worse than one that is lost with a crash. */
const isOfWeek = ({ kind }: GuestMailRow): boolean => kind === 'weeklyLetter'

const tried = async (
  context: Sending,
  work: Work,
  venue: VenueRow,
  { settings, logo }: KeptGuestSettings,
  mail: GuestMailRow,
): Promise<GuestMailResult | Paced> => {
  const { clock, config, log, secrets } = context
  const now = clock()
  if (Temporal.Instant.compare(now, toInstant(mail.until)) >= 0)
    return { state: isOfWeek(mail) ? 'dropped' : 'failed', answer: 'too late to be sent' }
  try {
    const written = await composeLetter({ work, context, venue, settings, mail })
    if ('dropped' in written) return { state: 'dropped', answer: written.dropped }
    const { letter, speaking } = written
    // An address that bounced or complained is not written to; one that staff took off the list gets mail of its own doing.
    const why = await reasonNotToMail(work.db, venue.id, emailKey(letter.to))
    if (why === 'bounced' || why === 'spam_report')
      return {
        // Staff see it, and can call.
        state: 'failed',
        answer: why === 'bounced' ? 'mail to the address bounced' : 'the address reported spam',
      }
    // An own sender counts once it is confirmed; until then mail goes out under the service's, in the venue's name.
    const isOwn = (await senderStateOf(work.db, config, venue, now)).kind !== 'unverified'
    const from = senderOf(config, { name: venue.name, mail_from: isOwn ? venue.mail_from : null })
    const answers = letter.replyTo === undefined ? replyAddressOf(settings, venue) : letter.replyTo
    const replyTo = answers === null ? null : wireAddress(answers)
    const looks = {
      name: venue.name,
      address: oneLine(venue.postal_address),
      phone: phoneForGuests(venue),
      hasReplies: replyTo !== null,
      accent: settings.accent,
      // No mail program shows SVG.
      logo:
        logo && logo.type !== 'svg'
          ? { url: config.publicUrl + logoPath(venue.slug, logo), ...logoSize(logo, 44) }
          : null,
    }
    const message = writeMessage({
      from,
      replyTo,
      to: letter.to,
      subject: letter.subject,
      date: toInstant(mail.made_at),
      messageId: messageIdOf(mail.message_id, domainOf(from.address)),
      text: plainTextOf(letter, looks, speaking.words),
      html: htmlOf(letter, looks, speaking.language, speaking.words),
      attachments: letter.attachments ?? [],
      leave: letter.leave,
    })
    const recipient = recipientOf(secrets, letter.to)
    const { isPaced, record } = factsOf(mail.kind)
    const until = toInstant(mail.until)
    const taken =
      isPaced && !mail.by_staff
        ? await takeRecipientPlace(work.db, venue.id, recipient, { now, until })
        : undefined
    if (taken && 'freeAt' in taken)
      return Temporal.Instant.compare(taken.freeAt, until) < 0
        ? { state: 'paced', freeAt: taken.freeAt }
        : { state: 'failed', answer: 'too many mails to the address within the hour' }
    if (isOfWeek(mail) && (await keepFromOthers(work.db, venue.id, mail)) === 0)
      return { state: 'dropped', answer: 'somebody else sends it' }
    const outcome = await context.mail.deliver({
      from: from.address,
      to: letter.to,
      message,
      placeMs: guestMailLimits.placeSeconds * 1_000,
    })
    const mayHaveArrived = outcome.kind === 'accepted' || outcome.kind === 'unknown'
    if (!mayHaveArrived && taken) await giveRecipientPlace(work.db, venue.id, recipient, taken.place)
    if (mayHaveArrived && letter.attachments && record === 'booking')
      await markCalendarSent(work.db, venue.id, mail.record_id)
    return resultOf(outcome, letter.to, mail, clock())
  } catch (error) {
    if (isForEverybody(error)) throw error
    if (error instanceof UnmailableAddress)
      return { state: 'failed', answer: 'no address that mail can go to' }
    log.error(
      { code: codeOf(error) ?? (error as Error).name, kind: mail.kind },
      'a mail to a guest could not be written',
    )
    return { state: 'waiting', answer: 'it could not be written', dueAt: nextTry(mail, now) }
  }
}

const resultOf = (
  outcome: Outcome,
  to: string,
  mail: GuestMailRow,
  now: Temporal.Instant,
): GuestMailResult => {
  const answer = keptAnswer(outcome.answer, to)
  switch (outcome.kind) {
    case 'accepted':
      return { state: 'sent', answer }
    case 'refused':
      return { state: 'failed', answer }
    // It may have arrived: once more with the same Message-ID is better than never, but for the letter about a week.
    case 'unknown':
      return isOfWeek(mail)
        ? { state: 'failed', answer: 'it may have arrived' }
        : { state: 'waiting', answer, dueAt: nextTry(mail, now) }
    case 'later':
    case 'relay-trouble':
      return { state: 'waiting', answer, dueAt: nextTry(mail, now) }
    default:
      return outcome satisfies never
  }
}

/** A minute, two, four, up to half an hour. */
const nextTry = ({ tries }: GuestMailRow, now: Temporal.Instant): Temporal.Instant =>
  now.add({ seconds: Math.min(1_800, 60 * 2 ** Math.min(tries - 1, 10)) })

const oneLine = (address: string | null): string =>
  (address ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(', ')
