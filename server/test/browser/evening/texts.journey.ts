import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sendGuestTexts } from '../../../messages/guest-mail/send-texts.ts'
import { type TestBook, openBook } from '../../../book/reservations/test/book.ts'
import {
  type TextStandIn,
  startTextStandIn,
  textAccount,
  textPublicUrl,
} from '../../../book/texts/test/stand-in.ts'
import { staffOf, visitOffice } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { faultsOf, phone } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

/** Tuesday 6 October 2026, 19:40 in New York. */
const evening = '2026-10-06T23:40:00Z'

describe('a host who texts', () => {
  let service: TestService
  let browser: TestBrowser
  let provider: TextStandIn
  withBrowser(
    async () => {
      provider = await startTextStandIn(textAccount.account, textAccount.token)
      const started = await startService({ TWILIO_URL: provider.url, PUBLIC_URL: textPublicUrl })
      const stop = async () => {
        await started.stop()
        await provider.stop()
      }
      return { ...started, stop }
    },
    (opened) => {
      ;[service, browser] = opened
      service.setClock(evening)
    },
  )

  const openHouse = async (): Promise<{ book: TestBook; email: string; booking: number }> => {
    const book = await openBook(service)
    const booking = await book.booking('Confirmed', {
      ...{ date: '2026-10-06', time: '20:00', guestName: 'Rosa Lind', phone: '(646) 555-0123' },
    })
    const manager = visitOffice(service)
    await manager.signIn((await staffOf(service, book.venue, 'manager')).email)
    await manager.post('/office/settings/texts', { ...textAccount, version: '0' })
    return { book, email: (await staffOf(service, book.venue, 'host')).email, booking }
  }
  const send = () => sendGuestTexts({ ...service.context, db: service.context.workerDb })
  const row = ({ page }: Visitor, booking: number) => page.locator(`#b${booking}`)

  it('types a text in a row’s menu, sees what room is left, sends it, and stays on the evening', async () => {
    const { email, booking } = await openHouse()
    const host = await browser.visitor(service)
    await host.signIn(email)
    await host.open('/office/service')
    await row(host, booking).getByRole('button', { name: 'More for Rosa Lind' }).click()
    await row(host, booking).getByRole('link', { name: 'Text', exact: true }).click()
    const sheet = host.page.locator('#sheet-over')
    await sheet.getByText('Text to (646) 555-0123').waitFor()
    const words = sheet.getByRole('textbox')
    await words.fill('Your table is on the terrace')
    await sheet.getByText('73 of 160 letters').waitFor()
    await words.fill('Está en la terraza')
    await sheet.getByText('63 of 70 letters, as not every phone has “á”').waitFor()
    await words.fill(`Está en la terraza ${'x'.repeat(10)}`)
    await sheet.getByText('74 of 70 letters, as not every phone has “á”: take out 4').waitFor()
    await sheet.getByRole('button', { name: 'Send the text' }).click()
    await sheet.getByText('With “á”, which not every phone has, one text takes 70 letters').waitFor()
    await sheet.getByRole('textbox').fill('Your table is on the terrace')
    await sheet.getByRole('button', { name: 'Send the text' }).click()
    await host.reads('Rosa Lind, 2 guests: text sent.')
    assert.ok(host.page.url().includes('/office/service'))
    await send()
    assert.deepEqual(
      provider.taken.map(({ body }) => body),
      ['The Blue Door: Your table is on the terrace Reply STOP for no more texts.'],
    )
    await row(host, booking).getByText('Text sent').first().waitFor()
  })

  it('types it on a phone without script, on a page of its own', async () => {
    const { email, booking } = await openHouse()
    const host = await browser.visitor(service, { viewport: phone, javaScriptEnabled: false })
    await host.signIn(email)
    await host.open(`/office/bookings/${booking}`)
    await host.page.getByRole('link', { name: 'Text', exact: true }).click()
    await host.reads('115 letters fit; with an emoji or a letter such as “á”, 25.')
    await host.fill(/Text to/, 'See you at eight')
    await host.press('Send the text')
    await host.reads('Rosa Lind, 2 guests: text sent.')
    await host.reads('Text on its way')
    const seen = await browser.visitor(service, { viewport: phone })
    await seen.signIn(email)
    assert.deepEqual(await faultsOf(seen, [`/office/bookings/${booking}/text`]), [])
  })
})
