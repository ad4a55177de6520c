import type { BodyFormat } from '@venue-data/contract/records/campaign.ts'
import { phoneForGuests } from '../../platform/kernel/phone/shown-phone.ts'
import type { VenueRow } from '../../core/venue/venues.ts'
import type { MailContent, MailVenue } from './content/mail-template.ts'
import type { CampaignRow } from './reads.ts'

/** What a campaign says, as the renderer takes it. */
export const contentOf = (
  row: Pick<CampaignRow, 'subject' | 'preheader' | 'body_html' | 'body_text' | 'body_format'>,
): MailContent => ({
  subject: row.subject,
  preheader: row.preheader,
  bodyHtml: row.body_html,
  bodyText: row.body_text,
  bodyFormat: row.body_format as BodyFormat,
})

/** What the layout says of a venue. */
export const mailVenueOf = (
  venue: Pick<VenueRow, 'name' | 'postal_address' | 'phone' | 'country'>,
): MailVenue => ({
  name: venue.name,
  postalAddress: venue.postal_address,
  phone: phoneForGuests(venue)?.words ?? null,
})
