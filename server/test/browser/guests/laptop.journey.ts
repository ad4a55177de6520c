import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { freePort } from '../../../platform/db/embedded/free-port.ts'
import { killAndWait, postmasterOf } from '../../../platform/db/embedded/test/harness.ts'
import { type Child, startChild } from '../../child.ts'
import { eventually } from '../../eventually.ts'
import { compiledSources } from '../../patience.ts'
import { startTimes } from '../../process.ts'
import { type TestBrowser, type Visitor, openBrowser } from '../browser.ts'

/*
 * “Tickets that can be paid” of docs/practice.md, done as it says: its two commands, with other ports where this machine
 * may use its own, then what it says to press, up to the tickets. Each step is looked up on the page before it is done.
 */

const root = join(import.meta.dirname, '../../../..')
const [, section = ''] =
  /\n## Tickets that can be paid\n([^]*?)\n## /.exec(readFileSync(join(root, 'docs/practice.md'), 'utf8')) ??
  []
const [, block = ''] = /```\n([^]*?)```/.exec(section) ?? []
const said = (words: string): string => {
  assert.ok(section.includes(words), `the page no longer says: ${words}`)
  return words
}

describe('buying a ticket on a laptop, as docs/practice.md says', () => {
  let folder: string
  let standIn: Child
  let service: Child
  let browser: TestBrowser
  let visitor: Visitor
  let urls: { readonly service: string; readonly standIn: string }

  /** A command of the page, as a shell gets it; npm hands the signal that ends it on. */
  const run = (command: string, settings: Record<string, string>): Child =>
    startChild('sh', ['-c', `exec env ${command}`], {
      cwd: root,
      env: { ...compiledSources, PATH: process.env['PATH'], HOME: folder, ...settings },
    })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-laptop-'))
    const ports = { service: await freePort(), standIn: await freePort() }
    urls = { service: `http://127.0.0.1:${ports.service}`, standIn: `http://127.0.0.1:${ports.standIn}` }
    const [first = '', second = '', ...more] = block.trim().split('\n')
    assert.deepEqual([first, more], ['npm run stand-in', []])
    const elsewhere = said('npm run stand-in -- http://127.0.0.1:8090').replace(
      'http://127.0.0.1:8090',
      urls.service,
    )
    said('Each listens at another port where `PORT` names one.')
    standIn = run(elsewhere, { PORT: String(ports.standIn) })
    assert.match(second, /^PRACTICE=on PAYMENTS_URL=http:\/\/127\.0\.0\.1:9200 npm start$/)
    service = run(second.replace('http://127.0.0.1:9200', urls.standIn), {
      ...{ PORT: String(ports.service), DATA_DIR: join(folder, 'data'), DRAIN_SECONDS: '0' },
    })
    browser = await openBrowser()
    visitor = await browser.visitor({ url: urls.service })
  })
  after(async () => {
    const ends = [() => browser.stop(), () => service.stop(), () => standIn.stop()]
    const failed = (await Promise.allSettled(ends.map((end) => end()))).filter(
      ({ status }) => status === 'rejected',
    )
    const left = await postmasterOf(join(folder, 'data'))
    if (left !== undefined) await killAndWait(left, join(folder, 'data'))
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    assert.deepEqual(failed, [])
  })

  it('from the two commands to the tickets, and a table behind a deposit', async () => {
    const { page } = visitor
    said('The first command prints the key to paste under *Settings*, *Payments*.')
    const key = await standIn.until(() => /Key: (\S+)/.exec(standIn.said())?.[1])
    await service.until(async () => (await fetch(`${urls.service}/readyz`)).status === 200, {
      times: startTimes,
    })
    const [, email = '', password = ''] = await service.until(() =>
      /^ {2}owner +(\S+) +(\S+)$/m.exec(service.said()),
    )
    await visitor.signIn(email, password)

    await visitor.open('/office/settings')
    await tab('Payments')
    await page.getByLabel('Restricted key').fill(key)
    await visitor.press('Connect')
    await visitor.reads('Test payments: no money moves.')

    said(
      'Turn on *Buy tickets for events* under *Settings*, *Guest pages*, and buy a ticket at `/v/blue-door/tickets`.',
    )
    await tab('Guest pages')
    await page.getByLabel('Buy tickets for events').check()
    await visitor.press('Save')
    await visitor.reads('Guest pages saved.')
    await visitor.open('/v/blue-door/tickets')
    await page.locator('a.door').first().click()
    await visitor.press('Show the total')
    await visitor.fill('First name', 'Maya')
    await visitor.fill('Last name', 'Okafor')
    await visitor.fill('Email', 'maya@example.com')
    await pressUntilThere('Pay ')
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.waitForURL((address) => address.href.startsWith(`${urls.service}/o/`))
    await visitor.reads('Ticket 1 of 2')

    said('add a row under *Settings*, *Cards and deposits*, and book *À la carte* at `/v/blue-door/book`.')
    await visitor.open('/office/settings')
    await tab('Cards and deposits')
    await page.locator('[name=asks-0]').selectOption('deposit')
    await page.locator('[name=amount-0]').fill('20')
    await visitor.press('Save')
    await visitor.reads(/^Saved\./)
    await visitor.open('/v/blue-door/book')
    await page.locator('.times.large button').first().click()
    await page.getByText('À la carte').click()
    await visitor.press('Continue')
    await page.locator('#f-name').fill('Maya Okafor')
    await page.locator('#f-email').fill('maya@example.com')
    await pressUntilThere('Pay $40.00')
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.waitForURL((address) => address.href.startsWith(`${urls.service}/r/`))
    await visitor.reads('$40.00 paid')
    visitor.complaints()
  })

  const tab = (name: string) =>
    visitor.page.getByRole('main').getByRole('link', { name, exact: true }).first().click()
  /** Who types faster than a person is asked to press once more. */
  const pressUntilThere = (button: string) =>
    eventually(async () => {
      if (visitor.page.url().startsWith(urls.standIn)) return true
      await visitor.page.getByRole('button', { name: button }).first().click()
      await visitor.page.waitForLoadState()
      return visitor.page.url().startsWith(urls.standIn)
    })
})
