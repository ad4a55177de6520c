import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Demo, makeDemo } from '../../../demo/make-demo.ts'
import { type TestService, startService } from '../../service.ts'
import { type TestBrowser, type Visitor, openBrowser } from '../browser.ts'
import { type FullHouse, openFullHouse } from '../evening/full-house.ts'

/** What hosts hold in their hands, and the screen at the door. */
const sizes = [
  { width: 1280, height: 800 },
  { width: 1180, height: 820 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
]

/** Saturday 21 November 2026, 19:40 in New York. */
const saturdayEvening = '2026-11-22T00:40:00Z'

const docs = join(import.meta.dirname, '../../../../docs')

/** PICTURES=docs/pictures takes the pictures of docs/office.md again. */
const { PICTURES: pictures } = process.env

describe('the guide for staff', () => {
  let service: TestService
  let browser: TestBrowser
  let demo: Demo
  before(async () => {
    ;[service, browser] = await Promise.all([startService(), openBrowser()])
    service.setClock(saturdayEvening)
    demo = await makeDemo(service.context)
  })
  after(async () => {
    try {
      await browser.stop()
    } finally {
      await service.stop()
    }
  })

  it('shows the first screen of a busy Saturday at four sizes, with somebody to seat in sight', async () => {
    const host = demo.signIns.find(({ role }) => role === 'host')
    assert.ok(host)
    const { page, signIn, open } = await browser.visitor(service)
    await signIn(host.email, host.password)
    const guide = await readFile(join(docs, 'office.md'), 'utf8')
    if (pictures !== undefined) await mkdir(pictures, { recursive: true })
    for (const size of sizes) {
      const name = `service-${size.width}.png`
      await page.setViewportSize(size)
      await open('/office/service?list=arriving')
      const first = await page.locator('#arriving .row').first().boundingBox()
      assert.ok(first && first.y + first.height < size.height, `${size.width}: ${JSON.stringify(first)}`)
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, name) })

      assert.match(guide, new RegExp(`\\]\\(pictures/${name}\\)`))
      const file = await readFile(join(docs, 'pictures', name))
      assert.deepEqual({ width: file.readUInt32BE(16), height: file.readUInt32BE(20) }, size, name)
    }
  })
})

describe('the README', () => {
  let house: FullHouse
  let browser: TestBrowser
  before(async () => {
    ;[house, browser] = await Promise.all([openFullHouse(), openBrowser()])
  })
  after(async () => {
    try {
      await browser.stop()
    } finally {
      await house.stop()
    }
  })

  it('shows the booking page on a phone, and the log of what endpoints received', async () => {
    const readme = await readFile(join(docs, '../README.md'), 'utf8')
    const owner = house.signIn('owner')
    for (const { name, width, height, go } of [
      {
        name: 'booking-390.png',
        width: 390,
        height: 844,
        go: async ({ open, page }: Visitor) => {
          await open(`/v/${house.demo.venue.slug}/book`)
          await page.getByRole('heading').first().waitFor()
        },
      },
      {
        name: 'deliveries-1280.png',
        width: 1280,
        height: 800,
        go: async ({ signIn, open, page }: Visitor) => {
          await signIn(owner.email, owner.password)
          await open('/office/integrations')
          await page.locator('#deliveries a').first().click()
          await page.getByRole('heading', { name: 'Delivery attempts', exact: true }).waitFor()
        },
      },
    ]) {
      const visitor = await browser.visitor(house.service)
      await visitor.page.setViewportSize({ width, height })
      await go(visitor)
      if (pictures !== undefined) await visitor.page.screenshot({ path: join(pictures, name) })

      assert.match(readme, new RegExp(`\\]\\(docs/pictures/${name}\\)`))
      const file = await readFile(join(docs, 'pictures', name))
      assert.deepEqual(
        { width: file.readUInt32BE(16), height: file.readUInt32BE(20) },
        { width, height },
        name,
      )
    }
  })
})
