import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Demo, makeDemo } from '../../../demo/make-demo.ts'
import { rowsOf } from '../../rows.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { cutInRows } from '../check-page.ts'
import { pictureOf } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

describe('the service screen of a full house with long names', () => {
  let service: TestService
  let browser: TestBrowser
  let demo: Demo
  withBrowser(startService, async (opened) => {
    ;[service, browser] = opened
    service.setClock('2026-10-10T23:34:00Z') // 19:34 in New York
    demo = await makeDemo(service.context)
    await rowsOf(
      service,
      `update reservation set guest_name = guest_name || ' Wellington' where venue_id = $1 and id % 3 = 0`,
      [demo.venue.id],
    )
    await rowsOf(
      service,
      `update waitlist_entry set created_at = created_at - interval '2 hours', quoted_at = quoted_at - interval '2 hours'
        where venue_id = $1 and status = 'waiting' and id % 2 = 0`,
      [demo.venue.id],
    )
  })

  /** Cells of a row that reach into the next one, or whose own words reach out of them. */
  const overlaps = (host: Visitor): Promise<string[]> =>
    host.page.locator('.list .row').evaluateAll((rows) =>
      rows
        .filter((row) => row.checkVisibility())
        .flatMap((row) => {
          const cells = [...row.children].filter(
            (one) => one.checkVisibility() && !one.matches('.peek-words, [popover]'),
          )
          const { NodeFilter } = row.ownerDocument.defaultView
          const rights = cells.map((cell) => {
            const { right } = cell.getBoundingClientRect()
            // Words that end in an ellipsis are clipped where their cell ends.
            if (!cell.matches('.row-when, .table-cell')) return right
            const walker = row.ownerDocument.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
            let most: number = right
            for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
              if (node.parentElement.closest('.hidden-text')) continue
              const range = row.ownerDocument.createRange()
              range.selectNodeContents(node)
              most = Math.max(most, range.getBoundingClientRect().right)
            }
            return most
          })
          return cells.flatMap((cell, n) => {
            const next = cells[n + 1]?.getBoundingClientRect()
            // A plate reaches a little over its column, on both sides.
            const isPlate = [cell, cells[n + 1]].some((one) => one?.matches('.peek, .plate, .plated'))
            const slack = isPlate ? 6 : 1
            return next && next.width > 0 && rights[n] > next.left + slack
              ? [`${cell.className} over ${cells[n + 1].className} in ${row.id}: ${cell.textContent.trim()}`]
              : []
          })
        }),
    )

  /** Minutes, stages and ends of stays that end in dots although nothing of the row has them whole. */
  const cutFacts = (host: Visitor): Promise<string[]> =>
    host.page
      .locator('.list .row :is(.row-when > span, .row-facts .row-fact, .one-line):not(.hidden-text)')
      .evaluateAll((all) =>
        all
          .filter(
            (one) => one.checkVisibility() && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1,
          )
          .map((one) => `cut: ${one.textContent}`),
      )

  it('has no cell that is cut without a mark or overlaps the one beside it', async () => {
    for (const at of ['2026-10-10T23:34:00Z', '2026-10-11T00:20:00Z']) {
      service.setClock(at)
      const host = await browser.visitor(service)
      const account = demo.signIns.find(({ role }) => role === 'host')
      assert.ok(account)
      await host.signIn(account.email, account.password)
      const faults: string[] = []
      for (const [width, height] of [
        [1280, 800],
        [1180, 820],
        [820, 1180],
        [390, 844],
      ] as const) {
        await host.page.setViewportSize({ width, height })
        for (const list of width === 390 ? ['arriving', 'waiting', 'seated'] : ['arriving']) {
          await host.open(`/office/service?all=1${width === 390 ? `#${list}` : ''}`)
          await pictureOf(host.page, `/uncut-${list}-${at.slice(11, 13)}.${width}`)
          const found = [...(await overlaps(host)), ...(await cutInRows(host.page, '.list .list-rows'))]
          // Three columns of a small tablet are the narrowest.
          if (width === 1180) found.push(...(await cutFacts(host)))
          faults.push(...found.map((one) => `${width} ${list} ${one}`))
        }
      }
      assert.deepEqual(faults, [])
    }
  })

  it('ends a name that no row has room for in a mark, and has it whole in the peek; in larger rows as well', async () => {
    service.setClock('2026-10-10T23:34:00Z')
    const name = 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh Maximiliana'
    await rowsOf(service, `update reservation set guest_name = $2 where venue_id = $1 and id % 2 = 0`, [
      demo.venue.id,
      name,
    ])
    await rowsOf(service, `update waitlist_entry set guest_name = $2 where venue_id = $1`, [
      demo.venue.id,
      name,
    ])
    // Every other one of them is here already.
    await rowsOf(
      service,
      `update reservation set checked_in_at = starts_at
        where venue_id = $1 and service_date = '2026-10-10' and status = 'Confirmed' and id % 4 = 0`,
      [demo.venue.id],
    )
    const host = await browser.visitor(service)
    const account = demo.signIns.find(({ role }) => role === 'host')
    assert.ok(account)
    await host.signIn(account.email, account.password)
    const faults: string[] = []
    for (const isLarger of [false, true]) {
      await rowsOf(service, `update staff set larger_rows = $2 where venue_id = $1`, [
        demo.venue.id,
        isLarger,
      ])
      for (const [width, height] of [
        [1180, 820],
        [820, 1180],
        [390, 844],
      ] as const) {
        await host.page.setViewportSize({ width, height })
        for (const list of ['arriving', 'waiting', 'seated']) {
          await host.open(`/office/service?all=1#${list}`)
          // Another fragment of one page loads nothing.
          await host.page.reload()
          await pictureOf(host.page, `/long-names-${list}${isLarger ? '-larger' : ''}.${width}`)
          const rows = host.page.locator(`#${list} .row`, { hasText: name })
          assert.ok((await rows.count()) > 0, list)
          assert.equal(
            await rows.locator('.peek-words', { hasText: name }).count(),
            await rows.count(),
            `${list}: the peek of each has the name`,
          )
          const found = await cutInRows(host.page, `#${list} .list-rows`)
          faults.push(...found.map((one) => `${width} ${isLarger ? 'larger ' : ''}${list} ${one}`))
          // Who is in line has a name of one line, and a second one for what to say to them.
          const lines = await host.page.locator(`#${list} .row[id^="w"] .chips`).evaluateAll((all) =>
            all
              .filter((one) => one.checkVisibility() && one.scrollHeight > one.clientHeight + 4)
              .map((one) => {
                const { lineHeight } = one.ownerDocument.defaultView.getComputedStyle(one)
                return Math.round(one.clientHeight / Number.parseFloat(lineHeight))
              }),
          )
          assert.ok(
            lines.every((count) => count === 2),
            `${width} ${isLarger ? 'larger ' : ''}${list}: ${lines.join()} lines`,
          )
        }
      }
    }
    assert.deepEqual(faults, [])
  })
})
