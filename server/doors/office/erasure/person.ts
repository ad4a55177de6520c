import { peopleKnownBy } from '../../../data/erasure/contacts.ts'
import { countsOf, erasePerson, staysProtected } from '../../../data/erasure/erase.ts'
import { type Found, contactOfGuest, findPerson, tracesOf } from '../../../data/erasure/find-person.ts'
import { openMoneyOf } from '../../../data/erasure/money-of-person.ts'
import { personDocument } from '../../../data/erasure/person-document.ts'
import type { Contact, Person } from '../../../data/erasure/person.ts'
import { searchGuests } from '../../../crm/guests/search-guests.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { dateInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { isEmailAddress } from '../../../platform/kernel/email.ts'
import { phoneKey } from '../../../platform/kernel/phone/phone.ts'
import { badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { endSentence } from '../../../platform/kernel/sentence.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { actorOf } from '../frame/actor.ts'
import { page } from '../frame/page.ts'
import { idIn } from '../parts/time-words.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { home, personSearch } from '../data/overview.ts'
import { openMoneyHints } from './open-money.ts'
import { dateOf } from '../leads/board.ts'
import { phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

/** Everything a venue stores is searched, a page at a time: several seconds if there is a lot. */
const answerWithinSeconds = 60

/** One person's data across all records: to hand over, and to erase. For the owner. */
export const personPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: `${home}/person`,
    role: 'owner',
    answerWithinSeconds,
    answer: async (work, { query }) => {
      const typed = (query.get('q') ?? '')
        .replaceAll(/[\s\p{Cc}]+/gu, ' ')
        .trim()
        .slice(0, 254)
      if (typed !== '' && typed.isWellFormed()) return page('One person', await foundPeople(work, typed))
      if (!['guest', 'email', 'phone', 'name'].some((name) => query.get(name))) {
        return page(
          'One person',
          html`<div class="page-head"><h1>One person</h1></div>
            ${personSearch('')}`,
        )
      }
      const sought = await soughtIn(work, (name) => query.get(name) ?? '')
      return page('One person', await onePerson(await findPerson(work, sought), work))
    },
  },
  {
    method: 'GET',
    path: `${home}/person.json`,
    role: 'owner',
    answerWithinSeconds,
    answer: async (work, { query }) => {
      const found = await findPerson(work, await soughtIn(work, (name) => query.get(name) ?? ''))
      return {
        kind: 'file',
        name: `one-person-${wallTimeOf(work.now(), work.venue.timezone).date}.json`,
        type: 'application/json; charset=utf-8',
        body: `${JSON.stringify(personDocument(found), null, 2)}\n`,
      }
    },
  },
  {
    method: 'POST',
    path: `${home}/person/erase`,
    role: 'owner',
    answerWithinSeconds,
    answer: async (work, { form }) => {
      if (form.text('sure') !== 'yes')
        throw badRequest('Check the box first: erased data cannot be restored.')
      const sought = await soughtIn(work, form.text)
      const found = await erasePerson(work, actorOf(work.me), sought)
      // Answered directly, not by a redirect: its address would contain the person who was erased.
      return page('One person', erased(found, await peopleKnownBy(work, tracesOf(found))))
    },
    again: async (work, { form }, { message }) => {
      const sought = await soughtIn(work, form.text)
      return page('One person', await onePerson(await findPerson(work, sought), work, message))
    },
  },
]

const soughtIn = async (work: OfficeWork, field: (name: string) => string): Promise<Contact> => {
  const guest = field('guest')
  if (guest !== '') {
    const id = idIn(guest)
    const sought = id === undefined ? undefined : await contactOfGuest(work, id)
    if (!sought) throw notFound('guest')
    return sought
  }
  const read = (name: string) => {
    const text = field(name).trim().slice(0, 254)
    return text === '' || text.includes('\0') || !text.isWellFormed() ? null : text
  }
  const sought = { guestId: null, email: read('email'), phone: read('phone'), name: read('name') }
  if (!sought.email && !sought.phone && !sought.name)
    throw badRequest('Enter an email, phone number or name.')
  return sought
}

const foundPeople = async (work: OfficeWork, typed: string): Promise<Html> => {
  const isEmail = typed.includes('@') && isEmailAddress(typed)
  const isPhone = !isEmail && phoneKey(typed) !== undefined
  const asked: Contact = {
    guestId: null,
    email: isEmail ? typed : null,
    phone: isPhone ? typed : null,
    name: isEmail || isPhone ? null : typed,
  }
  const guests = await searchGuests(work.db, work.venue.id, typed)
  const people = await peopleKnownBy(
    work,
    [asked],
    guests.map(({ id: guestId, email, phone, name }) => ({ guestId, email, phone, name })),
  )
  return html`<div class="page-head"><h1>One person</h1></div>
    <div class="stack">
      ${personSearch(typed)}
      <section class="card">
        ${people.length === 0 ? html`<p class="empty">${endSentence(`Nobody found for “${typed}”`)}</p>` : rowsOf(people)}
      </section>
    </div>`
}

/** One row per person, even if known by several contacts. */
const rowsOf = (people: readonly Person[]): Html =>
  html`<ul class="rows">
    ${people.map(
      (one) =>
        html`<li>
          <span class="grow"
            ><a href="${home}/person?${addressOf(one)}">${calledBy(one)}</a><br /><span class="small soft"
              >${[one.email, phoneInWords(one.phone)].filter(Boolean).join(' · ')}</span
            ></span
          >
          <span class="tag">${one.guestId === null ? 'Not a guest' : 'Guest'}</span>
        </li>`,
    )}
  </ul>`

const calledBy = ({ guestId, name, email, phone }: Person): string =>
  name ?? email ?? phoneInWords(phone) ?? `Guest ${guestId}`

/** The result of an erasure: who else is found by what the person was known by, if anybody. */
const erased = (found: Found, left: readonly Person[]): Html => {
  const isNothing = Object.values(countsOf(found)).every((count) => count === 0)
  return html`<div class="page-head">
      <h1>One person</h1>
      <a class="button quiet" href="${home}">Your data</a>
    </div>
    <div class="stack">
      <p class="notice" role="status">
        ${
          isNothing
            ? 'There was nothing on file about this person.'
            : 'The person was erased. Connected software that received their data keeps its own copies. It is told which records to drop; whether it has confirmed is under Erased people.'
        }
      </p>
      <section class="card">
        <header><h2>What is left</h2></header>
        ${
          left.length === 0
            ? html`<p>Nothing left under their email, phone number or name.</p>`
            : html`<p>
                  Found by the same email, phone number or name. These may be other people, such as family; if one is the same person, erase that record too.
                </p>
                ${rowsOf(left)}`
        }
        ${
          staysProtected(found) &&
          html`<p class="soft">
            Their address must not be emailed, so a fingerprint of it stays on the do-not-email list.
          </p>`
        }
      </section>
      ${personSearch('')}
    </div>`
}

const addressOf = ({ guestId, email, phone, name }: Contact): string =>
  guestId !== null
    ? `guest=${guestId}`
    : new URLSearchParams({
        ...(email !== null && { email }),
        ...(phone !== null && { phone }),
        ...(name !== null && { name }),
      }).toString()

const onePerson = async (found: Found, work: OfficeWork, mistake?: string): Promise<Html> => {
  const { person } = found
  const { now, venue } = work
  const money = await openMoneyOf(work, found)
  const { date: today } = wallTimeOf(now(), venue.timezone)
  const cards = found.guarantees.filter(
    ({ kind, status }) => kind === 'card' && (status === 'held' || status === 'charge_failed'),
  ).length
  const upcoming = found.reservations.filter(
    ({ date, status }) =>
      date !== null && date >= today && (status === 'Requested' || status === 'Confirmed'),
  ).length
  return html`<div class="page-head"><h1>${person.name ?? person.email ?? phoneInWords(person.phone) ?? 'One person'}</h1></div>
    <div class="stack">
      ${mistake !== undefined && html`<p class="mistake" role="alert">${mistake}</p>`}
      <section class="card">
        <header>
          <h2>What is on file</h2>
          <a class="button" href="${home}/person.json?${addressOf(person)}">Everything, as JSON</a>
        </header>
        <dl class="facts">
          ${person.email && html`<dt>Email</dt><dd>${person.email}</dd>`}
          ${person.phone && html`<dt>Phone</dt><dd>${phoneInWords(person.phone)}</dd>`}
          ${lines(found).map(
            ([what, said]) =>
              said.length > 0 && html`<dt>${what}</dt><dd>${said.map((one) => html`<div>${one}</div>`)}</dd>`,
          )}
        </dl>
      </section>
      <section class="card">
        <header><h2>Erase this person</h2></header>
        <p>
          Their name, email, phone number and notes are removed from all of this, from what was or would be sent to connected software, and from the activity log. Bookings and orders stay without a name, for the counts.
        </p>
        ${
          upcoming > 0 &&
          html`<p class="hint">
            ${upcoming === 1 ? 'A booking is' : `${upcoming} bookings are`} still to come and will stay in the book without a name; cancel first if they are not coming.
          </p>`
        }
        ${
          cards > 0 &&
          html`<p class="hint">
            ${cards === 1 ? 'A card is' : `${cards} cards are`} kept behind their bookings and will be deleted at once: nothing can be charged after that, not for a no-show and not for a late cancellation. Charge first if you mean to.
          </p>`
        }
        ${openMoneyHints(money)}
        <p class="soft">
          If their address must not be emailed, a fingerprint of it stays on the do-not-email list to protect them. Files waiting to be imported are discarded. A phone number that other guests also use stays with those guests.
        </p>
        <form class="form" method="post" action="${home}/person/erase">
          ${
            person.guestId === null
              ? (['email', 'phone', 'name'] as const).map(
                  (name) =>
                    person[name] !== null &&
                    html`<input type="hidden" name="${name}" value="${person[name]}" />`,
                )
              : html`<input type="hidden" name="guest" value="${person.guestId}" />`
          }
          <label class="check"
            ><input type="checkbox" name="sure" value="yes" required /><span
              >Erase this person. This cannot be undone.</span
            ></label
          >
          <div><button class="danger">Erase</button></div>
        </form>
      </section>
    </div>`
}

const lines = (found: Found): readonly (readonly [string, readonly string[]])[] => [
  [
    'Guest',
    found.guests.map(({ id, visit_count, staff_notes }) =>
      [`${id}`, `${visit_count} visits`, staff_notes && 'staff notes'].filter(Boolean).join(', '),
    ),
  ],
  [
    'Reservations',
    found.reservations.map(
      ({ date, time, party_size, status }) =>
        `${date && dateInWords(date)} ${time && timeInWords(time)}, ${party_size}, ${status}`,
    ),
  ],
  [
    'Bookings to confirm by email',
    found.unmade.map(
      ({ date, time, partySize }) => `${dateInWords(date)} ${timeInWords(time)}, ${partySize}`,
    ),
  ],
  [
    'Waitlist',
    found.waitlist.map(
      ({ date, party_size, status }) => `${date && dateInWords(date)}, ${party_size}, ${status}`,
    ),
  ],
  [
    'Leads',
    found.leads.map(
      ({ event_name, event_date, stage }) => `${event_name ?? ''} ${dateOf({ event_date }) ?? ''}, ${stage}`,
    ),
  ],
  ['Tickets not bought', found.checkouts.map(({ title }) => title)],
  ['Ticket orders', found.ticketOrders.map(({ order_number, status }) => `${order_number}, ${status}`)],
  ['Email list', found.subscribers.map(({ status, source }) => `${status}, by ${source}`)],
  ['Proof of consent', found.consents.map(({ source, agreed_at }) => `${source}, ${agreed_at.slice(0, 10)}`)],
  ['Campaigns', found.mails.map(({ campaign, state }) => `${campaign}, ${state}`)],
  ['Do-not-email list', found.suppressions.map(({ reason }) => reason.replace('_', ' '))],
  ['Sent to connected software', counted(found.events.length, 'event')],
  ['Replies stored for retries', counted(found.answers.length, 'answer')],
  ['Activity log', counted(found.trail.length, 'change')],
]

const counted = (number: number, word: string): readonly string[] =>
  number === 0 ? [] : [`${number} ${word}${number === 1 ? '' : 's'}`]
