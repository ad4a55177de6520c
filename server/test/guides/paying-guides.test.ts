import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { addOccurrence, makeEvent } from '../../tickets/events.ts'
import { actAt } from '../act.ts'
import { guestAt, pathOf, setGuestPages } from '../guest.ts'
import { setRules } from '../open-rules.ts'
import { asShown, samplesOf } from './page-samples.ts'
import { owner, sellingOnline } from '../selling-online.ts'

/*
 * The two guides to payments on the venue's own site, exactly as printed: each call is made, in its order, and must answer
 * what the page says. Between them the guest pays, at the stand-in.
 */

describe('the guides to payments', () => {
  const scene = sellingOnline()
  let key: string
  beforeEach(async () => {
    scene.service.setClock('2026-11-20T20:00:00Z')
    await setGuestPages(scene.service, scene.venue, { frameSites: ['https://www.example.com'] })
    const scopes = [
      'checkouts:create',
      'ticket-orders:read',
      'reservations:create',
      'reservations:read',
    ] as const
    key = (await scene.venue.makeKey('read_write', 'api', { scopes })).key
  })

  /** The guest goes to the page, presses its button, pays and comes back. */
  const pay = async ({ id, url }: { id: number; url: string }): Promise<string | null> => {
    const led = await guestAt(scene.service, pathOf(url), { form: { do: 'pay' } })
    assert.ok(led.headers.get('location')?.startsWith(scene.stripe.url), led.text)
    const paid = await scene.stripe.pay(await scene.sessionOf(id))
    return (await guestAt(scene.service, pathOf(paid?.success_url))).headers.get('location')
  }

  type Checkout = { readonly id: number; readonly url: string; readonly [field: string]: unknown }
  /** Makes the calls of a page; `names` are what the page calls the ids of here, and grow with the answers. */
  const follow = async (
    page: string,
    names: Map<string, string | number>,
    after: (path: string, body: Record<string, unknown> & { checkout?: Checkout }) => Promise<void>,
  ): Promise<number> => {
    const here = (text: string): string =>
      [...names].reduce(
        (told, [there, one]) =>
          told.replaceAll(new RegExp(`(?<=[:/"])${there}(?=[,"/}]|$)`, 'g'), String(one)),
        text,
      )
    const samples = await samplesOf(page)
    for (const { method, path, headers, body, answer } of samples) {
      const { text, body: reply } = await scene.service.call(method, here(path), {
        ...{ key, headers },
        ...(body !== undefined && { body: here(body) }),
      })
      // What the answer is called is learned from it, so that it can be compared.
      await after(path, reply as never)
      assert.match(text, asShown(here(answer)), path)
    }
    return samples.length
  }

  it('sell tickets from your own site: every call answers what the page says', async () => {
    const event = await actAt(scene.service, scene.venue, (work) => makeEvent(work, owner, 'Burgundy Night'))
    await actAt(scene.service, scene.venue, (work) =>
      addOccurrence(work, owner, event.id, {
        ...{ title: 'Late seating', date: '2026-11-28', startTime: '20:30', capacity: 12, priceCents: 9_500 },
      }),
    )
    const names = new Map<string, string | number>()
    let back: string | null = null
    const made = ['88', '89']
    const calls = await follow('sell-tickets-online.md', names, async (path, body) => {
      if (path.includes('/occurrences')) names.set('31', (body as unknown as { id: number }[])[0]?.id ?? 0)
      if (path.endsWith('/checkouts') && body.checkout) {
        names.set(made.shift() ?? '', body.checkout.id)
        if (back === null) back = await pay(body.checkout)
        const [row] = await scene.orders()
        if (row && !names.has('601')) names.set('601', (await newestOrder()) ?? 0)
      }
    })
    assert.equal(calls, 7)
    assert.equal(back, `https://www.example.com/thanks?checkout=${names.get('88')}`)
  })

  const newestOrder = async (): Promise<number | undefined> => {
    const { body } = await scene.service.call('GET', '/api/v1/ticket-orders', { key })
    return (body as { id: number }[])[0]?.id
  }

  it('take a deposit from your own site: every call answers what the page says', async () => {
    await setRules(scene.service, scene.venue, {
      periods: [4, 5].map((weekday) => ({
        ...{ weekday, name: 'Dinner', opens: '17:00', closes: '22:00' },
        seatings: ['17:00', '18:00', '19:00', '20:00', '21:00'],
      })),
      guarantees: [{ asks: 'deposit', amountCents: 2_000, per: 'guest', freeUntilHours: 24 }],
    })
    const names = new Map<string, string | number>()
    let back: string | null = null
    let page = ''
    const calls = await follow('take-a-deposit.md', names, async (path, body) => {
      if (path.endsWith('/holds')) names.set('pX4sT9vQmN2kLw7RbC1dZg', String(body['id']))
      if (path.endsWith('/checkouts') && body.checkout) {
        names.set('88', body.checkout.id)
        page = (await guestAt(scene.service, pathOf(body.checkout.url))).text
        back = await pay(body.checkout)
        const { body: all } = await scene.service.call('GET', '/api/v1/reservations', { key })
        names.set('11946', (all as { id: number }[])[0]?.id ?? 0)
      }
    })
    assert.equal(calls, 5)
    assert.match(
      page,
      /You pay \$80\.00 in advance\. Cancel by 7:00\sPM on Thursday, November 26 and it all goes back/,
    )
    assert.equal(back, `https://www.example.com/booked?checkout=${names.get('88')}`)
  })
})
