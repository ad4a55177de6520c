import { type Html, html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { minuteInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { cutServer, undoCut } from '../../../book/servers/cut.ts'
import { labelsHeld, tablesHeld } from '../../../book/day/tables-of-booking-reads.ts'
import { changesOfPress } from '../../../book/tables/press-reads.ts'
import { type TableChange, joinedChanges } from '../../../core/activity/table-change.ts'
import { undoTableChoice } from '../../../book/reservations/undo-choice.ts'
import { giveParty, handOver, skipServer } from '../../../book/servers/presses.ts'
import { type LineUpRow, serversOf } from '../../../book/servers/reads.ts'
import { type ServersSeen, serversSeen } from '../../../book/servers/seen.ts'
import type { ServerRow } from '../../../book/servers/server.ts'
import { type BookingSeen, bookingsSeen } from '../../../book/tables/reads.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { eveningBack } from '../today/read-day.ts'
import { hiddenFields, idOf } from '../parts/forms/fields.ts'
import type { RowPlace } from '../today/booking-row.ts'
import { serverChip } from '../parts/server-chip.ts'
import { guestsInWords, idIn } from '../parts/time-words.ts'
import { cutWords, mostNamed } from './cut-words.ts'
import { leftUndo } from '../parts/undo.ts'

/*
 * The shift that runs: whose turn it is, and what is pressed about a server while the doors are open, each with its way
 * back.
 */

const home = '/office/line-up'
const path = `${home}/now`

export const shiftNowPages: readonly VenuePage[] = [
  {
    method: 'POST',
    path,
    role: 'host',
    answer: async (work, { form }) => {
      const [shift, server] = [idIn(form.text('shift')), idIn(form.text('server'))]
      if (shift === undefined || server === undefined)
        throw badRequest('This form is incomplete; open the page again.')
      return press(work, form, { shift, server })
    },
  },
]

type Asked = { readonly shift: number; readonly server: number }

const press = async (work: OfficeWork, form: Form, { shift, server }: Asked): Promise<PageAnswer> => {
  const actor = actorOf(work.me)
  const undo = (fields: Readonly<Record<string, string | number>>) =>
    leftUndo({ to: path, hidden: { shift, ...fields } })
  switch (form.text('do')) {
    case 'skip':
      await skipServer(work, actor, { shift, server })
      return go(
        home,
        `${await nameOfServer(work, server)} is skipped until the next party sits.`,
        undo({ server, do: 'unskip' }),
      )
    case 'unskip':
      await skipServer(work, actor, { shift, server, isUndo: true })
      return go(home, `${await nameOfServer(work, server)} is back in the rotation.`)
    case 'serve': {
      const party = idOf(form.text('party'), 'booking')
      const was = form.has('was') ? (idIn(form.text('was')) ?? null) : undefined
      const before = await giveParty(work, actor, { shift, server, party, was })
      const back = eveningBack(form.text('back'))
      const undone = was === undefined && before !== server
      return go(
        back,
        'Their server is changed.',
        undone ? undo({ server, was: before ?? '', do: 'serve', party, back }) : undefined,
      )
    }
    case 'cut': {
      const moved = await cutServer(work, actor, { shift, server })
      const name = await nameOfServer(work, server)
      const words =
        `Cut: the tables of ${name} take nobody new. ${await cutWords(work, moved, server)}`.trim()
      const rows = moved.flatMap(({ reservation, press }) => [reservation, press]).join(' ')
      return go(home, words, undo({ server, do: 'uncut', moved: rows }))
    }
    case 'uncut':
      const isUndone = await undoCut(work, actor, { shift, server })
      // Without the Undo of the cut nobody knows any more who was moved by it.
      const back = form.has('moved')
        ? isUndone && (await putBackMoved(work, numbersIn(form.text('moved'))))
        : ' Who was moved from them stays where they are.'
      return go(home, `The tables of ${await nameOfServer(work, server)} are in use again.${back || ''}`)
    case 'hand over': {
      const to = idIn(form.text('to'))
      if (to === undefined) throw badRequest('Choose who takes over.')
      const only = form.has('sections') ? numbersIn(form.text('sections')) : undefined
      const parties = only ? numbersIn(form.text('parties')) : form.all('party').map(Number)
      const done = await handOver(work, actor, { shift, from: server, to, parties, ...(only && { only }) })
      const back = { sections: done.sections.join(' '), parties: done.parties.join(' ') }
      return only
        ? go(home, 'Handed back.')
        : go(
            home,
            [
              `Handed over to ${await nameOfServer(work, to)}.`,
              ...(done.moved.length > 0 ? [await cutWords(work, done.moved)] : []),
            ].join(' '),
            undo({ server: to, to: server, do: 'hand over', ...back }),
          )
    }
    default:
      throw badRequest('This button is unknown; reload the page.')
  }
}

const nameOfServer = async (work: OfficeWork, id: number): Promise<string> =>
  (await serversOf(work.db, work.venue.id)).find((one) => one.id === id)?.name ?? 'The server'

/** Puts back whom a cut moved, the last first, and says how many are back and who stays where. */
const putBackMoved = async (work: OfficeWork, rows: readonly number[]): Promise<string> => {
  const { db, venue } = work
  const changes: TableChange[] = []
  for (let n = 0; n + 1 < rows.length; n += 2) {
    const [id, press] = [rows[n] as number, rows[n + 1] as number]
    changes.push(...((await changesOfPress(db, venue.id, { kind: 'reservation', id }, [press])) ?? []))
  }
  const moved = joinedChanges(changes)
  for (let n = rows.length - 2; n >= 0; n -= 2) {
    const [id, press] = [rows[n] as number, rows[n + 1] as number]
    const [party] = await bookingsSeen(db, venue.id, [id])
    if (party) await undoTableChoice(work, actorOf(work.me), { id, press: [press] })
  }
  let back = 0
  const stay: string[] = []
  for (const { reservation: id, before } of moved) {
    const [party] = await bookingsSeen(db, venue.id, [id])
    if (!party) continue
    const held = await tablesHeld(db, venue.id, id)
    if (held.tables.join() === before.tables.join()) back++
    else {
      const table = await labelsHeld(db, venue.id, id)
      stay.push(
        `${party.guest_name ?? 'A party'} stays ${table === '' ? 'without a table' : `at table ${table}`}.`,
      )
    }
  }
  const words =
    back === 0
      ? []
      : [back === 1 ? '1 booking is back at its table.' : `${back} bookings are back at their tables.`]
  const more = stay.length - mostNamed
  const others = more > 0 ? [`${more} more ${more === 1 ? 'stays' : 'stay'} elsewhere.`] : []
  return [...words, ...stay.slice(0, mostNamed), ...others].map((sentence) => ` ${sentence}`).join('')
}

const numbersIn = (text: string): readonly number[] =>
  text
    .split(' ')
    .filter((word) => /^\d{1,15}$/.test(word))
    .map(Number)

/** Who serves a party that sits, to be changed; undefined where the service has no line-up. */
export const servedByForm = (
  party: number,
  { servers, back }: Pick<RowPlace, 'servers' | 'back'>,
): Html | undefined => {
  if (!servers) return undefined
  const now = servers.of(party)
  return html`<form class="inline served-by" method="post" action="${path}">
    ${hiddenFields({ shift: servers.shift.id, party, back, do: 'serve' })}
    <label class="inline"
      ><span class="small soft">Served by</span
      ><select name="server">
        ${!now && html`<option value="">nobody</option>`}
        ${servers.lineUp.map(({ server_id: id }) => html`<option value="${id}" ${id === now?.id && html`selected`}>${servers.all.get(id)?.name}</option>`)}
        ${now && !servers.lineUp.some(({ server_id: id }) => id === now.id) && html`<option value="${now.id}" selected>${now.name}</option>`}
      </select></label
    ><button>Change</button>
  </form>`
}

/** The card of the shift that runs now; undefined where this is not its day or its service. */
export const shiftNow = async (
  work: OfficeWork,
  date: LocalDate,
  shift: number,
): Promise<Html | undefined> => {
  const rules = await bookingRulesAround(work.db, work.venue, date)
  const seen = await serversSeen(work, rules, date)
  if (!seen || seen.shift.id !== shift) return undefined
  const seated = seen.served.filter(({ status }) => status === 'Seated')
  const parties = await bookingsSeen(
    work.db,
    work.venue.id,
    seated.map(({ reservation_id }) => reservation_id),
  )
  const [next] = seen.turn
  return html`<section class="card" id="now">
    <h2>Now</h2>
    <p>${next ? html`Next up: ${serverChip(next)} ${next.name}` : 'Nobody is up now.'}</p>
    <ul class="rows">
      ${seen.lineUp.map((one) => {
        const server = seen.all.get(one.server_id)
        const own = seated.filter(({ server_id }) => server_id === one.server_id)
        return (
          server &&
          serverPart(work, seen, {
            server,
            one,
            own: parties.filter(({ id }) => own.some((row) => row.reservation_id === id)),
          })
        )
      })}
    </ul>
  </section>`
}

const ordinals = ['1st', '2nd', '3rd']

const serverPart = (
  { venue }: OfficeWork,
  seen: ServersSeen,
  {
    server,
    one,
    own,
  }: { readonly server: ServerRow; readonly one: LineUpRow; readonly own: readonly BookingSeen[] },
): Html => {
  const { id, name } = server
  const sections = one.sections ?? []
  const place = seen.turn.findIndex((other) => other.id === id)
  const others = seen.lineUp.flatMap(({ server_id }) =>
    server_id === id ? [] : (seen.all.get(server_id) ?? []),
  )
  const words = [
    sections.length > 0
      ? `${sections.length === 1 ? 'section' : 'sections'} ${sections.join(', ')}`
      : 'no section',
    one.cut_at !== null
      ? `cut at ${timeOf(one.cut_at, venue.timezone)}`
      : place >= 0
        ? `${ordinals[place] ?? `${place + 1}th`} up`
        : sections.length > 0 && seen.hasLeft(one)
          ? `left at ${minuteInWords(one.until_minute)}, nobody has these tables`
          : 'not in the rotation',
  ]
  const about = hiddenFields({ shift: seen.shift.id, server: id })
  return html`<li>
    <div class="grow">${serverChip(server)} <span class="strong">${name}</span> <span class="soft small">${words.join(' · ')}${one.skipped_at !== null && place === seen.turn.length - 1 && ` · skipped at ${timeOf(one.skipped_at, venue.timezone)}`}</span></div>
    <form class="inline" method="post" action="${path}">${about}${
      one.cut_at !== null
        ? html`<button name="do" value="uncut" aria-label="${name} back on the floor">Back on the floor</button>`
        : html`<button name="do" value="skip" aria-label="Skip ${name}">Skip</button
              ><button name="do" value="cut" aria-label="Cut ${name}">Cut</button>`
    }</form>
    ${
      others.length > 0 &&
      html`<details class="hand-over">
        <summary>Hand over</summary>
        <form class="form" method="post" action="${path}">
          ${about}
          <label class="field"
            ><span>Their sections go to</span
            ><select name="to">
              ${others.map((other) => html`<option value="${other.id}">${other.name}</option>`)}
            </select></label
          >
          ${own.length > 0 && html`<p class="small">Seated parties that go to them, too:</p>`}
          ${own.map(
            (party) =>
              html`<label class="check"
                ><input type="checkbox" name="party" value="${party.id}" checked /> <span>${party.guest_name ?? 'A party'}, ${guestsInWords(party.party_size)}</span></label
              >`,
          )}
          <div><button name="do" value="hand over">Hand over</button></div>
        </form>
      </details>`
    }
  </li>`
}
