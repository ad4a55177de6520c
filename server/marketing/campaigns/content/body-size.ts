import { limits } from '@venue-data/contract/limits.ts'
import { numberInWords } from '../../../platform/kernel/time/in-words.ts'
import { inBody } from '../../../platform/kernel/problem.ts'
import { type Refusal, badRequest } from '../../../platform/kernel/refusal.ts'
import type { MailContent } from './mail-template.ts'

/*
 * Limits how much work cleaning and rendering a body can take, because others wait meanwhile. Its length alone says
 * little: a million `<` are four million characters once escaped, and each tag costs as much as a page of text.
 */

/** Each tag has one `<` and one `>`, and most come in pairs. */
const signsMost = 2 * limits.campaignBodyTags

/** Refuses, before anything is done with it, a body that would take long to clean or to render. */
export const assertBodyIsBounded = (html: string): void => {
  const refusal = boundsRefusal(html)
  if (refusal) throw refusal
}

/** Why what somebody is typing cannot be an email yet, as a sentence; undefined when it can. */
export const mailProblem = ({
  subject,
  preheader,
  bodyHtml,
  bodyText,
}: Pick<MailContent, 'subject' | 'preheader' | 'bodyHtml' | 'bodyText'>): string | undefined => {
  // In UTF-16 units, of which a character has two at most.
  if (subject.length > 2 * limits.subjectCharacters) return 'The subject is too long to be shown.'
  if (preheader.length > 2 * limits.shortTextCharacters) return 'The preview line is too long to be shown.'
  if (Buffer.byteLength(bodyText) > limits.campaignBodyBytes) return 'The plain text is too long to be shown.'
  return boundsRefusal(bodyHtml)?.message
}

const boundsRefusal = (html: string): Refusal | undefined => {
  let [opening, closing, lines, escaped] = [0, 0, 0, 0]
  for (let at = 0; at < html.length; at++) {
    const sign = html.charCodeAt(at)
    if (sign === lessThan) opening++
    else if (sign === greaterThan) closing++
    else if (sign === lineFeed) lines++
    else if (sign === ampersand && !/[a-z#]/i.test(html[at + 1] ?? '')) escaped++
  }
  if (opening > signsMost || closing > signsMost || (opening === 0 && lines > signsMost)) {
    return badRequest(
      `The body has too many tags or lines: ${numberInWords(limits.campaignBodyTags)} tags at most.`,
      inBody('bodyHtml', 'out-of-range'),
    )
  }
  if (html.split('{{', limits.campaignMergeTags + 2).length > limits.campaignMergeTags + 1) {
    return badRequest(
      `The body has too many merge tags: ${numberInWords(limits.campaignMergeTags)} at most.`,
      inBody('bodyHtml', 'out-of-range'),
    )
  }
  // A literal ampersand is written as `&amp;`.
  return html.length + 4 * escaped > limits.campaignBodyCharacters ? tooLong() : undefined
}

/** Refuses a cleaned body that is longer than one may be: what is kept must be fit to be saved again. */
export const assertKeptBodyFits = (html: string): void => {
  if (html.length > limits.campaignBodyCharacters || Buffer.byteLength(html) > limits.campaignBodyBytes)
    throw tooLong()
}

const tooLong = () =>
  badRequest(
    'The body is too long once it is cleaned, when < and & are written as &lt; and &amp;: 1 MiB at most.',
    inBody('bodyHtml', 'too-long'),
  )

const [lineFeed, ampersand, lessThan, greaterThan] = [10, 38, 60, 62]
