import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { makeCharges } from '../book/reservations/guarantee/charging/make-charges.ts'
import { deleteCards } from '../book/reservations/guarantee/jobs.ts'
import { makePrivateToken } from '../mail/link-token.ts'
import { editReservation } from '../book/reservations/edits/edits.ts'
import { moveReservation } from '../book/reservations/moves.ts'
import { staff } from '../book/reservations/test/book.ts'
import { bookedReservation } from '../book/day/book-row.ts'
import { lookAtCheckouts } from '../core/money/sweep.ts'
import { lookingAtPaid } from '../marketing/subscribers/looking-at-paid.ts'
import { lookFirst } from '../tickets/online/restored/look-first.ts'
import { lookingAtTickets } from '../tickets/online/looking.ts'
import { refundOnline } from '../tickets/online/money-back/refund-online.ts'
import { actAt } from './act.ts'
import { guestAt, hiddenFieldsOn, hiddenOn, pathOf, setGuestPages } from './guest.ts'
import { type OfficeVisitor, staffOf, visitOffice } from './office.ts'
import { everyEvening, setRules } from './open-rules.ts'
import { rowsOf } from './rows.ts'
import type { TestService, TestVenue } from './service.ts'
import { startPaidService } from './stripe/paid-service.ts'
import type { StripeStandIn } from './stripe/stand-in.ts'

export const card = { asks: 'card', amountCents: 2_500, per: 'guest', freeUntilHours: 24 }
export const deposit = { asks: 'deposit', amountCents: 2_000, per: 'guest', freeUntilHours: 24 }

/** Looks at the processor as a copy that was restored does, before it sends again. */
export const lookAsRestored = ({ context }: Pick<TestService, 'context'>) =>
  lookFirst({ ...context, hold: { ...context.hold, isOn: () => true } }, context.clock(), lookingAtPaid)

/**
 * A venue whose page asks for a card or a deposit, against the stand-in of the processor: a new one for each test. Its worker
 * does not run, so only what a test runs moves money.
 */
export const securingTables = () => {
  const scene = {} as {
    service: TestService
    stripe: StripeStandIn
    venue: TestVenue
    office: OfficeVisitor
  }
  const signal = new AbortController().signal
  before(async () => {
    Object.assign(scene, await startPaidService())
  })
  after(async () => {
    await scene.service.stop()
    await scene.stripe.stop()
  })
  beforeEach(async () => {
    const { stripe } = scene
    Object.assign(stripe, { trouble: undefined, refundsPend: false, declines: undefined })
    for (const kept of [stripe.endpoints, stripe.customers, stripe.refunds, stripe.intents]) kept.clear()
    await open()
  })
  /** Opens another venue, such as one elsewhere. */
  const open = async (place: object = {}) => {
    scene.service.setClock('2026-10-06T14:00:00Z')
    scene.venue = await scene.service.venue(place)
    await setGuestPages(scene.service, scene.venue, { doors: ['book'], confirmUpTo: 8 })
    owner = (await staffOf(scene.service, scene.venue, 'owner')).email
    await signIn()
  }
  let owner = ''
  /** Days later a session is over. */
  const signIn = async () => {
    scene.office = visitOffice(scene.service)
    await scene.office.signIn(owner)
  }
  const later = async (moment: string) => {
    scene.service.setClock(moment)
    await signIn()
  }

  const rules = (guarantees: readonly object[], more: object = {}) =>
    setRules(scene.service, scene.venue, everyEvening({ guarantees, ...more }))
  const connect = async () => {
    const { status, words } = await scene.office.post('/office/settings/payments', { key: scene.stripe.key })
    assert.equal(status, 303, words)
  }
  /** Asks for it, with an account connected. */
  const ask = async (...guarantees: readonly object[]) => {
    await rules(guarantees)
    await connect()
  }
  const door = () => `/v/${scene.venue.slug}/book`
  /** The page of a guest's details, at a time that is held for them. */
  const details = async (slot = '2026-10-09 19:00', size = '2') => {
    const held = await guestAt(scene.service, door(), { form: { size, slot } })
    return (await guestAt(scene.service, held.headers.get('location') ?? '')).text
  }
  /** The form on it, filled in. */
  const formOf = (text: string, more: object = {}): Record<string, string> => ({
    ...hiddenFieldsOn(text, ['token', 'size', 'day', 'time', 'hold']),
    ...(text.includes('name="agreed"') && { agreed: hiddenOn(text, 'agreed') }),
    ...{ name: 'Maya Okafor', email: 'maya@example.com', ...more },
  })
  const press = async (slot?: string, size?: string, more?: object) =>
    guestAt(scene.service, door(), { form: formOf(await details(slot, size), more) })
  /** The name that the processor has for the page that an answer leads to. */
  const sessionOf = ({ headers }: { readonly headers: Headers }) =>
    (headers.get('location') ?? '').replace(/^.*\/pay\//, '')
  /** Books a table that nothing is asked for; leads to the guest's own page. */
  const book = async (slot: string, size = '2') =>
    ((await press(slot, size)).headers.get('location') ?? '').replace(/\?.*/, '')
  /** Goes to the processor's page; returns the name of it there. */
  const goToPay = async (slot?: string, size?: string, more?: object) =>
    sessionOf(await press(slot, size, more))
  /** Agrees to what the guest's own page asks for; returns the name of the processor's page that it leads to. */
  const agree = async (mine: string) => {
    const asked = hiddenOn((await guestAt(scene.service, mine)).text, 'asked')
    const { status, headers, text } = await guestAt(scene.service, mine, { form: { do: 'secure', asked } })
    assert.equal(status, 303, text)
    return sessionOf({ headers })
  }
  /** Secures a table, and leads to the guest's own page. */
  const secure = async (slot?: string, size?: string) => payOn(await goToPay(slot, size))
  const pay = async (page: string) => {
    const session = await scene.stripe.pay(page)
    assert.ok(session)
    return guestAt(scene.service, pathOf(session.success_url))
  }
  const payOn = async (page: string) => {
    const back = await pay(page)
    assert.equal(back.status, 303, back.text)
    return (back.headers.get('location') ?? '').replace(/\?.*/, '')
  }
  const rows = (text: string) => rowsOf(scene.service, text, [scene.venue.id])
  const bookings = async () =>
    (await scene.service.call('GET', '/api/v1/reservations', { key: scene.venue.key })).body as {
      id: number
      status: string
      guestName: string
      time: string
      partySize: number
    }[]
  const namesIn = async (text: string) => (await rows(text)).map(({ name }) => String(name))
  const bookingId = async () =>
    Number((await rows('select id from reservation where venue_id = $1 order by id desc'))[0]?.['id'])
  /** The page from which a guest goes on to the processor's, of the newest checkout. */
  const goOn = async () => {
    const [row] = await rows('select id from checkout where venue_id = $1 order by id desc limit 1')
    const { context } = scene.service
    const looking = lookingAtTickets(context)
    const { cancel } = looking.pagesOf({ ...scene.venue, plan: 'pro' }, Number(row?.['id']))
    return (await guestAt(scene.service, cancel.replace(context.config.publicUrl, ''))).text
  }
  const guarantee = async () =>
    (await rows('select * from guarantee where venue_id = $1 order by id desc limit 1'))[0] ?? {}
  /** The guest's own page of a booking that has one. */
  const mine = async (id: number) => {
    const { context } = scene.service
    const [row] = await rows(
      `select link_issue from guest_booking where venue_id = $1 and reservation_id = ${id}`,
    )
    const issue = Number(row?.['link_issue'])
    return `/r/${makePrivateToken(context.secrets, 'booking', { venue: scene.venue.id, record: id, issue })}`
  }
  const move = (
    name: 'cancel' | 'confirm' | 'markNoShow' | 'seat' | 'undoCancel' | 'undoNoShow',
    id: number,
    decidedBy?: 'guest' | 'staff',
  ) =>
    actAt(scene.service, scene.venue, (work) =>
      moveReservation(work, staff('manager'), { id, move: name, ...(decidedBy && { decidedBy }) }),
    )
  /** A booking of an app, of which nothing is asked by itself. */
  const bookedByKey = async (partySize = 2) => {
    const { status, body, text } = await scene.service.call('POST', '/api/v1/reservations', {
      key: scene.venue.key,
      body: {
        ...{ guestName: 'Maya Okafor', email: 'maya@example.com', date: '2026-10-09', time: '19:00' },
        partySize,
      },
    })
    assert.equal(status, 201, text)
    return Number(body.reservation.id)
  }
  /** A host makes it for so many, whatever is asked before that. */
  const resize = async (id: number, partySize: number) => {
    const { kind } = await actAt(scene.service, scene.venue, async (work) => {
      const row = await bookedReservation(work.db, work.venue.id, id)
      const confirmed = ['*'] as never
      return editReservation(work, staff('host'), {
        ...{ id, seenVersion: row?.version ?? 0, changes: { partySize }, confirmed },
      })
    })
    assert.equal(kind, 'done')
  }
  /** A booking whose guests did not come. */
  const absent = async () => {
    await ask(card)
    await secure()
    await later('2026-10-10T01:00:00Z')
    const id = await bookingId()
    const moved = await move('markNoShow', id)
    assert.equal(moved.kind, 'done')
    return id
  }
  return Object.assign(scene, {
    ...{
      open,
      later,
      rules,
      connect,
      ask,
      door,
      details,
      formOf,
      press,
      sessionOf,
      book,
      goToPay,
      agree,
      pay,
      payOn,
      goOn,
      secure,
      rows,
      bookings,
      bookingId,
      bookedByKey,
      resize,
      mine,
      guarantee,
      move,
      absent,
    },
    pressCard: async (id: number, form: Record<string, string>) => {
      const { status, words } = await scene.office.post(`/office/bookings/${id}/guarantee`, form)
      assert.equal(status, 303, words)
    },
    /** What is behind each of its tables, those of now last. */
    guarantees: () =>
      rows(
        `select kind, status, amount_cents, paid_cents, refunded_cents, reservation_id is not null as has_booking,
                customer_ref is not null as has_card from guarantee where venue_id = $1 order by id`,
      ),
    /** Names of events, but for those of guests. */
    events: () =>
      namesIn(`select name from event where venue_id = $1 and name not like 'guest.%' order by id`),
    /** Kinds of mails, but for reminders. */
    mails: () =>
      namesIn(
        `select kind as name from guest_mail where venue_id = $1 and kind <> 'bookingReminder' order by id`,
      ),
    holds: () => rows('select id from booking_hold where venue_id = $1'),
    sweep: () => lookAtCheckouts(lookingAtTickets(scene.service.context), signal),
    charges: () => makeCharges(scene.service.context, signal),
    refund: () => refundOnline(scene.service.context, signal),
    cards: () => deleteCards(scene.service.context, signal),
    change: (mine: string, size: string, slot: string) =>
      guestAt(scene.service, mine, { form: { do: 'change', size, slot } }),
    /** Cards that the processor charged, or was asked to. */
    charged: () =>
      [...scene.stripe.intents.values()]
        .filter(({ customer }) => customer !== undefined)
        .map(({ amount }) => amount),
  })
}
