import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { TestBrowser, Visitor } from '../browser.ts'
import { faultsByAxe } from '../check-page.ts'
import { type FullHouse, openFullHouse } from '../evening/full-house.ts'
import { faultsOf, phone, pictureOf, wide } from '../look-at-pages.ts'
import { makeLinkToken } from '../../../mail/link-token.ts'
import { rowsOf } from '../../rows.ts'
import { withBrowser } from '../with-browser.ts'

const home = '/office/reports'

describe('the reports in a browser', () => {
  let house: FullHouse
  let browser: TestBrowser
  withBrowser(openFullHouse, (opened) => {
    ;[house, browser] = opened
  })

  const enter = async (options: Parameters<TestBrowser['visitor']>[1]): Promise<Visitor> => {
    const owner = await browser.visitor(house.service, options)
    const { email, password } = house.signIn('owner')
    await owner.signIn(email, password)
    return owner
  }

  it('are accessible in light and dark, fit a phone and weigh at most 60 KB, also a year with its comparison', async () => {
    const owner = await enter({ viewport: wide })
    const periods = ['period=last-week', 'period=4-weeks&compare=none', 'period=year&compare=year']
    assert.deepEqual(
      await faultsOf(
        owner,
        periods.map((period) => `${home}?${period}`),
      ),
      [],
    )
  })

  it('are written large enough to read, and no larger than what is around them, at every width', async () => {
    const owner = await enter({ viewport: wide })
    for (const period of ['last-week', 'year']) {
      await owner.open(`${home}?period=${period}`)
      for (const width of [390, 480, 600, 700, 760, 820, 900, 920, 1024, 1180, 1280]) {
        await owner.page.setViewportSize({ width, height: 900 })
        await pictureOf(owner.page, `${home}-${period}-${width}`)
        assert.deepEqual(await illegible(owner.page), [], `${period} at ${width} px`)
      }
    }
  })

  it('say a value under the pointer, under a finger and by the arrow keys', async () => {
    const owner = await enter({ viewport: wide })
    const { page } = owner
    await owner.open(`${home}?period=year`)
    const covers = page.locator('#covers')
    const value = covers.getByRole('status')
    const columns = covers.locator('svg.on-wide g:has(.under-pointer)')
    await columns.nth(3).hover()
    const words = await value.textContent()
    assert.match(words ?? '', /^Week from .*: [\d,]+ guests/)
    await page.mouse.move(0, 0)
    await value.waitFor({ state: 'hidden' })

    const chart = covers.locator('svg.on-wide')
    await chart.focus()
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight')
    assert.equal(await value.textContent(), words, 'the fourth column, by the keys')
    await page.keyboard.press('End')
    assert.notEqual(await value.textContent(), words)
    await page.keyboard.press('Escape')
    await value.waitFor({ state: 'hidden' })
    assert.deepEqual(await faultsByAxe(page), [])

    const week = page.locator('#arrivals')
    await week.locator('svg.on-wide circle').nth(5).hover()
    const dot = await week.getByRole('status').textContent()
    assert.match(dot ?? '', /: [\d.,]+ seated, [\d.,]+ booked$/)
  })

  it('say a value under a finger where the picture is the one for a phone', async () => {
    const owner = await enter({ viewport: phone, hasTouch: true, isMobile: true })
    const { page } = owner
    await owner.open(`${home}?period=year`)
    for (const [id, says] of [
      ['covers', /^Week from .*: [\d,]+ guests/],
      ['arrivals', / at .*: [\d.,]+ seated, [\d.,]+ booked$/],
      ['no-shows', /^All: /],
    ] as const) {
      const card = page.locator(`#${id}`)
      const chart = card.locator('svg.on-narrow').first()
      const place = id === 'arrivals' ? await firstDot(chart) : { x: 200, y: 20 }
      // To the middle of the screen: a tall picture may have its first dot below the head of the page.
      await chart.evaluate((svg, y) => {
        const { top } = svg.getBoundingClientRect()
        svg.ownerDocument.defaultView.scrollBy({ top: top + y - 400, behavior: 'instant' })
      }, place.y)
      await chart.tap({ position: place })
      assert.match((await card.getByRole('status').textContent()) ?? '', says, id)
    }
    await page.locator('h1').tap()
    assert.equal(await page.locator('.report-value:not([hidden])').count(), 0)
  })

  it('lead to a picture with its title below the band at the top, at every width', async () => {
    const { page } = await enter({ viewport: wide })
    for (const width of [390, 820, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      for (const id of ['refused', 'in-short']) {
        await page.goto(`${home}?period=last-week`)
        await page.goto(`${home}?period=last-week#${id}`)
        const [place, band] = await Promise.all(
          [`#${id}`, '.lintel'].map((what) => page.locator(what).boundingBox()),
        )
        assert.ok(place && band && place.y >= band.y + band.height, `${id} at ${width} px: ${place?.y}`)
      }
    }
  })

  it('lead to the form of a limit with its title below the band at the top, open', async () => {
    const { page } = await enter({ viewport: wide })
    for (const width of [390, 820, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      for (const [path, title] of [
        ['/office/settings?day=6&minute=1140&guests=20#day-6', '#day-6 h2'],
        ['/office/settings/limits?guests=20#pacing', '#pacing'],
      ] as const) {
        await page.goto(`${home}?period=last-week`)
        await page.goto(path)
        const [place, band] = await Promise.all(
          [title, '.lintel'].map((what) => page.locator(what).boundingBox()),
        )
        assert.ok(place && band && place.y >= band.y + band.height, `${path} at ${width} px: ${place?.y}`)
        await page.getByText(/^By your report, 20 under/).waitFor({ state: 'visible' })
      }
    }
    assert.deepEqual(await faultsByAxe(page), [])
  })

  it('show the same figures without script, each in a table and as a title', async () => {
    const [scripted, plain] = [
      await enter({ viewport: wide }),
      await enter({ viewport: wide, javaScriptEnabled: false }),
    ]
    const tables: string[][] = []
    for (const { page } of [scripted, plain]) {
      await page.goto(`${home}?period=4-weeks`)
      tables.push(await page.locator('.figures-table').allTextContents())
    }
    assert.ok((tables[0]?.length ?? 0) >= 10)
    assert.deepEqual(tables[0], tables[1])
    assert.ok((await plain.page.locator('svg.on-wide title').count()) > 50)
    await plain.page.locator('#covers summary', { hasText: 'Table' }).click()
    await plain.page.locator('#covers table').waitFor({ state: 'visible' })
  })

  it('fit on eight sheets of paper, also a year', async () => {
    const { page } = await enter({ viewport: wide })
    for (const format of ['Letter', 'A4']) {
      await page.goto(`${home}?period=year&compare=none`)
      const sheets = [...(await page.pdf({ format })).toString('latin1').matchAll(/\/Type \/Page\b/g)]
      assert.ok(sheets.length > 1 && sheets.length <= 8, `${sheets.length} sheets of ${format}`)
    }
  })

  it('have tables of many columns that a phone shows without scrolling to the side', async () => {
    const { page } = await enter({ viewport: phone })
    for (const [id, period] of [
      ['campaigns', 'year'],
      ['tickets', 'year'],
      ['no-shows', 'last-week'],
    ] as const) {
      await page.goto(`${home}?period=${period}`)
      await page.locator(`#${id} summary`, { hasText: 'Table' }).click()
      const region = page.locator(`#${id} .scroll`)
      assert.equal(await region.evaluate((of) => of.scrollWidth - of.clientWidth), 0, id)
      const cell = region.locator('td').first()
      const named = await cell.evaluate(
        (of) => of.ownerDocument.defaultView.getComputedStyle(of, '::before').content,
      )
      assert.match(named, /^"\w+/, id)
      const [name, first] = await Promise.all(
        ['tbody th', 'tbody td'].map((of) => region.locator(of).first().boundingBox()),
      )
      assert.ok(name && first && name.y + name.height <= first.y + 1, `${id}: what the row is, first`)
    }
  })

  it('come by letter, and the page that ends it is accessible and fits a phone, without script too', async () => {
    const owner = await enter({ viewport: wide, javaScriptEnabled: false })
    await owner.open('/office/account')
    await owner.press('Send me the letter')
    await owner.reads('You get the weekly letter from now on.')
    await pictureOf(owner.page, '/office/account')
    const [person] = await rowsOf<{ id: string; venue_id: string }>(
      house.service,
      'select id, venue_id from staff where weekly_letter',
    )
    const token = makeLinkToken(house.service.context.secrets, 'letter', {
      ...{ venue: Number(person?.venue_id) as never, subscriber: Number(person?.id), campaign: 0 },
    })
    const reader = await browser.visitor(house.service, { viewport: wide })
    assert.deepEqual(await faultsOf(reader, [`/l/${token}`]), [])
    await reader.page.goto(`/l/${token}`)
    await pictureOf(reader.page, '/l/asks')
    await reader.press('Stop the letter')
    await reader.reads('No weekly letter goes to this address.')
    assert.deepEqual(await faultsByAxe(reader.page), [])
    await owner.open('/office/account')
    await owner.page.getByRole('button', { name: 'Send me the letter' }).waitFor()
  })

  it('have shapes that differ from the ground and from each other in forced colors: of a week, a year and one day', async () => {
    const owner = await enter({ viewport: wide, forcedColors: 'active' })
    // A year has nothing before it in the demo, and one day no line.
    for (const [period, shapes] of [
      ['period=last-week', ['bar', 'text', 'mark', 'before']],
      ['period=year', ['bar', 'text']],
      ['from=2026-10-08&to=2026-10-08', ['bar', 'text', 'mark']],
    ] as const) {
      await owner.open(`${home}?${period}`)
      // The browser chooses the colors of text then.
      for (const viewport of [phone, wide]) {
        await owner.page.setViewportSize(viewport)
        const faults = await faultsByAxe(owner.page)
        assert.deepEqual(
          faults.filter((one) => !one.startsWith('color-contrast')),
          [],
          `${period} at ${viewport.width} px`,
        )
      }
      const { ground, ...colors } = await colorsOf(owner.page)
      for (const shape of shapes) assert.ok(colors[shape].length > 0, `${period} has a ${shape}`)
      for (const [shape, seen] of Object.entries(colors))
        assert.ok(!seen.includes(ground), `${shape} of ${period}: ${seen.join(', ')} on ${ground}`)
      assert.deepEqual(
        colors.mark.filter((color) => colors.bar.includes(color)),
        [],
        period,
      )
    }
  })
})

/** What the shapes of all pictures in sight are drawn in, and what they are drawn on. */
const colorsOf = (page: Page) =>
  page.locator('main').evaluate((main) => {
    const styleOf = (one: typeof main) => one.ownerDocument.defaultView.getComputedStyle(one)
    const colors = (selector: string, by: 'fill' | 'stroke'): string[] => [
      ...new Set(
        [...main.querySelectorAll(`svg.chart ${selector}`)]
          .filter((one) => one.checkVisibility())
          .map((one) => String(styleOf(one)[by])),
      ),
    ]
    return {
      ground: String(styleOf(main.querySelector('.report-card')).backgroundColor),
      bar: colors('.bar', 'fill'),
      text: colors('text', 'fill'),
      mark: colors('.mark', 'stroke'),
      before: colors('.before-line', 'stroke'),
    }
  })

/** Pictures in sight whose text is too small, too large, or cut off at their side. */
const illegible = (page: Page): Promise<string[]> =>
  page.locator('main').evaluate((main) => {
    const { getComputedStyle } = main.ownerDocument.defaultView
    const [least, most] = [11, 17]
    return [...main.querySelectorAll('svg.chart')]
      .filter((svg) => svg.checkVisibility())
      .flatMap((svg) => {
        const whole = svg.getBoundingClientRect()
        return [...svg.querySelectorAll('text')].flatMap((text) => {
          const size = Number.parseFloat(getComputedStyle(text).fontSize) * svg.getScreenCTM().a
          const box = text.getBoundingClientRect()
          const isCut = box.left < whole.left - 1 || box.right > whole.right + 1
          return size < least || size > most || isCut
            ? `${svg.closest('section').id}: ${text.textContent} at ${Math.round(size * 10) / 10} px${isCut ? ', cut off' : ''}`
            : []
        })
      })
      .slice(0, 5)
  })

/** Where the first dot of a week for a phone is drawn. */
const firstDot = async (chart: ReturnType<Page['locator']>): Promise<{ x: number; y: number }> =>
  chart.evaluate((svg) => {
    const [, x, y, r] =
      /M([\d.]+) ([\d.]+)a([\d.]+)/.exec(svg.querySelector('path.bar').getAttribute('d')) ?? []
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
    return { x: (Number(x) + Number(r)) * scale, y: Number(y) * scale }
  })
