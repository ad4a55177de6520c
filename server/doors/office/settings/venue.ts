import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { ClockHours } from '../../../platform/kernel/formats.ts'
import { staffFormats } from '../../../platform/kernel/time/in-words.ts'
import { conceptsOnLeads } from '../../../crm/leads/reads.ts'
import { venueOfSlug } from '../../../core/venue/actions.ts'
import { type Profile, profileVersion, saveProfile } from '../../../core/venue/profile.ts'
import type { VenueRow } from '../../../core/venue/venues.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, go, page } from '../frame/page.ts'
import {
  type FormSeen,
  type Typed,
  areaField,
  choiceField,
  lineField,
  mistakePart,
  sentAgain,
  shownField,
} from '../parts/forms/fields.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { senderLinkPages, senderPart } from './sender.ts'
import { settingsHead } from './tabs.ts'
import { endSentence } from '../../../platform/kernel/sentence.ts'

const home = '/office/settings'

/** The venue's own details. */
export const venuePages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: `${home}/venue`,
    role: 'manager',
    answer: async (work) => page('Venue', await venueBody(context, work)),
  },
  {
    method: 'POST',
    path: `${home}/venue`,
    role: 'manager',
    answer: async (work, { form }) => {
      await saveProfile(work, actorOf(work.me), { seen: form.text('seen'), profile: profileIn(form) })
      return go(`${home}/venue`, 'Venue saved.')
    },
    again: async (work, { form }, { message }) =>
      page('Venue', await venueBody(context, work, { form, mistake: message })),
  },
  ...senderLinkPages(context),
]

/** Lists have one entry per line. */
const profileIn = (form: Form): Profile => {
  const text = (name: string) => form.text(name).replaceAll('\r\n', '\n').trim() || null
  const lines = (name: string) => (text(name) ?? '').split('\n').filter((line) => line.trim() !== '')
  return {
    phone: text('phone'),
    mailFrom: text('mailFrom'),
    postalAddress: text('postalAddress'),
    testAddresses: lines('testAddresses'),
    rooms: lines('rooms'),
    clockHours: clockHoursOf[form.text('clockHours')] ?? null,
  }
}

const clockHoursOf: Readonly<Record<string, ClockHours>> = { '12': 12, '24': 24 }

const typedOf = (row: VenueRow): Typed => ({
  phone: row.phone ?? '',
  mailFrom: row.mail_from ?? '',
  postalAddress: row.postal_address ?? '',
  testAddresses: row.test_addresses.join('\n'),
  rooms: row.rooms.join('\n'),
  clockHours: String(row.clock_hours ?? ''),
})

const venueBody = async (
  context: Context,
  work: OfficeWork,
  sent?: { readonly form: Form; readonly mistake: string },
): Promise<Html> => {
  const { db, venue } = work
  const [row, onLeads] = await Promise.all([venueOfSlug(db, venue.slug), conceptsOnLeads(db, venue.id)])
  const version = profileVersion(row)
  const isStale = sent !== undefined && sent.form.text('seen') !== version
  const form: FormSeen = sent
    ? sentAgain(sent.form, sent.mistake, isStale ? typedOf(row) : undefined)
    : { typed: typedOf(row) }
  return html`${settingsHead(`${home}/venue`)}
    <div class="stack"><section class="card">
      <form class="form" method="post" action="${home}/venue">
        ${mistakePart(form)} <input type="hidden" name="seen" value="${version}" />${shownField(form)}
        <div class="fields">
          ${lineField(form, { name: 'phone', label: 'Phone shown to guests', type: 'tel', most: limits.phoneCharacters })}
          ${lineField(form, { name: 'mailFrom', label: 'Email sender', type: 'email', hint: 'A new one must be confirmed before campaigns can be sent from it.', most: limits.emailCharacters })}
        </div>
        ${areaField(form, {
          name: 'postalAddress',
          label: 'Postal address',
          most: 500,
          hint: 'Shown at the bottom of every campaign.',
        })}
        ${areaField(form, { name: 'testAddresses', label: 'Test addresses, one per line', most: 3_000 })}
        ${areaField(form, {
          name: 'rooms',
          label: 'Rooms and brands, one per line',
          most: 10_000,
          hint: `Offered on leads, in this order.${unlisted(row, onLeads)}`,
        })}
        ${choiceField(form, {
          name: 'clockHours',
          label: 'Dates and times',
          choices: [
            ['', `As written in ${theCountry(row.country)}, such as ${exampleOf(row, null)}`],
            ['12', `12-hour clock, such as ${exampleOf(row, 12)}`],
            ['24', `24-hour clock, such as ${exampleOf(row, 24)}`],
          ],
          hint: 'In the office and in emails to staff. Guests see dates and times in their own language.',
        })}
        <dl class="facts">
          <dt>Name</dt>
          <dd>${row.name}</dd>
          <dt>Country</dt>
          <dd>${countryName(row.country)}</dd>
          <dt>Time zone</dt>
          <dd>${row.timezone}</dd>
          <dt>Plan</dt>
          <dd>${row.plan}</dd>
        </dl>
        <div><button class="primary">Save</button></div>
      </form>
    </section>
    ${await senderPart(context, work, row)}</div>`
}

const countryName = (country: string): string =>
  new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country

/** Within a sentence: "the United States". */
const theCountry = (country: string): string => {
  const name = countryName(country)
  return /^(?:United|Netherlands|Philippines|Bahamas|Dominican|Czech|Maldives)/.test(name)
    ? `the ${name}`
    : name
}

const exampleOf = ({ country }: VenueRow, clockHours: ClockHours): string => {
  const { day, time } = staffFormats({ country, clockHours })
  return `${day('2026-11-21')}, ${time('19:40')}`
}

/** Rooms on leads that are not in the list. */
const unlisted = ({ rooms }: VenueRow, onLeads: readonly string[]): string => {
  const listed = new Set(rooms.map((room) => room.toLowerCase()))
  const others = onLeads.filter((concept) => !listed.has(concept.toLowerCase()))
  return others.length === 0 ? '' : ` ${endSentence(`Leads also use: ${others.slice(0, 10).join(', ')}`)}`
}
