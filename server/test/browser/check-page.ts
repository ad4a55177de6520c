import axe from 'axe-core'
import type { Page } from 'playwright-core'

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

/** Opens what is folded, so that it is looked at too. */
export const unfold = async (page: Page): Promise<void> => {
  await page.locator('details:not([open])').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '')
  })
}

/** What axe finds: everything, or only contrast, which alone depends on the colours. */
export const faultsByAxe = async (page: Page, only?: 'contrast'): Promise<string[]> => {
  // Once for a page, which is looked at several times: it is half a megabyte to read.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source)
  const options = {
    resultTypes: ['violations'],
    ...(only === 'contrast' && { runOnly: { type: 'rule', values: ['color-contrast'] } }),
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
