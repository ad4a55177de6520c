import { mkdirSync } from 'node:fs'
import type { Visitor } from './browser.ts'
import {
  faultsByAxe,
  firstVisitBytes,
  lowTargets,
  outOfColumn,
  sidewaysScroll,
  unfold,
} from './check-page.ts'

export const wide = { width: 1280, height: 800 }
const tablet = { width: 820, height: 1180 }
const tabletOnItsSide = { width: 1180, height: 820 }
const smallTabletOnItsSide = { width: 1024, height: 768 }
export const phone = { width: 390, height: 844 }

/** Issue 4: any page with its styles and scripts. */
const mostOfAnyPage = 60 * 1024

/** Set to a folder, it keeps a picture of every page at every width, light and dark, to be looked at. */
const { PICTURES: pictures } = process.env

/** Everything that is wrong with pages, a sentence each, the page first. */
export const faultsOf = async (
  visitor: Visitor,
  paths: readonly string[],
  /** A page to be read at a desk: its lists of links may be close. */
  { forReading = false, mostBytes = mostOfAnyPage } = {},
): Promise<string[]> => {
  const { page } = visitor
  const found: string[] = []
  for (const path of paths) {
    const say = (sentences: readonly string[]) => found.push(...sentences.map((one) => `${path} ${one}`))
    await page.setViewportSize(wide)
    await page.emulateMedia({ colorScheme: 'light' })
    await visitor.open(path)
    const bytes = await firstVisitBytes(page)
    if (bytes > mostBytes && !forReading) say([`weighs ${bytes} bytes`])
    await picture(visitor, path)
    await unfold(page)
    say(await faultsByAxe(page))
    await page.emulateMedia({ colorScheme: 'dark' })
    say((await faultsByAxe(page, 'contrast')).map((one) => `dark: ${one}`))
    for (const viewport of [tabletOnItsSide, smallTabletOnItsSide, tablet, phone]) {
      await page.setViewportSize(viewport)
      say(await sidewaysScroll(page))
      say(await outOfColumn(page))
    }
    // A phone shows other parts of a page, in another order.
    if (!forReading) {
      say((await faultsByAxe(page)).map((one) => `phone: ${one}`))
      say(await lowTargets(page))
    }
    say(visitor.complaints())
  }
  return found
}

/** The same of one page as it is, where pictures are kept. */
export const pictureOf = async (page: Visitor['page'], path: string): Promise<void> => {
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({
    path: `${pictures}/${path.slice(1).replaceAll(/[^\w-]+/g, '_')}.png`,
    fullPage: true,
  })
}

const picture = async ({ page }: Visitor, path: string): Promise<void> => {
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  const name = path.slice(1).replaceAll(/[^\w-]+/g, '_')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const viewport of [phone, tablet, wide]) {
      await page.setViewportSize(viewport)
      await page.screenshot({ path: `${pictures}/${name}.${viewport.width}.${colorScheme}.png` })
    }
  }
}
