import { type Content, type Html, factsForMachines, html } from '../../../platform/html/html.ts'
import { icon } from '../../../platform/html/icon.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import type { GuestLanguage } from '../../../platform/kernel/guest-language.ts'
import { logoPath, logoSize } from '../../../core/venue/logo/logo.ts'
import { framedScript } from './framed.ts'
import { type Booked, type ShownPage, type Visit, doorPath } from './visit.ts'

/** The files every page needs. */
export type Look = {
  readonly style: string
  readonly practice: boolean
  /** Where a practice instance pays, if not on the internet. */
  readonly payments?: string | undefined
}

/** The frame around a venue's pages: its name above, its languages and its address below. */
export const venueFrame = ({ style, practice }: Look, visit: Visit, shown: ShownPage): Html => {
  const { venue, settings, language, words, path, framed } = visit
  const address = `${visit.publicUrl}${path}`
  const others = otherLanguages(settings)
  const isPublic = path.startsWith('/v/')
  const url = pictureOf(visit)
  const picture = shown.picture ?? (url === undefined ? undefined : { url, alt: venue.name })
  return html`<!doctype html>
    <html lang="${language}"${framed && html` class="framed"${shown.booked && bookedData(visit, shown.booked)}`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${!visit.isFound && html`<meta name="robots" content="noindex" />`}
        <link rel="icon" href="${icon}" />
        <title>${shown.title}</title>
        <link rel="stylesheet" href="${style}" />
        <link rel="stylesheet" href="/accent/${(framed?.accent ?? settings.accent).slice(1)}.css" />
        ${
          isPublic &&
          html`<link rel="canonical" href="${address}${visit.query.get('lang') === language && `?lang=${language}`}" />
            ${others.map(
              (one) => html`<link rel="alternate" hreflang="${one}" href="${address}?lang=${one}" />`,
            )}
            <meta property="og:title" content="${shown.title}" />
            <meta property="og:url" content="${address}" />
            <meta property="og:type" content="website" />
            <meta property="og:site_name" content="${venue.name}" />
            ${
              picture !== undefined &&
              html`<meta property="og:image" content="${picture.url}" />
                <meta property="og:image:alt" content="${picture.alt}" />`
            }
            <meta name="twitter:card" content="${settings.pictureUrl === null && shown.picture === undefined ? 'summary' : 'summary_large_image'}" />
            ${
              shown.description !== undefined &&
              html`<meta name="description" content="${shown.description}" />
                <meta property="og:description" content="${shown.description}" />`
            }`
        }
        ${shown.facts && factsForMachines(shown.facts)}
        ${framed && html`<script src="${framedScript.path}" type="module"></script>`}
        ${
          shown.renewsAfter !== undefined &&
          html`<noscript><meta http-equiv="refresh" content="${shown.renewsAfter}" /></noscript>`
        }
        ${shown.scripts?.map((one) => html`<script src="${one}" type="module"></script>`)}
      </head>
      <body ${shown.look !== undefined && html`class="${shown.look}"`}>
        <a class="skip vh" href="#main">${words.page.skip}</a>
        ${practice && html`<aside class="practice">${words.page.practice}</aside>`}
        ${!framed && headPart(visit)}
        <main id="main">${shown.body}</main>
        ${!framed && footPart(visit)}
      </body>
    </html>`
}

/** For the script of the frame, which says it to the site around it. */
const bookedData = ({ settings }: Visit, { door, partySize }: Booked): Html =>
  html` data-booked="${door}" data-party-size="${partySize}" data-sites="${settings.frameSites.join(' ')}"`

/** The address of a picture for those who share or list a page: the venue's own, else its logo, if it is no SVG. */
export const pictureOf = ({ settings, logo, venue, publicUrl }: Visit): string | undefined => {
  if (settings.pictureUrl !== null) return settings.pictureUrl
  return logo && logo.type !== 'svg' ? `${publicUrl}${logoPath(venue.slug, logo)}` : undefined
}

const headPart = (visit: Visit): Html =>
  html`<header class="top">
    <a class="home" href="${visit.link(doorPath(visit.venue))}">${logoPart(visit, 44)}${visit.venue.name}</a>
  </header>`

/** The logo at a height in pixels. It has no alternative text because the venue's name is always next to it. */
export const logoPart = ({ venue, logo }: Pick<Visit, 'venue' | 'logo'>, high: number): Html | undefined => {
  if (!logo) return undefined
  const { width, height } = logoSize(logo, high)
  return html`<img src="${logoPath(venue.slug, logo)}" width="${width}" height="${height}" alt="" />`
}

/** The languages to choose from; none where there is one. */
const otherLanguages = ({ languages }: Visit['settings']): readonly GuestLanguage[] =>
  languages.length > 1 ? languages : []

const footPart = ({ venue, settings, language, words, formats, path, query }: Visit): Html => {
  const others = otherLanguages(settings)
  const inLanguage = (one: string): string => {
    const asked = new URLSearchParams(query)
    asked.set('lang', one)
    return `${path}?${asked.toString()}`
  }
  return html`<footer class="foot">
    ${
      others.length > 0 &&
      html`<nav class="lang" aria-label="${words.page.languages}">
        ${others.map(
          (one) =>
            html`<a
              href="${inLanguage(one)}"
              lang="${one}"
              hreflang="${one}"
              ${one === language && html`aria-current="true"`}
              >${wordsIn(one).name}</a
            >`,
        )}
      </nav>`
    }
    <p>${[venue.name, addressLine(venue.postal_address)].filter(Boolean).join(' · ')}</p>
    <p>${words.page.allTimes(formats.zone)}</p>
    ${path.startsWith('/v/') && html`<p>${words.page.views}</p>`}
  </footer>`
}

/** The address in one line. */
export const addressLine = (address: string | null): string =>
  (address ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(', ')

/** A page without a venue's head and foot: those behind links in mail, and mistakes. */
export const plainFrame = (
  { style, practice }: Look,
  title: string,
  body: Content,
  language: GuestLanguage = 'en',
): Html =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="${icon}" />
        <title>${title}</title>
        <link rel="stylesheet" href="${style}" />
      </head>
      <body class="narrow lone">
        ${practice && html`<aside class="practice">${wordsIn(language).page.practice}</aside>`}
        <main id="main" class="page"><div class="card">${body}</div></main>
      </body>
    </html>`
