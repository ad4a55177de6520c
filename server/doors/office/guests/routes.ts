import { limits } from '@venue-data/contract/limits.ts'
import type { StaffGuestRow } from '../../../crm/guests/guest.ts'
import { staffGuest } from '../../../crm/guests/staff-reads.ts'
import { type AddedGuest, addGuest, editGuest } from '../../../crm/guests/staff-edits.ts'
import { keepGuestHouse } from '../../../crm/house/actions.ts'
import { houseOfGuest, tagsInUse } from '../../../crm/house/reads.ts'
import { mergedProfile } from '../../../crm/house/rules.ts'
import { signedNote } from '../../../crm/guests/rules.ts'
import { nameAmongStaff } from '../../../core/staff/staff-names.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { listInWords } from '../../../platform/kernel/time/calendar.ts'
import { Refusal, notFound } from '../../../platform/kernel/refusal.ts'
import { typedEmail, typedLine, typedPhone } from '../../../platform/kernel/typed-fields.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go, page } from '../frame/page.ts'
import { carriedFields, idOf, typedIn, versionIn } from '../parts/forms/fields.ts'
import { guestProfileIn } from '../parts/forms/house-fields.ts'
import { once } from '../parts/once.ts'
import { warning } from '../parts/press-message.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import {
  type KnownGuest,
  emailOfOne,
  knownAs,
  whoseBookingIn,
  whoseQuestion,
} from '../bookings/whose-booking.ts'
import { guestForm, newGuestForm, typedOf } from './form.ts'
import { guestList } from './list.ts'
import { guestPage } from './guest.ts'
import { mergePages } from './merge.ts'

const home = '/office/guests'

/** The venue's guests: find, read, add, edit and merge. */
export const guestPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'host',
    answer: async (work, { query }) => page('Guests', await guestList(work, query)),
  },
  {
    method: 'GET',
    path: `${home}/new`,
    role: 'host',
    answer: async (work) => page('New guest', newGuestForm({ typed: {} }, await tagNames(work))),
  },
  {
    method: 'POST',
    path: home,
    role: 'host',
    answer: async (work, { form }) => {
      const house = guestProfileIn(form)
      const typed = {
        name: form.text('name'),
        email: form.text('email'),
        phone: form.text('phone'),
        notes: form.text('notes'),
      }
      let told = 'This form was already sent; the guest is in the book once.'
      const made = await once(work, 'guest', form, async () => {
        const { choice, others } = await whoseBookingIn(work, form, {
          guestName: typedLine('The name', form.text('name'), limits.nameCharacters),
          email: typedEmail('The email', form.text('email')),
          phone: typedPhone('The phone', form.text('phone')),
        })
        if (others.length > 0) return others
        const added = await addGuest(work, actorOf(work.me), typed, choice)
        const { guest } = added
        // A guest who was there keeps what was known of them; what was typed now is added.
        if (house) {
          const known = await houseOfGuest(work.db, work.venue.id, guest.id)
          await keepGuestHouse(work, actorOf(work.me), guest.id, mergedProfile(known, house))
        }
        told = addedInWords(added)
        return guest.id
      })
      return typeof made === 'number' ? go(`${home}/${made}`, told) : askWho(work, form, made)
    },
    again: async (work, { form }, { message }) =>
      page('New guest', newGuestForm({ typed: typedIn(form), mistake: message }, await tagNames(work))),
  },
  {
    method: 'GET',
    path: `${home}/:id`,
    role: 'host',
    answer: async (work, { params }) => {
      const guest = await guestOf(work, params.id)
      return page(guest.name ?? 'Guest', await guestPage(work, guest))
    },
  },
  {
    method: 'GET',
    path: `${home}/:id/edit`,
    role: 'host',
    answer: async (work, { params }) => {
      const guest = await guestOf(work, params.id)
      const [typed, tags] = await Promise.all([typedNow(work, guest), tagNames(work)])
      return page('Edit guest', guestForm(guest, { typed }, tags))
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/edit`,
    role: 'host',
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'guest')
      const house = guestProfileIn(form)
      await editGuest(work, actorOf(work.me), {
        id,
        seenVersion: versionIn(form),
        changes: changesIn(form),
      })
      if (house) await keepGuestHouse(work, actorOf(work.me), id, house)
      return go(`${home}/${id}`, 'Saved.')
    },
    again: async (work, { params, form }, { message }) => {
      const guest = await guestOf(work, params.id)
      const changed = form.text('version') !== String(guest.version)
      return page(
        'Edit guest',
        guestForm(
          guest,
          {
            typed: typedIn(form),
            mistake: message,
            ...(changed && { meanwhile: await typedNow(work, guest) }),
          },
          await tagNames(work),
        ),
      )
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/notes`,
    role: 'host',
    // A line added below what is there: nobody's text is lost, so no version is needed.
    answer: async (work, { params, form }) => {
      const guest = await guestOf(work, params.id)
      const line = typedLine('The note', form.text('note'), 500)
      if (line === null) return go(`${home}/${guest.id}`)
      const { date } = wallTimeOf(work.now(), work.venue.timezone)
      const added = signedNote(date, nameAmongStaff(work.me.staff), line)
      if (guest.staff_notes.split('\n').includes(added)) {
        return go(`${home}/${guest.id}`, warning('This note was already added.'))
      }
      await editGuest(work, actorOf(work.me), {
        id: guest.id,
        seenVersion: guest.version,
        changes: { staffNotes: guest.staff_notes === '' ? added : `${guest.staff_notes}\n${added}` },
      })
      return go(`${home}/${guest.id}`, 'Note added.')
    },
    again: async (work, { params, form }, { message }) => {
      const guest = await guestOf(work, params.id)
      return page(
        guest.name ?? 'Guest',
        await guestPage(work, guest, { mistake: message, note: form.text('note') }),
      )
    },
  },
  ...mergePages,
]

/** Asked before anything is saved: the guest who has this phone or email, or a new one. Nothing typed is lost. */
const askWho = async (work: OfficeWork, form: Form, guests: readonly KnownGuest[]): Promise<PageAnswer> => {
  const answered = (answers: Html) =>
    html`<form class="inline" method="post" action="${home}">${carriedFields(form, ['guest'])} ${answers}</form>`
  const words = { ask: (them: string) => `Is it ${them}, or somebody new?`, take: 'Add this to' }
  return page(
    'Whose details?',
    html`<div class="page-head"><h1>${knownAs(guests)}</h1></div>
      <section class="card sheet">
        ${await whoseQuestion(work, guests, form.text('name'), answered, words)} ${emailOfOne(guests)}
      </section>`,
    409,
  )
}

/** The result of what was typed. */
const addedInWords = ({ created, filled, noted }: AddedGuest): string => {
  if (created) return 'Guest added.'
  return [
    'This guest was already in the book.',
    ...(filled.length > 0 ? [`Added to them: ${listInWords(filled)}.`] : []),
    ...(noted.length > 0
      ? [`They keep their own ${listInWords(noted)}; what you typed is in the staff notes.`]
      : []),
  ].join(' ')
}

const typedNow = async ({ db, venue }: OfficeWork, guest: StaffGuestRow) =>
  typedOf(guest, await houseOfGuest(db, venue.id, guest.id))

const tagNames = async ({ db, venue }: OfficeWork): Promise<string[]> =>
  (await tagsInUse(db, venue.id)).map(({ name }) => name)

/** The guest of a path; another venue's guest is not found. */
const guestOf = async ({ db, venue }: OfficeWork, id: string | undefined) => {
  const guest = await staffGuest(db, venue.id, idOf(id, 'guest'))
  if (!guest) throw notFound('guest')
  return guest
}

/** Only the fields the form sent; others stay as they are. */
const changesIn = (form: Form) => {
  const sent = (name: string) => (form.has(name) ? { [name]: form.text(name) } : {})
  const changes = Object.assign(
    {},
    ...['name', 'email', 'phone', 'seatingPreference', 'referralSource', 'allergies', 'staffNotes'].map(sent),
  ) as Record<string, string>
  if (Object.keys(changes).length === 0)
    throw new Refusal(400, 'This form is incomplete; open the page again.')
  return changes
}
