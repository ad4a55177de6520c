import type { Segment } from '@venue-data/contract/records/segment.ts'
import type { Context } from '../../../context.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { addressesOf } from '../../../mail/addressing.ts'
import type { OutgoingMail } from '../../../mail/mailer.ts'
import { type VenueRow, venueOfId } from '../../../core/venue/venues.ts'
import type { Venue, VenueId } from '../../../core/venue/venue.ts'
import { contentOf, mailVenueOf } from '../content-of.ts'
import { nameCampaign } from '../content/name-campaign.ts'
import { compileAside } from '../content/long-bodies.ts'
import { onWire } from '../../../mail/mime/header-text.ts'
import { campaign as readCampaign } from '../reads.ts'
import { idsOfTags, tagKey } from '../audience/sources.ts'
import { holdersLeftOut, listSegmentOf, partsOf } from '../audience/segments.ts'
import type { Claimed, LastLook } from './claim.ts'

export type CopyParts = Pick<Context, 'config' | 'secrets' | 'clock'>

/** A campaign ready to send: its mail is rendered once, and only the slots are filled for each person. */
export type Copies = {
  readonly venue: VenueRow & Venue
  /** What the list was built with, checked again for each person at the last moment. */
  readonly lastLook: LastLook
  readonly messageIdFor: (claimed: Claimed) => string
  /** Throws UnmailableAddress for an address that no mail can go to. */
  readonly mailFor: (claimed: Claimed, messageId: string) => OutgoingMail
}

export const prepareCopies = async (
  db: Queries,
  parts: CopyParts,
  venueId: VenueId,
  campaign: number,
): Promise<Copies | undefined> => {
  const [venue, row] = await Promise.all([venueOfId(db, venueId), readCampaign(db, venueId, campaign)])
  if (!venue || !row) return undefined
  const content = nameCampaign(contentOf(row), {
    pages: `${parts.config.publicUrl}/v/${venue.slug}`,
    campaign,
  })
  const template = await compileAside(venueId, content, mailVenueOf(venue))
  const about = ({ subscriber_id }: Claimed) => ({ venue: venueId, subscriber: subscriber_id, campaign })
  return {
    venue,
    lastLook: await lastLookOf(db, venueId, listSegmentOf(row), row.event_id),
    messageIdFor: (claimed) =>
      claimed.message_id ?? addressesOf(parts, venue, about(claimed)).header.messageId,
    mailFor: (claimed, messageId) => {
      const to = onWire(claimed.email)
      const { person, header, returnTo } = addressesOf(parts, venue, about(claimed), messageId)
      return {
        from: returnTo,
        to,
        message: template.messageFor(
          { firstName: claimed.first_name, ...person },
          { ...header, to: claimed.email, date: parts.clock() },
        ),
      }
    },
  }
}

const lastLookOf = async (
  db: Queries,
  venue: VenueId,
  segment: Segment,
  event: number | null,
): Promise<LastLook> => {
  const parts = partsOf(segment)
  const groups = parts.flatMap((part) =>
    part.type === 'tag'
      ? [...(part.anyOf ? [part.anyOf] : []), ...(part.allOf ?? []).map((name) => [name])]
      : [],
  )
  const keys = [...new Set(groups.flat().map(tagKey))]
  const ids = keys.length === 0 ? new Map<string, number>() : await idsOfTags(db, venue, keys)
  return {
    ticketEvent: holdersLeftOut(segment, event),
    isBirthday: parts.some(({ type }) => type === 'birthday'),
    topics: groups.map((names) => names.flatMap((name) => ids.get(tagKey(name)) ?? [])),
  }
}
