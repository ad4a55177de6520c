import { mergedColumns } from '../../../crm/guests/merge-rules.ts'
import { mergeGuests, undoMerge } from '../../../crm/guests/merge.ts'
import { searchGuests } from '../../../crm/guests/search-guests.ts'
import type { StaffGuestRow } from '../../../crm/guests/guest.ts'
import { staffGuest } from '../../../crm/guests/staff-reads.ts'
import { housesOfGuests } from '../../../crm/house/reads.ts'
import { type GuestProfile, birthdayForStaff, mergedProfile, nothingKnown } from '../../../crm/house/rules.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { Refusal, notFound } from '../../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import { idOf, mistakePart, versionIn } from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import { warning } from '../parts/press-message.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { nameOf, searchBox } from './list.ts'
import { phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

const home = '/office/guests'

/** Merging two guest records of one person, and undoing it. For managers. */
export const mergePages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: `${home}/:id/merge`,
    role: 'manager',
    answer: async (work, { params, query }) => {
      const guest = await guestOf(work, params.id)
      const other = query.get('with')
      if (other === null) return page('Merge', await chooseOther(work, guest, query.get('q') ?? ''))
      return page('Merge', await mergeQuestion(work, guest, await guestOf(work, other)))
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/merge`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const { guest } = await mergeGuests(
        work,
        actorOf(work.me),
        { id: idOf(params.id, 'guest'), seenVersion: versionIn(form) },
        { id: idOf(form.text('other'), 'guest'), seenVersion: versionIn(form, 'otherVersion') },
      )
      return go(`${home}/${guest.id}`, 'The two guests were merged. You can undo it under “Merged”.')
    },
    again: async (work, { params, form }, { message }) => {
      const ids = [idOf(params.id, 'guest'), idOf(form.text('other'), 'guest')] as const
      // A guest who was merged into another in the meantime no longer has a page; the other guest's page says so.
      const rows = await Promise.all(ids.map((id) => staffGuest(work.db, work.venue.id, id)))
      const [guest, other] = rows
      if (!guest || !other) {
        const left = guest ?? other
        return go(left ? `${home}/${left.id}` : home, warning(message))
      }
      if (guest.id === other.id) throw new Refusal(400, message)
      return page('Merge', await mergeQuestion(work, guest, other, message))
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/merges/:merge/undo`,
    role: 'manager',
    answer: async (work, { params }) => {
      const { restored } = await undoMerge(work, actorOf(work.me), idOf(params.merge, 'merge'))
      return go(`${home}/${restored.id}`, `${nameOf(restored)} is a separate guest again.`)
    },
    again: async (_work, { params }, { message }) =>
      go(`${home}/${idOf(params.id, 'guest')}`, warning(message)),
  },
]

const guestOf = async ({ db, venue }: OfficeWork, id: string | undefined): Promise<StaffGuestRow> => {
  const guest = await staffGuest(db, venue.id, idOf(id, 'guest'))
  if (!guest) throw notFound('guest')
  return guest
}

const head = (guest: StaffGuestRow, words: string): Html =>
  html`<div class="page-head">
    <div>
      <p class="small"><a class="crumb" href="${home}/${guest.id}">‹ ${nameOf(guest)}</a></p>
      <h1>${words}</h1>
    </div>
  </div>`

/** Choosing the other record: those with the same number or name first, anybody else by search. */
const chooseOther = async ({ db, venue }: OfficeWork, guest: StaffGuestRow, typed: string): Promise<Html> => {
  const found = typed.trim() === '' ? await likely(db, venue, guest) : await searchGuests(db, venue.id, typed)
  const others = found.filter(({ id }) => id !== guest.id)
  return html`${head(guest, 'Merge with whom?')}
    <div class="stack">
      ${searchBox(`${home}/${guest.id}/merge`, typed.trim())}
      <section class="card list-card">
        ${typed.trim() === '' && html`<p class="soft small">Same phone number or name:</p>`}
        ${
          others.length === 0
            ? html`<p class="empty">Nobody found. Search for this person's other record.</p>`
            : html`<ul class="rows">
                ${others.map(
                  (other) =>
                    html`<li>
                      <div class="grow">
                        <span class="strong">${nameOf(other)}</span>
                        <span class="small soft breaks"
                          >${[other.email, phoneInWords(other.phone)].filter((one) => one !== null).join(' · ')} ·
                          ${counted(other.visit_count, 'visit')}</span
                        >
                      </div>
                      <a class="button" href="${home}/${guest.id}/merge?with=${other.id}">Choose</a>
                    </li>`,
                )}
              </ul>`
        }
      </section>
    </div>`
}

const likely = async (
  db: OfficeWork['db'],
  venue: OfficeWork['venue'],
  { phone, name }: StaffGuestRow,
): Promise<StaffGuestRow[]> => {
  const find = (text: string | null) => searchGuests(db, venue.id, text ?? '')
  const [byPhone, byName] = await Promise.all([find(phone), find(name)])
  return [...new Map([...byPhone, ...byName].map((guest) => [guest.id, guest])).values()]
}

/** Field by field, what the merge would do, before anything is done. */
const mergeQuestion = async (
  { db, venue, now }: OfficeWork,
  guest: StaffGuestRow,
  other: StaffGuestRow,
  mistake?: string,
): Promise<Html> => {
  const [kept, gone] = guest.id < other.id ? [guest, other] : [other, guest]
  const { date } = wallTimeOf(now(), venue.timezone)
  const merged = mergedColumns(columnsOf(kept), columnsOf(gone), { date, goneId: gone.id })
  const names = [
    ['name', 'Name'],
    ['email', 'Email'],
    ['phone', 'Phone'],
    ['seatingPreference', 'Seating preference'],
    ['referralSource', 'Heard about us'],
    ['externalId', 'ID in other software'],
    ['allergies', 'Allergies'],
    ['staffNotes', 'Notes'],
  ] as const
  const houses = await housesOfGuests(db, venue.id, [kept.id, gone.id])
  const [keptHouse, goneHouse] = [kept, gone].map(({ id }) => houses.get(id) ?? nothingKnown) as [
    GuestProfile,
    GuestProfile,
  ]
  const known = [
    ['VIP', ({ vip }: GuestProfile) => (vip ? 'Yes' : null)],
    ['Birthday', ({ birthday }: GuestProfile) => birthday && birthdayForStaff(birthday)],
    ['Tags', ({ tags }: GuestProfile) => tags.join(', ')],
  ] as const
  const shown = (row: ReturnType<typeof columnsOf>) => ({ ...row, phone: phoneInWords(row.phone) })
  const cell = (text: string | null) =>
    text === null || text === ''
      ? html`<span class="soft">–</span>`
      : html`<span class="lines">${text}</span>`
  return html`${head(guest, 'Merge these two?')}
    <div class="stack">
      ${mistakePart({ mistake })}
      <section class="card list-card">
        <div class="scroll" tabindex="0" role="region" aria-label="What the merge will do">
          <table class="table merge">
            <thead>
              <tr>
                <th scope="col"><span class="hidden-text">Field</span></th>
                <th scope="col">Kept (guest ${kept.id})</th>
                <th scope="col">Merged into it (guest ${gone.id})</th>
                <th scope="col">Result</th>
              </tr>
            </thead>
            <tbody>
              ${names.map(
                ([name, words]) =>
                  html`<tr>
                    <th scope="row">${words}</th>
                    <td>${cell(shown(columnsOf(kept))[name])}</td>
                    <td>${cell(shown(columnsOf(gone))[name])}</td>
                    <td class="after">${cell(shown(merged)[name])}</td>
                  </tr>`,
              )}
              ${known.map(
                ([words, of]) =>
                  html`<tr>
                    <th scope="row">${words}</th>
                    <td>${cell(of(keptHouse))}</td>
                    <td>${cell(of(goneHouse))}</td>
                    <td class="after">${cell(of(mergedProfile(keptHouse, goneHouse)))}</td>
                  </tr>`,
              )}
              <tr>
                <th scope="row">Visits</th>
                <td>${kept.visit_count}</td>
                <td>${gone.visit_count}</td>
                <td class="after">${kept.visit_count + gone.visit_count}</td>
              </tr>
            </tbody>
          </table>
        </div>
        <p class="small soft">
          Bookings and inquiries of both move to the guest you keep. Nothing is lost: values that differ are added to the notes. You can undo it.
        </p>
        <form class="inline" method="post" action="${home}/${guest.id}/merge">
          <input type="hidden" name="version" value="${guest.version}" />
          <input type="hidden" name="other" value="${other.id}" />
          <input type="hidden" name="otherVersion" value="${other.version}" />
          <button class="primary">Merge</button><a class="button quiet" href="${home}/${guest.id}">Cancel</a>
        </form>
      </section>
    </div>`
}

const columnsOf = (row: StaffGuestRow) => ({
  name: row.name,
  email: row.email,
  phone: row.phone,
  seatingPreference: row.seating_preference,
  referralSource: row.referral_source,
  externalId: row.external_id,
  staffNotes: row.staff_notes,
  allergies: row.allergies,
})
