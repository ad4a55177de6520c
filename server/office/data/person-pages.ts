import { countsOf, erasePerson } from '../../data/erase-person.ts'
import { type Found, contactsLike, findPerson, personOfGuest } from '../../data/find-person.ts'
import { personDocument } from '../../data/person-document.ts'
import type { Person } from '../../data/person.ts'
import { searchGuests } from '../../guests/staff-reads.ts'
import { type Html, html } from '../../html/html.ts'
import { isEmailAddress } from '../../kernel/email.ts'
import { phoneKey } from '../../kernel/phone.ts'
import { badRequest, notFound } from '../../kernel/refusal.ts'
import { wallTimeOf } from '../../kernel/venue-clock.ts'
import { actorOf } from '../actor.ts'
import { go, page } from '../page.ts'
import { idIn } from '../parts/time-words.ts'
import type { OfficeWork, VenuePage } from '../serve-page.ts'
import { home, personSearch } from './overview.ts'

/** One person across all records: to hand over, and to erase. For the owner. */
export const personPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: `${home}/person`,
    role: 'owner',
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
      const person = await personIn(work, (name) => query.get(name) ?? '')
      return page('One person', onePerson(await findPerson(work, person), work))
    },
  },
  {
    method: 'GET',
    path: `${home}/person.json`,
    role: 'owner',
    answer: async (work, { query }) => {
      const found = await findPerson(work, await personIn(work, (name) => query.get(name) ?? ''))
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
    answerWithinSeconds: 60,
    answer: async (work, { form }) => {
      if (form.text('sure') !== 'yes')
        throw badRequest('Tick the box first: what is erased cannot be brought back.')
      const person = await personIn(work, form.text)
      const found = await erasePerson(work, actorOf(work.me), person)
      const records = Object.values(countsOf(found)).reduce((all, one) => all + one, 0)
      return go(
        home,
        records === 0
          ? 'Nothing was kept about this person.'
          : 'The person was erased. Software that was told of them keeps its own copies: ask for their deletion there.',
      )
    },
    again: async (work, { form }, { message }) => {
      const person = await personIn(work, form.text)
      return page('One person', onePerson(await findPerson(work, person), work, message))
    },
  },
]

const personIn = async (work: OfficeWork, field: (name: string) => string): Promise<Person> => {
  const guest = field('guest')
  if (guest !== '') {
    const id = idIn(guest)
    const person = id === undefined ? undefined : await personOfGuest(work, id)
    if (!person) throw notFound('guest')
    return person
  }
  const read = (name: string) => {
    const text = field(name).trim().slice(0, 254)
    return text === '' || text.includes('\0') || !text.isWellFormed() ? null : text
  }
  const person = { guestId: null, email: read('email'), phone: read('phone'), name: read('name') }
  if (!person.email && !person.phone && !person.name) throw badRequest('Type an e-mail, a phone or a name.')
  return person
}

const foundPeople = async (work: OfficeWork, typed: string): Promise<Html> => {
  const isEmail = typed.includes('@') && isEmailAddress(typed)
  const isPhone = !isEmail && phoneKey(typed) !== undefined
  const asked: Person = {
    guestId: null,
    email: isEmail ? typed : null,
    phone: isPhone ? typed : null,
    name: isEmail || isPhone ? null : typed,
  }
  const [guests, others] = await Promise.all([
    searchGuests(work.db, work.venue.id, typed),
    contactsLike(work, asked),
  ])
  return html`<div class="page-head"><h1>One person</h1></div>
    <div class="stack">
      ${personSearch(typed)}
      <section class="card">
        ${
          guests.length + others.length === 0
            ? html`<p class="empty">Nobody is known by “${typed}”.</p>`
            : html`<ul class="rows">
                ${guests.map(
                  ({ id, name, email, phone }) =>
                    html`<li>
                      <span class="grow"
                        ><a href="${home}/person?guest=${id}">${name ?? email ?? phone ?? `Guest ${id}`}</a
                        ><br /><span class="small soft">${[email, phone].filter(Boolean).join(' · ')}</span></span
                      >
                      <span class="tag">Guest</span>
                    </li>`,
                )}
                ${others.map(
                  (one) =>
                    html`<li>
                      <span class="grow"
                        ><a href="${home}/person?${addressOf(one)}">${one.name ?? one.email ?? one.phone}</a
                        ><br /><span class="small soft">${[one.email, one.phone].filter(Boolean).join(' · ')}</span></span
                      >
                      <span class="tag">No guest</span>
                    </li>`,
                )}
              </ul>`
        }
      </section>
    </div>`
}

const addressOf = ({ guestId, email, phone, name }: Person): string =>
  guestId !== null
    ? `guest=${guestId}`
    : new URLSearchParams({
        ...(email !== null && { email }),
        ...(phone !== null && { phone }),
        ...(name !== null && { name }),
      }).toString()

const onePerson = (found: Found, { now, venue }: OfficeWork, mistake?: string): Html => {
  const { person } = found
  const { date: today } = wallTimeOf(now(), venue.timezone)
  const upcoming = found.reservations.filter(
    ({ date, status }) =>
      date !== null && date >= today && (status === 'Requested' || status === 'Confirmed'),
  ).length
  return html`<div class="page-head"><h1>${person.name ?? person.email ?? person.phone ?? 'One person'}</h1></div>
    <div class="stack">
      ${mistake !== undefined && html`<p class="mistake" role="alert">${mistake}</p>`}
      <section class="card">
        <header>
          <h2>What is kept</h2>
          <a class="button" href="${home}/person.json?${addressOf(person)}">Everything, as JSON</a>
        </header>
        <dl class="facts">
          ${person.email && html`<dt>E-mail</dt><dd>${person.email}</dd>`}
          ${person.phone && html`<dt>Phone</dt><dd>${person.phone}</dd>`}
          ${lines(found).map(
            ([what, said]) =>
              said.length > 0 && html`<dt>${what}</dt><dd>${said.map((one) => html`<div>${one}</div>`)}</dd>`,
          )}
        </dl>
      </section>
      <section class="card">
        <header><h2>Erase this person</h2></header>
        <p>
          Name, address, number, notes and wishes are taken out of all of this, out of what connected software was or
          would be told, and out of the trail of changes. The bookings and orders stay without a name, for the counts.
        </p>
        ${
          upcoming > 0 &&
          html`<p class="hint">
            ${upcoming === 1 ? 'A booking is' : `${upcoming} bookings are`} still to come. It stays in the book without a
            name; cancel it first if they will not come.
          </p>`
        }
        <p class="soft">
          If mail must not go to their address, a fingerprint of it stays on the do-not-email list to protect them. Files
          that wait to be imported are thrown away. A number that others of the venue's guests use stays with those.
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
              >Erase this person. It cannot be undone.</span
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
      [`${id}`, `${visit_count} visits`, staff_notes && 'notes for staff'].filter(Boolean).join(', '),
    ),
  ],
  [
    'Reservations',
    found.reservations.map(
      ({ date, time, party_size, status }) => `${date} ${time}, ${party_size}, ${status}`,
    ),
  ],
  ['Waitlist', found.waitlist.map(({ date, party_size, status }) => `${date}, ${party_size}, ${status}`)],
  [
    'Leads',
    found.leads.map(
      ({ event_name, event_date, stage }) => `${event_name ?? ''} ${event_date ?? ''}, ${stage}`,
    ),
  ],
  ['Ticket orders', found.ticketOrders.map(({ order_number, status }) => `${order_number}, ${status}`)],
  ['Mail list', found.subscribers.map(({ status, source }) => `${status}, by ${source}`)],
  [
    'Evidence of consent',
    found.consents.map(({ source, agreed_at }) => `${source}, ${agreed_at.slice(0, 10)}`),
  ],
  ['Campaigns', found.mails.map(({ campaign, state }) => `${campaign}, ${state}`)],
  ['Do-not-email list', found.suppressions.map(({ reason }) => reason.replace('_', ' '))],
  ['Told to connected software', counted(found.events.length, 'event')],
  ['Answers kept for repeats', counted(found.answers.length, 'answer')],
  ['Trail of changes', counted(found.trail.length, 'change')],
]

const counted = (number: number, word: string): readonly string[] =>
  number === 0 ? [] : [`${number} ${word}${number === 1 ? '' : 's'}`]
