import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'

/*
 * What holds on every page: nothing for axe to find in light or dark, no sideways scrolling on a phone, touch
 * targets a finger can hit, and a first visit that is light. Each check answers with sentences; none is good.
 */

type Found = {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly help: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
  }[]
}

/** axe as pages take it in: minified, since Chromium reads all of it again on every page. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Opens what is folded, so that it is looked at too. */
export const unfold = async (page: Page): Promise<void> => {
  await page.locator('details:not([open])').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '')
  })
}

/** The rule that depends on the colors, alone of all, and takes axe the longest. */
const contrast = 'color-contrast'

/** What axe finds: everything, only contrast where nothing but the colors is another, or all else where they are the same. */
export const faultsByAxe = async (
  page: Page,
  what: 'all' | 'contrast' | 'all but contrast' = 'all',
): Promise<string[]> => {
  // Once for a page, which is looked at several times.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe)
  const options = {
    resultTypes: ['violations'],
    // No page has axe in its frames, which it would ask and wait for.
    iframes: false,
    ...(what === 'contrast' && { runOnly: { type: 'rule', values: [contrast] } }),
    ...(what === 'all but contrast' && { rules: { [contrast]: { enabled: false } } }),
  }
  const found = (await page
    .locator('html')
    .evaluate(
      (root, how) => root.ownerDocument.defaultView.axe.run(root.ownerDocument, how),
      options,
    )) as Found
  return found.violations.flatMap(({ id, impact, help, nodes }) =>
    nodes
      .slice(0, 5)
      .map(({ html, failureSummary }) =>
        `${id} (${impact}): ${help}: ${html.slice(0, 200)} ${failureSummary}`.replaceAll(/\s+/g, ' '),
      ),
  )
}

/** What is wider than the window, if the page scrolls sideways. */
export const sidewaysScroll = (page: Page): Promise<string[]> =>
  page.locator('html').evaluate((root) => {
    const most: number = root.clientWidth
    if (root.scrollWidth <= most) return []
    const wide = [...root.querySelectorAll('body *')]
      .filter(
        (one) =>
          one.getBoundingClientRect().right > most + 1 && one.closest('.scroll, .timeline, .rail') === null,
      )
      .slice(0, 3)
      .map((one) => one.outerHTML.slice(0, 120))
    return [`scrolls sideways, ${root.scrollWidth} in ${most} px: ${wide.join(' ')}`]
  })

/** Things to press or fill in, and party sizes, that stick out of the column of their card or of their row. */
export const outOfColumn = (page: Page): Promise<string[]> =>
  page.locator('main').evaluate((main) => {
    const styleOf = (one: typeof main) => one.ownerDocument.defaultView.getComputedStyle(one)
    const found: string[] = []
    for (const one of main.querySelectorAll('a[href], button, input, select, textarea, .plate')) {
      const holder = one.parentElement.closest('.row, .card')
      const box = one.getBoundingClientRect()
      if (holder === null || box.width <= 1 || !one.checkVisibility() || one.closest('[popover]') !== null)
        continue
      let isCut = false
      for (let at = one.parentElement; at !== holder; at = at.parentElement) {
        isCut ||= styleOf(at).overflowX !== 'visible'
      }
      if (isCut) continue
      const outer = holder.getBoundingClientRect()
      const most = outer.right - Number.parseFloat(styleOf(holder).paddingRight)
      const isLow = holder.matches('.row') && box.bottom > outer.bottom + 1
      if (box.right > most + 1 || isLow) found.push(one.outerHTML.slice(0, 120))
    }
    return found.length === 0 ? [] : [`runs past its column: ${found.slice(0, 3).join(' ')}`]
  })

/** Things to press or fill in of a page's own that are lower than a finger needs; a link within text is as high as its line. */
export const lowTargets = (page: Page): Promise<string[]> =>
  page.locator('main').evaluate((main) => {
    const least = 44
    const found: string[] = []
    for (const one of main.querySelectorAll('a[href], button, summary, input, select, textarea')) {
      const { width, height } = one.getBoundingClientRect()
      const style = one.ownerDocument.defaultView.getComputedStyle(one)
      if (width <= 1 || height <= 1 || style.visibility === 'hidden') continue
      if (one.localName === 'a' && style.display === 'inline') continue
      // A box to tick is pressed by its label.
      const pressed = one.matches('[type=checkbox], [type=radio]') ? (one.closest('label') ?? one) : one
      const high: number = pressed.getBoundingClientRect().height
      if (high < least - 0.5) found.push(`${Math.round(high)} px high: ${one.outerHTML.slice(0, 160)}`)
    }
    return [...new Set(found)].slice(0, 10)
  })

/**
 * What of the buttons, links and fields in a part of a page cannot be pressed where it is drawn: something lies over it, it
 * reaches out of the window, or two of them overlap. What a part that scrolls hides is brought into sight first.
 */
export const coveredIn = (page: Page, part: string): Promise<string[]> =>
  page.locator(part).evaluateAll((parts) => {
    const found: string[] = []
    for (const of of parts) {
      const { ownerDocument: document } = of
      const { innerWidth, innerHeight } = document.defaultView
      const all = [...of.querySelectorAll('a[href], button, summary, input, select, textarea')].filter(
        (one) =>
          one.checkVisibility({ visibilityProperty: true }) &&
          one.getBoundingClientRect().width > 1 &&
          one.ariaHidden !== 'true',
      )
      const placesOf = (
        box: { left: number; top: number; right: number; bottom: number; width: number; height: number },
        isLink: boolean,
      ) => {
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
        return [
          [x, y],
          [box.left + 4, y],
          [box.right - 4, y],
          // A link in a line of text is pressed above and below it, too, where the next line begins.
          ...(isLink
            ? []
            : [
                [x, box.top + 4],
                [x, box.bottom - 4],
              ]),
        ]
      }
      /** What lies over it; undefined where it can be pressed. */
      const over = (one: typeof of): string | undefined => {
        for (const [atX, atY] of placesOf(one.getBoundingClientRect(), one.localName === 'a')) {
          const [top] = document.elementsFromPoint(atX, atY)
          // A label presses its field.
          const isIts = top && (top.contains(one) ? top.closest('label') || top === one : one.contains(top))
          if (!isIts) return `${top?.outerHTML.slice(0, 80)}`
        }
        return undefined
      }
      /** Where all that scrolls around it is: boxes are compared only where they were measured at the same. */
      const scrolledAt = (one: typeof of): string => {
        const tops: number[] = []
        for (let at = one.parentElement; at; at = at.parentElement) tops.push(at.scrollTop)
        return tops.filter(Boolean).join()
      }
      const boxes = all.map((one) => {
        one.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        // A bar that stays may lie over the edge that it was brought to: a finger scrolls on.
        if (over(one) !== undefined) one.scrollIntoView({ block: 'center', inline: 'nearest' })
        const box = one.getBoundingClientRect()
        const name = one.outerHTML.slice(0, 120)
        if (box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1)
          found.push(`out of the window: ${name}`)
        const above = over(one)
        if (above !== undefined) found.push(`${above} over ${name}`)
        return { one, top: `${of.scrollTop} ${scrolledAt(one)}`, box }
      })
      for (const [n, { one, box, top }] of boxes.entries()) {
        for (const other of boxes.slice(n + 1)) {
          if (one.contains(other.one) || top !== other.top) continue
          const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left)
          const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top)
          if (wide > 2 && high > 2)
            found.push(`${one.outerHTML.slice(0, 80)} overlaps ${other.one.outerHTML.slice(0, 80)}`)
        }
      }
    }
    return [...new Set(found)]
  })

/** Whether somebody sees it without scrolling: it is in the window, and nothing lies over its middle. */
export const isInSight = (part: Locator): Promise<boolean> =>
  part.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect()
    const shown = one.ownerDocument.elementFromPoint(left + width / 2, top + height / 2)
    return shown !== null && one.contains(shown)
  })

/** Bytes of a first visit: the page with its styles and scripts, as compressed, and what goes with each answer. */
export const firstVisitBytes = (page: Page): Promise<number> =>
  page.locator('html').evaluate((root) => {
    const headBytes = 300
    const { performance } = root.ownerDocument.defaultView
    const own = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    const loaded = own.filter(
      ({ initiatorType }) =>
        initiatorType === 'navigation' || initiatorType === 'link' || initiatorType === 'script',
    )
    return loaded.reduce(
      (sum: number, one: { encodedBodySize: number }) => sum + one.encodedBodySize + headBytes,
      0,
    )
  })

/**
 * Text of rows that is cut off without a mark: half a line, a line that ends without an ellipsis, or a chip that has no room
 * in a row whose peek does not say it.
 */
export const cutInRows = (page: Page, part: string, what = '.row'): Promise<string[]> =>
  page.locator(part).evaluateAll((parts, rows) => {
    const plain = (words: string): string => words.replaceAll(/\s+/g, ' ').trim().toLowerCase()
    const found: string[] = []
    for (const of of parts) {
      const { ownerDocument: document } = of
      const { getComputedStyle, NodeFilter } = document.defaultView
      for (const row of of.querySelectorAll(rows)) {
        if (!row.checkVisibility()) continue
        const read = row.querySelector('.peek-mark') && row.querySelector('.peek-words')
        const peeked = plain(read?.textContent ?? '')
        const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const words = plain(node.textContent)
          if (words === '' || node.parentElement.closest('.peek-words, [popover], .hidden-text, noscript'))
            continue
          const range = document.createRange()
          range.selectNodeContents(node)
          for (const line of range.getClientRects()) {
            const middle = (line.top + line.bottom) / 2
            let fault = ''
            for (let at = node.parentElement; at !== row.parentElement; at = at.parentElement) {
              const style = getComputedStyle(at)
              if (style.overflowY === 'visible' && at !== row) continue
              const box = at.getBoundingClientRect()
              const isClamped = style.webkitLineClamp !== 'none'
              if (middle > box.bottom || middle < box.top) {
                // A line that is clamped ends the one above it in an ellipsis.
                if (!isClamped && !peeked.includes(words)) fault = 'out of sight'
                break
              }
              if (line.bottom > box.bottom + 4 || line.top < box.top - 4) fault = 'half cut'
              if (line.right > box.right + 1 && style.textOverflow !== 'ellipsis' && !isClamped)
                fault = 'no ellipsis'
              if (line.right > box.right + 1) break
            }
            if (fault !== '') found.push(`${fault}: “${words}” of ${plain(row.textContent).slice(0, 60)}`)
          }
        }
      }
    }
    return found
  }, what)
