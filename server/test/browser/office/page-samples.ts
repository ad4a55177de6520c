import type { APIRequestContext } from 'playwright-core'
import { officePages } from '../../../doors/office/frame/pages.ts'
import type { OfficePage } from '../../../doors/office/frame/serve-page.ts'
import type { TestService } from '../../service.ts'

/** Which pages somebody of that role opens. Reviewers and venues see nothing of each other's. */
export type Side = 'venue' | 'reviewer'

export type Samples = {
  /** Addresses of pages, each row of the table at least once. */
  readonly paths: readonly string[]
  /** Rows that no link leads to. */
  readonly unreached: readonly string[]
}

/** What changes only which part of a list is shown. */
const ofLists = new Set(['after', 'before', 'page', 'date', 'seen', 'q'])

/** What is chosen beside the tabs of a page. */
const besideTabs = new Set(['compare'])

/**
 * One address for each page of the office, found as people find them: by the links of pages that are known. A page
 * that is added to the table is found, or reported, without a word here. Links that differ in what they ask
 * (`?with=`) count as pages of their own, and every tab does. Parts of pages and files are left out. `known` are
 * addresses to be among them, such as a second record of a kind in another state.
 */
export const pageSamples = async (
  request: APIRequestContext,
  { context }: Pick<TestService, 'context'>,
  side: Side,
  known: readonly string[] = [],
): Promise<Samples> => {
  const rows = officePages(context).filter((row) => row.method === 'GET' && isOf(row, side))
  const patterns = rows.map(({ path }) => ({ path, fits: patternOf(path) }))
  const chosen = new Map<string, string>()
  const pages: string[] = []
  const waiting = [...known, ...rows.map(({ path }) => path as string).filter((path) => !path.includes(':'))]
  const reached = new Set<string>()

  const consider = (link: string, isTab: boolean): void => {
    const { pathname, searchParams } = new URL(link, 'http://office')
    // The row without parameters fits best: `new` is no id.
    const row = patterns
      .filter(({ fits }) => fits.test(pathname))
      .toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)[0]
    if (!row) return
    const asked = [...searchParams.keys()].filter((key) => !ofLists.has(key)).toSorted()
    // What is chosen beside a tab, the tabs keep: seen once, it is the same at each of them.
    const kind = isTab && !asked.some((key) => besideTabs.has(key)) ? link : [row.path, ...asked].join(' ')
    if (chosen.has(kind)) return
    chosen.set(kind, link)
    waiting.push(link)
  }

  for (const path of waiting) chosen.set(path, path)
  for (let link = waiting.shift(); link !== undefined; link = waiting.shift()) {
    const response = await request.get(link)
    const text = await response.text()
    const path = new URL(link, 'http://office').pathname
    for (const row of patterns) if (row.fits.test(path)) reached.add(row.path)
    // A mail in its frame is nobody's page, and no script may look at it.
    const isFramed = (response.headers()['content-security-policy'] ?? '').startsWith('sandbox')
    if (!text.startsWith('<!doctype html>') || response.status() !== 200 || isFramed) continue
    if (new URL(response.url()).pathname === path) pages.push(link)
    for (const nav of text.matchAll(/<nav class="tabs"[^]*?<\/nav>/g)) {
      for (const to of linksOf(nav[0])) consider(to, true)
    }
    for (const to of linksOf(text)) consider(to, false)
  }
  return {
    paths: [...new Set(pages)].toSorted(),
    unreached: rows.map(({ path }) => path).filter((path) => !reached.has(path)),
  }
}

const isOf = ({ role, path }: OfficePage, side: Side): boolean =>
  // The door, invitations and links for a new password are seen before anybody signed in.
  side === 'reviewer'
    ? role === 'reviewer'
    : role !== 'reviewer' && !/sign-in|invitations|new-password/.test(path)

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replaceAll('.', '\\.')}$`)

const linksOf = (html: string): string[] =>
  [...html.matchAll(/\s(?:href|hx-get|src)="(\/(?:office|operator)[^"#]*)/g)].map(([, to]) =>
    (to as string).replaceAll('&amp;', '&'),
  )
