import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createHash } from 'node:crypto'
import { type Html, html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { mayAct } from '../../staff/roles.ts'
import type { SignedIn } from '../../staff/sessions.ts'
import { places, reviewerPlaces } from './places.ts'

/** The frame around every page, and the files it needs; made once, at startup. */
export type Shell = {
  readonly files: readonly ShellFile[]
  readonly mistake: (title: string, sentence: string, back: string) => Html
}

/** `link`: the tag that loads it in a page's head. */
type ShellFile = {
  readonly path: string
  readonly type: string
  readonly text: string
  readonly tag: string
  readonly link: Html
}

export const shellOf = (): Shell => ({
  // In the order they apply and run.
  files: [
    ...['office', 'book', 'records', 'campaigns'].map((name) => styleOf(`${name}.css`)),
    scriptOf('htmx.js', createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')),
    scriptOf('office.js'),
    scriptOf('book.js'),
    scriptOf('campaigns.js', undefined, 'module'),
  ],
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
  readonly path: string
  readonly me: SignedIn | undefined
  readonly practice: boolean
  /** Sending is on hold because the database is a restored copy. */
  readonly held: boolean
}

/**
 * htmx 4: no stylesheet of its own; no history handling; an error page never replaces a list; what somebody opened
 * stays open when a list refreshes.
 */
const htmxConfig = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  noSwap: [204, 304, '4xx', '5xx'],
  morphIgnore: ['data-htmx-powered', 'open'],
})

/** A page from doctype to end. */
export const wholePage = (shell: Shell, { title, body, path, me, practice, held }: WholePage): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="htmx-config" content="${htmxConfig}" />
        <link rel="icon" href="${icon}" />
        <title>${title}${me?.venue && ` · ${me.venue.name}`}</title>
        ${shell.files.map(({ link }) => link)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        ${practice && html`<header class="practice">Practice instance: nothing here reaches guests.</header>`}
        ${
          me
            ? html`<div class="frame">
                ${rail(me, path)}
                <main id="main" tabindex="-1">
                  ${held && heldHint}
                  ${me.notices.map((notice) => html`<p class="${notice.startsWith('⚠') ? 'hint' : 'notice'}" role="status">${notice}</p>`)}${body}
                </main>
              </div>`
            : html`<main id="main" class="door" tabindex="-1">${body}</main>`
        }
      </body>
    </html>`

/** For all staff, on every page: what waits, what does not, and who can end the hold. */
const heldHint = html`<p class="hint" role="status">
  <strong>Sending is on hold:</strong> this service was restored from a backup or moved. Webhooks and campaigns wait; everything else works as usual. Cancel any campaign that already went out, or it will go out again. The operator of the service ends the hold with <code>npm run venue -- resume sending</code>.
</p>`

/** Navigation: a rail on wide screens; on narrow ones a bar with the first places, and all of them under "More". */
const rail = ({ staff, venue }: SignedIn, path: string): Html => {
  const shown =
    staff.role === 'reviewer' ? reviewerPlaces : places.filter(({ role }) => mayAct(staff.role, role))
  const current = shown.findLast(({ to }) => path === to || path.startsWith(`${to}/`))
  const link = ({ to, name }: { readonly to: string; readonly name: string }) =>
    html`<li><a href="${to}" ${current?.to === to && html`aria-current="page"`}>${name}</a></li>`
  const account = html`<a href="/office/account" ${path.startsWith('/office/account') && html`aria-current="page"`}
    >${staff.name ?? staff.email}</a
  >`
  return html`<nav class="rail" aria-label="Places">
    <div class="venue">
      <strong>${venue?.name ?? 'Venue Data'}</strong
      >${venue && html`<span class="small soft">${venue.timezone.replaceAll('_', ' ')}</span>`}
    </div>
    <ul>
      ${shown.map(link)}
    </ul>
    <div class="me">${account}</div>
    <details class="all">
      <summary ${!shown.slice(0, 4).some(({ to }) => to === current?.to) && html`aria-current="true"`}>More</summary>
      <ul>
        ${shown.map(link)}
        <li>${account}</li>
      </ul>
    </details>
  </nav>`
}

const styleOf = (name: string): ShellFile => {
  const { address, ...file } = fileOf(name, 'text/css')
  return { ...file, link: html`<link rel="stylesheet" href="${address}" />` }
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
) => {
  const path = `/office/assets/${name}`
  const text = readFileSync(from, 'utf8')
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  return { path, type, text, tag, address: `${path}?v=${tag}` }
}
