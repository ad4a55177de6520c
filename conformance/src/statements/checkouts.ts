import { CannotTry, expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import type { Section } from '../statement.ts'
import type { Json, World } from '../world.ts'

/** Something that costs money now, as a body: two seats of a date, or a table behind a card or a deposit. */
const somethingPaid = async ({ write, person, days, returnUrl }: World): Promise<Json> => {
  const { name, email } = person()
  const { body: dates } = await write.get('/occurrences', { limit: 100 })
  const date = dates.find((one: Json) => one.onSale && one.priceCents > 0 && one.seatsLeft > 1)
  if (date) return { occurrenceId: date.id, seats: 1, buyerFirstName: name, buyerEmail: email, returnUrl }
  const slots: Json[] = (await days()).flatMap((day) => day.slots)
  const slot = slots.find((one) => one.open && one.guarantee !== null && one.experiences.length === 0)
  if (!slot)
    throw new CannotTry('the venue sells nothing that costs money, and asks for no card and no deposit')
  const { date: day, time } = slot
  return { date: day, time, partySize: 2, guestName: name, email, returnUrl }
}

/** Begins one, which is ended when the statement is over. */
const begin = async (
  world: World,
  headers?: Record<string, string>,
): Promise<{ checkout: Json; body: Json }> => {
  const body = await somethingPaid(world)
  const reply = await world.checkout.post('/checkouts', body, headers)
  if (reply.body?.reason === 'payments-off') throw new CannotTry('the venue takes no payments online')
  expectStatus(reply, 201)
  const { checkout } = reply.body
  world.afterwards(() => world.checkout.post(`/checkouts/${checkout.id}/expire`))
  return { checkout, body }
}

const needs = ['checkout key', 'return address'] as const

export const checkouts: Section = {
  name: 'Checkouts',
  about: 'A payment that software begins, for tickets or a table.',
  statements: [
    {
      number: '1.1',
      says: 'POST /checkouts answers in full at once, whether or not the payment processor can be reached: open, its page, the sum, the currency and until when.',
      needs,
      check: async (world) => {
        const { checkout } = await begin(world)
        const wanted = { status: 'open', reservationId: null, ticketOrderId: null, reason: null }
        expectFields(checkout, wanted, 'the checkout')
        expectThat(URL.canParse(checkout.url), 'the address of its page', checkout.url)
        expectThat(checkout.totalCents > 0, 'a sum', checkout.totalCents)
        expectThat(/^[A-Z]{3}$/.test(checkout.currency), 'a currency', checkout.currency)
        const now = await world.now()
        expectThat(new Date(checkout.expiresAt) > now, 'an end that is to come', checkout.expiresAt)
      },
    },
    {
      number: '1.2',
      says: 'GET /checkouts/{id} is the same checkout, for the key that began it.',
      needs,
      check: async (world) => {
        const { checkout } = await begin(world)
        const reply = await world.checkout.get(`/checkouts/${checkout.id}`)
        expectStatus(reply, 200)
        expectEqual(reply.body.checkout, checkout, 'the checkout')
      },
    },
    {
      number: '2',
      says: 'The same Idempotency-Key and body again are the same checkout, marked Idempotent-Replayed.',
      needs,
      check: async (world) => {
        const headers = { 'idempotency-key': world.unique() }
        const { checkout, body } = await begin(world, headers)
        const again = await world.checkout.post('/checkouts', body, headers)
        expectStatus(again, 201)
        expectThat(
          again.headers.get('idempotent-replayed') === 'true',
          'Idempotent-Replayed: true',
          again.headers.get('idempotent-replayed') ?? 'none',
        )
        expectEqual(again.body.checkout, checkout, 'the answer to the retry')
      },
    },
    {
      number: '3',
      says: 'For any other key of the venue it is 404, to read and to end, and stays as it is.',
      needs,
      check: async (world) => {
        const { scopes } = (await world.write.get('/me')).body.key
        if (!scopes.includes('checkouts:create'))
          throw new CannotTry('the read and write key may not start payments: give it checkouts:create, too')
        const { checkout } = await begin(world)
        const path = `/checkouts/${checkout.id}`
        expectRefusal(await world.write.get(path), 404)
        expectRefusal(await world.write.post(`${path}/expire`), 404)
        expectEqual((await world.checkout.get(path)).body.checkout, checkout, 'the checkout')
      },
    },
    {
      number: '4',
      says: 'A returnUrl on a site that the venue has not listed is 400, and nothing is kept.',
      needs,
      check: async (world) => {
        const body = await somethingPaid(world)
        for (const returnUrl of ['https://conformance.invalid/thanks', 'http://127.0.0.1/', 'thanks'])
          expectRefusal(await world.checkout.post('/checkouts', { ...body, returnUrl }), 400)
        const { returnUrl: _, ...without } = body
        expectRefusal(await world.checkout.post('/checkouts', without), 400)
      },
    },
    {
      number: '5',
      says: 'POST /checkouts/{id}/expire ends it; of one that has expired it is 200, too, and the same.',
      needs,
      check: async (world) => {
        const { checkout } = await begin(world)
        const path = `/checkouts/${checkout.id}`
        const ended = await world.checkout.post(`${path}/expire`)
        expectStatus(ended, 200)
        const wanted = { id: checkout.id, status: 'expired', reservationId: null, ticketOrderId: null }
        expectFields(ended.body.checkout, wanted, 'the checkout')
        const again = await world.checkout.post(`${path}/expire`)
        expectStatus(again, 200)
        expectEqual(again.body.checkout, ended.body.checkout, 'the checkout that had expired')
        expectEqual((await world.checkout.get(path)).body.checkout, ended.body.checkout, 'as it is read')
      },
    },
    {
      number: '6',
      says: 'A checkout that was not paid is no record: no list, no event and no change has it.',
      needs,
      check: async (world) => {
        const { write } = world
        const after = (await write.get('/changes', { after: 'latest' })).body.next
        const { body } = await begin(world)
        const email = body.buyerEmail ?? body.email
        const { changes } = (await write.get('/changes', { after })).body
        expectThat(!JSON.stringify(changes).includes(email), 'no change of it', changes)
        for (const list of ['/ticket-orders', '/reservations', '/guests']) {
          const reply = await write.get(list, { limit: 100 })
          expectStatus(reply, 200)
          expectThat(!reply.text.includes(email), `nothing of it in ${list}`, email)
        }
      },
    },
    {
      number: '7',
      says: 'A key without checkouts:create starts no payment and reads none.',
      needs: [...needs, 'read key'],
      check: async (world) => {
        const { checkout, body } = await begin(world)
        expectRefusal(await world.read.post('/checkouts', body), 403)
        expectRefusal(await world.read.get(`/checkouts/${checkout.id}`), 403)
      },
    },
  ],
}
