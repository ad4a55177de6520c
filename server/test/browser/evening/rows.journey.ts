import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Demo, makeDemo } from '../../../demo/make-demo.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { cutInRows } from '../check-page.ts'
import { pictureOf } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

const sizes = [
  { width: 1180, height: 820 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
]

describe('the rows of a full Saturday whose sections have servers', () => {
  let service: TestService
  let browser: TestBrowser
  let demo: Demo
  withBrowser(startService, async (opened) => {
    ;[service, browser] = opened
    service.setClock('2026-10-10T23:34:00Z') // 19:34 in New York
    demo = await makeDemo(service.context)
  })

  const signedIn = async (): Promise<Visitor> => {
    const host = await browser.visitor(service)
    const account = demo.signIns.find(({ role }) => role === 'host')
    assert.ok(account)
    await host.signIn(account.email, account.password)
    return host
  }

  const lists = ['arriving', 'waiting', 'seated']

  /** Looks at each list at each size; `look` answers with faults. */
  const atEachSize = async (
    host: Visitor,
    name: string,
    look: (rows: string) => Promise<readonly string[]>,
  ): Promise<string[]> => {
    const faults: string[] = []
    for (const size of sizes) {
      await host.page.setViewportSize(size)
      for (const list of lists) {
        await host.open(`/office/service?all=1&list=${list}`)
        await pictureOf(host.page, `/rows-${name}-${list}.${size.width}`)
        const rows = `#${list} .list-rows`
        faults.push(...(await look(rows)).map((one) => `${size.width} ${list} ${one}`))
      }
    }
    return faults
  }

  /** Rows of which a part is missing, too small to be seen or out of its row. */
  const without = (host: Visitor, rows: string, part: string): Promise<string[]> =>
    host.page.locator(rows).evaluateAll(
      (all, what) =>
        all
          .filter((row) => {
            const seen = row.querySelector(what)?.getBoundingClientRect()
            const box = row.getBoundingClientRect()
            return !seen || seen.width < 10 || seen.top < box.top - 1 || seen.bottom > box.bottom + 1
          })
          .map((row) => `${row.id} without ${what}`),
      part,
    )

  /** Chips that end in the middle without showing it, and names of VIPs that are cut although two lines would hold them. */
  const cutWithoutDots = async (host: Visitor, rows: string): Promise<string[]> => [
    ...(await host.page.locator(`${rows} .badge:not(.allergy)`).evaluateAll((all) =>
      all
        .filter((one) => {
          const { display, textOverflow } = one.ownerDocument.defaultView.getComputedStyle(one)
          return (
            one.checkVisibility() &&
            one.scrollWidth > one.clientWidth &&
            (display !== 'block' || textOverflow !== 'ellipsis' || /^Regular \d\d?$/.test(one.textContent))
          )
        })
        .map((one) => `cut: ${one.textContent}`),
    )),
    ...(await host.page.locator(`${rows} [id^="b"] .row-name:has(.marks)`).evaluateAll((all) =>
      all
        .filter(
          (one) => one.checkVisibility() && !one.closest('.row').querySelector('.badge.allergy, .row-asks'),
        )
        .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 4)
        .map((one) => `cut: ${one.textContent}`),
    )),
  ]

  it('cut nothing without a mark, and say who serves', async () => {
    const host = await signedIn()
    assert.deepEqual(
      await atEachSize(host, 'early', async (rows) => [
        ...(await cutInRows(host.page, rows)),
        ...(await cutWithoutDots(host, rows)),
        ...(await without(host, `${rows} > ul > .row:has(.table-cell:not(.none))`, '.server')),
      ]),
      [],
    )
  })

  it('and the tables on the floor cut no name, and mark who has an allergy and who is a VIP', async () => {
    const host = await signedIn()
    const faults: string[] = []
    for (const size of sizes) {
      await host.page.setViewportSize(size)
      await host.open('/office/floor')
      for (const room of await host.page.locator('.rooms [data-room]').all()) {
        await room.click()
        const name = await room.getAttribute('data-room')
        await pictureOf(host.page, `/tiles-${name}.${size.width}`)
        faults.push(
          ...(await cutInRows(host.page, '#floor .list-rows', '.tt')).map((one) => `${size.width} ${one}`),
        )
      }
    }
    assert.deepEqual(faults, [])
    assert.ok((await host.page.locator('.tt .marks').count()) > 0, 'somebody of tonight is marked')
  })

  it('show what a late or arrived party asks whose table is still taken, and its table; Seat opens the choice of another', async () => {
    service.setClock('2026-10-11T00:20:00Z')
    const host = await signedIn()
    const { page } = host
    await page.setViewportSize(sizes[1] as (typeof sizes)[number])
    await host.open('/office/service?all=1')
    const asking = page.locator('#arriving .row:has(.row-asks):has(.table-cell.taken)').first()
    const id = await asking.getAttribute('id')
    await asking.getByRole('button', { name: 'Here' }).click()
    await page.locator(`#waiting #${id}`).waitFor()
    assert.deepEqual(
      await atEachSize(host, 'late', async (rows) => [
        ...(await cutInRows(host.page, rows)),
        ...(await without(
          host,
          `${rows} .row:has(.table-cell.asked):not(:has(.badge.allergy))`,
          '.row-asks',
        )),
        ...(rows.startsWith('#waiting') ? await without(host, `${rows} [id^="b"].row`, '.table-cell') : []),
      ]),
      [],
    )
    await page.setViewportSize(sizes[0] as (typeof sizes)[number])
    await host.open('/office/service?all=1')
    await page.locator(`#${id} .row-go`).getByRole('link', { name: 'Seat' }).click()
    await page.locator('#pick:popover-open .pick-form').waitFor()
  })

  it('any list of a full evening, and the tables, are reached by at most 12 keys from a page just opened', async () => {
    service.setClock('2026-10-10T23:34:00Z')
    const host = await signedIn()
    const { page } = host
    await page.setViewportSize({ width: 1180, height: 820 })
    const listOf = () => page.evaluate<string>(`document.activeElement.closest('.list')?.id ?? ''`)
    for (const [address, [first, ...others]] of [
      ['/office/service', lists],
      ['/office/floor', ['arriving', 'waiting', 'floor']],
    ] as const) {
      await host.open(address)
      let keys = 0
      while (keys < 12 && (await listOf()) !== first) {
        await page.keyboard.press('Tab')
        keys += 1
      }
      for (const list of others) {
        await page.keyboard.press('ArrowRight')
        keys += 1
        assert.equal(await listOf(), list, `${address} after ${keys} keys`)
      }
      assert.ok(keys <= 12, `${address}: ${keys} keys`)
      await page.keyboard.press('ArrowLeft')
      assert.equal(await listOf(), others[0], address)
    }
  })
})
