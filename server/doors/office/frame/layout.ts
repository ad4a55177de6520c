import { isWarning } from '../parts/press-message.ts'
import { leftUndoForm } from '../parts/undo.ts'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createHash } from 'node:crypto'
import { type Html, html } from '../../../platform/html/html.ts'
import { icon } from '../../../platform/html/icon.ts'
import { staffFormats } from '../../../platform/kernel/time/in-words.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import type { Notice, SignedIn } from '../../../core/staff/sessions.ts'
import { icon as symbol, iconFile } from '../parts/icon.ts'
import { codeReader } from '../door/reader.ts'
import { planStyles } from '../floor/plan.ts'
import { stepStyles } from '../grid/steps.ts'
import { appIcon, manifestPath } from '../tablet/home-screen.ts'
import type { SheetName } from './page.ts'
import { type Place, places, reviewerPlaces } from './places.ts'

/** The frame around every page, and the files it needs; made once, at startup. */
export type Shell = {
  readonly files: readonly ShellFile[]
  /** What only some pages load, by the name they ask for it. */
  readonly sheets: Readonly<Record<SheetName, readonly ShellFile[]>>
  readonly mistake: (title: string, sentence: string, back: string) => Html
}

/** `link`: the tag that loads it in a page's head. */
type ShellFile = {
  readonly path: string
  readonly type: string
  readonly body: string | Buffer
  readonly tag: string
  readonly link: Html
  /** It serves the lists of the evening or the booking sheet: pages that are only read do without it. */
  readonly isForWork?: boolean
  /** What writing a mail is nicer with. */
  readonly isForMail?: boolean
}

/** One sheet for every page, in the order it applies: what the tokens are, then the parts, then the parts of some pages. */
const styleNames = ['tokens', 'office', 'frame', 'book', 'records', 'campaigns', 'service', 'sheet']

export const shellOf = (): Shell => ({
  // In the order they apply and run.
  files: [
    stylesOf('office.css', styleNames),
    { ...iconFile, link: html`` },
    { ...appIcon, link: html`<link rel="apple-touch-icon" href="${appIcon.address}" />` },
    {
      ...scriptOf('htmx.js', createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')),
      isForWork: true,
    },
    scriptOf('office.js'),
    { ...scriptOf('book.js'), isForWork: true },
    ...['service.js', 'sheet.js', 'tablet.js'].map((name) => ({
      ...scriptOf(name, undefined, 'module'),
      isForWork: true,
    })),
    { ...scriptOf('campaigns.js', undefined, 'module'), isForMail: true },
  ],
  sheets: {
    floor: [stylesOf('floor.css', ['floor'], planStyles()), scriptOf('floor.js', undefined, 'module')],
    editor: [
      stylesOf('editor.css', ['floor', 'editor'], planStyles()),
      scriptOf('editor.js', undefined, 'module'),
    ],
    sections: [stylesOf('sections.css', ['sections']), scriptOf('sections.js', undefined, 'module')],
    reports: [stylesOf('reports.css', ['reports']), scriptOf('reports.js', undefined, 'module')],
    grid: [stylesOf('grid.css', ['grid'], stepStyles()), scriptOf('grid.js', undefined, 'module')],
    door: [
      stylesOf('door.css', ['door']),
      scriptOf('door.js', undefined, 'module'),
      { ...codeReader, link: html`` },
    ],
  },
  mistake: (title, sentence, back) =>
    html`<section class="card">
      <h1>${title}</h1>
      <p class="mistake" role="alert">${sentence}</p>
      <p><a class="button" href="${back}">Back</a></p>
    </section>`,
})

export type WholePage = {
  readonly title: string
  readonly body: Html
  /** What the page puts into the band above every page: its day, its clock. */
  readonly lintel?: Html | undefined
  /** The result of the last form is in the page's own last line (parts/press-message.ts), not above the page. */
  readonly saysBelow?: boolean
  readonly sheet?: SheetName | undefined
  readonly path: string
  /** Whether tables decide at the venue. */
  readonly tables: boolean
  readonly me: SignedIn | undefined
  readonly practice: boolean
  /** Sending is on hold because the database is a restored copy. */
  readonly held: boolean
}

/** Pages that have no list of the evening and no booking sheet. */
const withoutLists: ReadonlySet<SheetName> = new Set(['reports', 'editor'])

/** Whether a page loads it: one with a sheet of its own is not where mails are written. */
const isOn = ({ isForWork, isForMail }: ShellFile, sheet: SheetName | undefined): boolean =>
  sheet === undefined || !(isForMail || (isForWork && withoutLists.has(sheet)))

/** What takes longer is not answered: the page says so and, if it was a press, sends it again. */
const mostWaitMs = 10_000

/**
 * htmx 4: no stylesheet of its own; no history handling; an error page never replaces a list; what somebody opened
 * stays open when a list refreshes.
 */
const htmxConfig = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  defaultTimeout: mostWaitMs,
  noSwap: [204, 304, '4xx', '5xx'],
  morphIgnore: ['data-htmx-powered', 'open'],
})

/** A page from doctype to end. */
export const wholePage = (
  shell: Shell,
  { title, body, lintel, saysBelow = false, sheet, path, me, tables, practice, held }: WholePage,
): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="htmx-config" content="${htmxConfig}" />
        <link rel="icon" href="${icon}" />
        ${me?.venue && html`<link rel="manifest" href="${manifestPath}" crossorigin="use-credentials" />`}
        <title>${title}${me?.venue && ` · ${me.venue.name}`}</title>
        ${shell.files.filter((file) => isOn(file, sheet)).map(({ link }) => link)}
        ${sheet && shell.sheets[sheet].map(({ link }) => link)}
      </head>
      <body ${me?.venue && formPart(me.venue)} ${me?.staff.largerRows && html`class="larger"`}>
        <a class="skip" href="#main">Skip to content</a>
        ${practice && html`<section class="practice" aria-label="Practice instance">Practice instance: nothing here reaches guests.</section>`}
        ${
          me
            ? html`<div class="frame ${me.staff.role === 'server' && 'alone'}">
                ${band(me, lintel)}
                <main id="main" tabindex="-1">
                  ${held && heldHint}
                  ${!saysBelow && me.notices.map(noticePart)}${body}
                </main>
                ${me.staff.role !== 'server' && rail(me, path, tables)}
              </div>`
            : html`<main id="main" class="door" tabindex="-1">${body}</main>`
        }
      </body>
    </html>`

/** What the last form did, and the press that takes it back. */
const noticePart = ({ sentence, undo }: Notice): Html => {
  const look = isWarning(sentence) ? 'hint' : 'notice'
  return undo
    ? html`<div class="${look}"><p role="status">${sentence}</p>${leftUndoForm(undo)}</div>`
    : html`<p class="${look}" role="status">${sentence}</p>`
}

/** How the venue writes times, for scripts that write one (book.js). */
const formPart = (venue: NonNullable<SignedIn['venue']>): Html => {
  const { locale, hourCycle } = staffFormats(venue)
  return html`data-locale="${locale}" data-zone="${venue.timezone}" ${hourCycle && html`data-hour-cycle="${hourCycle}"`}`
}

/** For all staff, on every page: what waits, what does not, and who can end the hold. */
const heldHint = html`<p class="hint" role="status">
  <strong>Sending is on hold:</strong> this service was restored from a backup or moved. Webhooks, campaigns, emails and online payments wait; everything else works as usual. Cancel any campaign that already went out, or it will go out again. The operator of the service ends the hold with <code>bin/venue resume sending</code>.
</p>`

/** The door mark: what makes the office known across a room. */
const door = html`<svg class="door-mark" viewBox="0 0 26 32" aria-hidden="true">
  <path class="frame-of" d="M2 31V13a11 11 0 0 1 22 0v18z" />
  <path class="leaf" d="M6 31V13.5a7 7 0 0 1 14 0V31z" />
  <circle class="frame-of" cx="16.5" cy="20" r="1.6" />
</svg>`

/** The lintel: one dark band on every page, with what a host needs from anywhere. */
const band = ({ staff, venue }: SignedIn, more: Html | undefined): Html =>
  staff.role === 'reviewer' || !venue
    ? html`<header class="lintel"><span class="brand">${door}<span class="serif">Venue Data</span></span></header>`
    : staff.role === 'server'
      ? html`<header class="lintel">
          <a class="brand" href="/office">${door}<span class="serif">${venue.name}</span></a>
          <form method="post" action="/office/sign-out"><button>Sign out</button></form>
        </header>`
      : html`<header class="lintel">
        <a class="brand" href="/office/service" tabindex="-1" aria-label="${venue.name}"
          >${door}<span class="serif">${venue.name}</span></a
        >
        ${more}
        <form class="find" role="search" aria-label="Party or guest" method="get" action="/office/search">
          ${symbol('search')}<input
            id="find"
            name="q"
            type="search"
            autocomplete="off"
            maxlength="254"
            placeholder="Name, phone, or booking no."
            aria-label="Find a party or a guest"
            aria-keyshortcuts="/"
          /><kbd aria-hidden="true">/</kbd>
          <div id="found" class="found" role="region" aria-label="Found"></div>
        </form>
        <a class="button walk-in-link" href="/office/service?list=waiting#walk-in" aria-keyshortcuts="w"
          >${symbol('footprints')}<span class="words">Walk-in</span></a
        >
        <a class="button primary" href="/office/bookings/new" aria-keyshortcuts="n"
          >${symbol('plus')}<span class="words">New booking</span></a
        >
      </header>`

/** Navigation: a rail on wide screens; on narrow ones a bar with the first places, and all of them under "More". */
const rail = ({ staff, venue }: SignedIn, path: string, tables: boolean): Html => {
  const shown =
    staff.role === 'reviewer'
      ? reviewerPlaces
      : places.filter((one) => mayAct(staff.role, one.role) && (tables || !one.ofTables))
  const current = shown.findLast(({ to }) => path === to || path.startsWith(`${to}/`))
  const link = ({ to, name, icon: of }: Place) =>
    html`<li>
      <a href="${to}" ${current?.to === to && html`aria-current="page"`}>${symbol(of)}<span>${name}</span></a>
    </li>`
  const account = html`<a
    href="/office/account"
    class="account"
    ${path.startsWith('/office/account') && html`aria-current="page"`}
    >${symbol('circle-user')}<span>${staff.name ?? staff.email}</span></a
  >`
  return html`<nav class="rail" aria-label="Places">
    <ul>
      ${shown.map(link)}
    </ul>
    <div class="me">${account}</div>
    <details class="all">
      <summary ${!shown.slice(0, 4).some(({ to }) => to === current?.to) && html`aria-current="true"`}>
        ${symbol('ellipsis')}<span>More</span>
      </summary>
      <ul>
        ${shown.map(link)}
        <li>${account}</li>
        ${venue && html`<li class="small soft zone">Times are in ${venue.timezone.replaceAll('_', ' ')}.</li>`}
      </ul>
    </details>
  </nav>`
}

const scriptOf = (name: string, from?: string, kind: 'classic' | 'module' = 'classic'): ShellFile => {
  const { address, ...file } = fileOf(name, 'text/javascript', from)
  return {
    ...file,
    link:
      kind === 'module'
        ? html`<script type="module" src="${address}"></script>`
        : html`<script src="${address}" defer></script>`,
  }
}

/** Its address is derived from its content, so a browser may cache it forever. */
const fileOf = (
  name: string,
  type: string,
  from: URL | string = new URL(`../assets/${name}`, import.meta.url),
) => servedAs(name, type, withoutRemarks(readFileSync(from, 'utf8')))

/** A script without the lines that are for who reads its source: a fifth of what a first visit would load. */
const withoutRemarks = (script: string): string =>
  script
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('//'))
    .join('\n')

const servedAs = (name: string, type: string, text: string) => {
  const path = `/office/assets/${name}`
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  return { path, type, body: text, tag, address: `${path}?v=${tag}` }
}

/** Styles without what is for who reads their source. */
const withoutComments = (styles: string): string =>
  styles
    .split('/*')
    .map((part, at) => (at === 0 ? part : part.slice(part.indexOf('*/') + 2)))
    .join('')

/** Files of styles as one, served under the name given; `more` is what no file says. */
const stylesOf = (as: string, names: readonly string[], more = ''): ShellFile => {
  const text = names.map((name) => readFileSync(new URL(`../assets/${name}.css`, import.meta.url), 'utf8'))
  const { address, ...file } = servedAs(as, 'text/css', withoutComments([...text, more].join('\n')))
  return { ...file, link: html`<link rel="stylesheet" href="${address}" />` }
}
