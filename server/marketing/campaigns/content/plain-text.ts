import type { BodyFormat } from '@venue-data/contract/records/campaign.ts'
import { type SelectorDefinition, compile } from 'html-to-text'
import type { MailVenue } from './mail-template.ts'
import { addressLines, whyYouGetThis } from './guided-layout.ts'

/*
 * The plain-text part, made from the inner body and not from the layout around it, which would read badly.
 */

/** A body in HTML as plain text: links in brackets behind their words, pictures by their alternative text. */
export const plainTextOf = (format: BodyFormat, html: string): string =>
  toText[format](html)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

/** The footer of a guided mail's plain text. */
export const plainFooter = (venue: MailVenue, unsubscribeUrl: string, preferencesUrl: string): string =>
  [
    '-- ',
    venue.name,
    ...addressLines(venue),
    '',
    whyYouGetThis(venue.name),
    `Unsubscribe: ${unsubscribeUrl}`,
    `Email preferences: ${preferencesUrl}`,
  ].join('\n')

const heading = { options: { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 1 } }

const compiled = (table: SelectorDefinition): ((html: string) => string) =>
  compile({
    wordwrap: false,
    // Longer than any clean body, whose signs may have become entities.
    limits: { maxInputLength: 10_000_000, maxDepth: 120 },
    formatters: {
      alternative: (element, _walk, builder) => {
        builder.addInline((element.attribs as Record<string, string> | undefined)?.['alt'] ?? '')
      },
    },
    selectors: [
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...heading })),
      { selector: 'img', format: 'alternative' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
      table,
    ],
  })

/** In the guided format a table holds figures; in a document of the caller's own it makes the layout. */
const toText: Readonly<Record<BodyFormat, (html: string) => string>> = {
  guided: compiled({
    selector: 'table',
    format: 'dataTable',
    options: { uppercaseHeaderCells: false, maxColumnWidth: 60 },
  }),
  html: compiled({ selector: 'td', format: 'block' }),
}
