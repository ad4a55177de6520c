import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeCharges } from '../../../book/reservations/guarantee/charging/make-charges.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { offerByHand } from '../../../book/waitlist/offers.ts'
import { formatsFor, moneyIn } from '../../../messages/guest-words/formats.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { type GuestLanguage, guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { addOccurrence, editEvent, makeEvent } from '../../../tickets/events.ts'
import { makePrivateToken } from '../../../mail/link-token.ts'
import { actAt } from '../../act.ts'
import { setGuestPages } from '../../guest.ts'
import { type OfficeVisitor, visitOffice } from '../../office.ts'
import { rowsOf } from '../../rows.ts'
import { owner, signal } from '../../selling-online.ts'
import type { TestService, TestVenue } from '../../service.ts'
import type { StripeStandIn } from '../../stripe/stand-in.ts'
import type { Visitor } from '../browser.ts'
import { faultsByAxe, sidewaysScroll } from '../check-page.ts'
import { phone, pictureOf } from '../look-at-pages.ts'
import { leftInEnglish, textsOn } from './left-in-english.ts'
import { beginCheckout, site, withPayments } from './with-payments.ts'

const [cardDay, depositDay, menuDay, tonight] = ['2026-10-10', '2026-10-09', '2026-10-12', '2026-10-06']
const terms = { per: 'guest', freeUntilHours: 24 }
const guarantees = [
  { ...terms, asks: 'card', amountCents: 2_500, from: cardDay, to: cardDay },
  // Canceling it is free no more once it is booked.
  { ...terms, asks: 'card', amountCents: 2_500, from: tonight, to: tonight },
  { ...terms, asks: 'deposit', amountCents: 2_000 },
]
const menu = {
  ...{ key: 'tasting', name: 'Tasting menu', asks: 'prepaid', amountCents: 9_500, feeCents: 150 },
  texts: guestLanguages.map((language) => ({ language, text: 'Nine courses' })),
}
const experiences = [menu, { key: 'dinner', name: 'À la carte' }].map((one) => ({
  ...one,
  ...{ from: menuDay, to: menuDay },
}))

describe('forms that ask for money, on a phone without script', () => {
  let service: TestService
  let stripe: StripeStandIn
  let venue: TestVenue
  let guest: Visitor
  /** Reads what the guest’s browser shows: axe is a script. */
  let judge: Visitor
  let office: OfficeVisitor
  let key: string
  let event: number
  let date: number
  withPayments(
    {
      rules: { guarantees, experiences },
      pages: { doors: ['book', 'tickets'], confirmUpTo: 8, frameSites: [site] },
    },
    async (opened) => {
      ;({ service, stripe, venue } = opened)
      guest = await opened.browser.visitor(service, { viewport: phone, javaScriptEnabled: false })
      judge = await opened.browser.visitor(service, { viewport: phone, bypassCSP: true })
      await judge.open(`/v/${venue.slug}`)
      office = visitOffice(service)
      await office.signIn(opened.email)
      const typed = { title: null, date: '2026-10-20', startTime: '19:00', capacity: 99, priceCents: 4_500 }
      date = await actAt(service, venue, async (work) => {
        const made = await makeEvent(work, owner, 'Wine dinner')
        event = made.id
        await editEvent(work, owner, {
          ...{ id: event, seenVersion: made.version, name: made.name, text: null, orderMost: null },
          ...{ returnHours: 48, returnKeepsFee: false },
        })
        return (await addOccurrence(work, owner, event, typed)).id
      })
      key = (await venue.makeKey('read_write', 'api', { scopes: ['checkouts:create'] })).key
    },
  )

  const guests = ['Maya Okafor', 'Lena Berg', 'Noor Haddad']
  const menus = ['Tasting menu', 'Nine courses', 'À la carte']
  const ofVenue = ['The Blue Door', 'Wine dinner', ...guests, ...menus, 'Google Calendar', 'Outlook']
  /** What each page says in English, by its name. */
  const inEnglish = new Map<string, readonly string[]>()
  let language: GuestLanguage = 'en'
  const words = () => wordsIn(language)
  const money = (cents: number): string =>
    moneyIn(formatsFor(language, { country: 'US', timezone: 'America/New_York' }), cents, 'USD')

  /** Everything that is wrong with the page that is open; no guest is led on by one that is. */
  const look = async (name: string): Promise<void> => {
    const { page } = guest
    const at = `${name} in ${language}`
    await pictureOf(page, `/${name} ${language}`)
    assert.equal(await page.locator('html').getAttribute('lang'), language, at)
    assert.deepEqual(await sidewaysScroll(page), [], at)
    await judge.page.setContent(await page.content())
    // In every language the page has the same colors.
    const judged = language === 'en' ? 'all' : 'all but contrast'
    assert.deepEqual(await faultsByAxe(judge.page, judged), [], at)
    const texts = await textsOn(page)
    if (language === 'en') inEnglish.set(name, texts)
    else {
      const english = inEnglish.get(name) ?? assert.fail(`${name} was not looked at in English`)
      assert.deepEqual(leftInEnglish(texts, language, { english, data: ofVenue }), [], at)
    }
  }
  const open = async (name: string, path: string): Promise<void> => {
    await guest.open(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`)
    await look(name)
  }
  const button = (name: string) => guest.page.getByRole('button', { name, exact: true })
  /** Presses with nothing typed: the page comes back and says what is missing. */
  const refused = async (name: string, pressed: string): Promise<void> => {
    await button(pressed).click()
    await guest.page.locator('[aria-invalid=true]').first().waitFor()
    await look(name)
  }
  /** Fills in who it is, and goes on to the processor’s page. */
  const goToPay = async (who: Readonly<Record<string, string>>, pressed: string): Promise<void> => {
    for (const [field, value] of Object.entries({ ...who, email: `maya.${language}@example.com` }))
      await guest.page.locator(`#f-${field}`).fill(value)
    // Nobody types faster; who sends many forms within ten minutes is asked a question.
    later(210)
    await button(pressed).click()
    await isThere()
  }
  const later = (seconds: number): void =>
    service.setClock(service.context.clock().add({ seconds }).toString())
  const isThere = () => guest.page.waitForURL((address) => address.href.startsWith(stripe.url))
  const payThere = async (): Promise<void> => {
    await isThere()
    later(20)
    await guest.page.getByRole('button', { name: 'Pay', exact: true }).click()
    await guest.page.waitForURL((address) => address.href.startsWith(service.url))
  }
  /** Leaves the processor’s page by its own link, for ours, which offers to go on. */
  const backUnpaid = async (name: string): Promise<void> => {
    await guest.page.getByRole('link', { name: 'Back without paying' }).click()
    await button(words().sale.giveUp).waitFor()
    await look(name)
  }
  const giveUp = async (name: string): Promise<void> => {
    await button(words().sale.giveUp).click()
    await guest.page.locator('.acts a').first().waitFor()
    await look(name)
  }
  const begin = (body: object) => beginCheckout(service, key, body)
  /** A booking of which staff ask a deposit; the path of its guest’s own page. */
  const askedLater = async (): Promise<string> => {
    const { body, text } = await service.call('POST', '/api/v1/reservations', {
      key: venue.key,
      body: {
        ...{ guestName: 'Lena Berg', email: `lena.${language}@example.com`, partySize: 4 },
        ...{ date: depositDay, time: '18:00' },
      },
    })
    assert.ok(body.reservation, text)
    const { id } = body.reservation
    const asked = await office.post(`/office/bookings/${id}/guarantee`, {
      ...{ do: 'ask', asks: 'deposit', amount: '80', per: 'party', hours: '24' },
      ...{ untilDate: '2026-10-08', untilTime: '18:00', text: '' },
    })
    assert.equal(asked.status, 303, asked.words)
    return `/r/${tokenOf('booking', id)}`
  }
  const tokenOf = (what: 'booking' | 'place', record: number): string =>
    makePrivateToken(service.context.secrets, what, { venue: venue.id, record, issue: 0 })
  /** A party that waits for a day, and is offered a table; the path of its page. */
  const offered = async (): Promise<string> => {
    const party = { guestName: 'Noor Haddad', email: `noor.${language}@example.com`, partySize: 2 }
    const { body, text } = await service.call('POST', '/api/v1/waitlist', {
      ...{ key: venue.key, body: { ...party, date: depositDay, windowStart: '18:00', windowEnd: '19:00' } },
    })
    assert.ok(body.waitlistEntry, text)
    const { id } = body.waitlistEntry
    const { kind } = await actAt(service, venue, (work) => offerByHand(work, staff('manager'), { id }))
    assert.equal(kind, 'done')
    return `/w/${tokenOf('place', id)}`
  }
  /** The newest booking, which has a card, is cancelled too late, and the bank wants its guest for the charge. */
  const charged = async (): Promise<void> => {
    const text = 'select max(id)::int as id from reservation where venue_id = $1'
    const [{ id } = {}] = await rowsOf(service, text, [venue.id])
    const cancel = `/api/v1/reservations/${String(id)}/cancel`
    assert.equal((await service.call('POST', cancel, { key: venue.key, body: { by: 'guest' } })).status, 200)
    const press = await office.post(`/office/bookings/${String(id)}/guarantee`, {
      ...{ do: 'charge', amount: '50' },
    })
    assert.equal(press.status, 303, press.words)
    stripe.declines = 'authentication_required'
    await makeCharges(service.context, signal)
    stripe.declines = undefined
  }

  for (const one of guestLanguages)
    it(`${wordsIn(one).name}: fit, are accessible, speak that language alone, and lead all the way`, async () => {
      language = one
      const { page } = guest
      const { sale, secure, book, experience, tickets } = words()
      const maya = { name: 'Maya Okafor' }
      await setGuestPages(service, venue, { language })

      await open('tickets', `/v/${venue.slug}/tickets`)
      await open('event', `/v/${venue.slug}/tickets/${event}`)
      await open('buyer', `/v/${venue.slug}/tickets/${event}?date=${date}&seats=2`)
      await refused('buyer refused', sale.pay(money(9_000)))
      await goToPay({ first: 'Maya', last: 'Okafor' }, sale.pay(money(9_000)))
      await backUnpaid('pay for tickets')
      await button(sale.goOn).click()
      await payThere()
      await page.waitForURL(/\/o\//)
      await look('tickets bought')
      await button(tickets.returnShow).click()
      await button(tickets.returnPress).waitFor()
      await look('return a ticket')
      await button(tickets.returnPress).click()
      await page.getByText(secure.onWay(money(4_500))).waitFor()
      await look('returned a ticket')

      await open(
        'checkout of tickets',
        await begin({ occurrenceId: date, seats: 2, buyerEmail: 'a@example.com' }),
      )
      await button(sale.pay(money(9_000))).click()
      await isThere()
      await backUnpaid('checkout of tickets left')
      await giveUp('checkout of tickets given up')
      const table = { date: depositDay, time: '20:30', partySize: 4, guestName: 'Maya Okafor' }
      await open('checkout of a table', await begin({ ...table, email: 'a@example.com' }))
      await giveUp('checkout of a table given up')

      await open('deposit', `/v/${venue.slug}/book?size=2&day=${depositDay}&time=19:30`)
      await refused('deposit refused', sale.pay(money(4_000)))
      await goToPay(maya, sale.pay(money(4_000)))
      await backUnpaid('pay a deposit')
      await button(sale.goOn).click()
      await payThere()
      await look('booked with a deposit')
      const cancel = page.getByRole('link', { name: book.cancel, exact: true })
      await cancel.click()
      await page.getByText(secure.cancelDeposit(money(4_000))).waitFor()
      await look('cancel with a deposit')
      await button(book.cancelYes).click()
      await look('cancelled with a deposit')

      await open('card', `/v/${venue.slug}/book?size=2&day=${cardDay}&time=19:30`)
      await refused('card refused', secure.withCard)
      await goToPay(maya, secure.withCard)
      await backUnpaid('pay with a card')
      await button(secure.goOnCard).click()
      await payThere()
      await look('booked with a card')
      await cancel.click()
      await look('cancel with a card')

      await guest.open(`/v/${venue.slug}/book?size=2&day=${tonight}&time=21:30&lang=${language}`)
      await goToPay(maya, secure.withCard)
      await payThere()
      await charged()
      await open('fee', new URL(page.url()).pathname)
      await button(sale.pay(money(5_000))).click()
      await isThere()
      await backUnpaid('pay a fee')
      await button(sale.goOn).click()
      await payThere()
      await look('fee paid')

      await open('experiences', `/v/${venue.slug}/book?size=2&day=${menuDay}&time=19:30`)
      await page.locator('input[value=tasting]').check()
      await button(experience.goOn).click()
      await button(sale.pay(money(19_300))).waitFor()
      await look('experience chosen')

      await open('offer', await offered())
      await button(sale.pay(money(4_000))).click()
      await isThere()
      await backUnpaid('pay for an offer')
      await button(sale.goOn).click()
      await payThere()
      await look('offer taken')

      await open('asked', await askedLater())
      await page.locator('button[value=secure]').click()
      await isThere()
      await backUnpaid('pay what is asked')
      await button(sale.goOn).click()
      await payThere()
      await look('asked and paid')
      assert.deepEqual(
        guest.complaints().filter((said) => !said.includes(`asks ${stripe.url}`)),
        [],
      )
    })
})
