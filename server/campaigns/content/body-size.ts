import { limits } from '@venue-data/contract/limits.ts'
import { numberInWords } from '../../kernel/in-words.ts'
import { inBody } from '../../kernel/problem.ts'
import { badRequest } from '../../kernel/refusal.ts'

/*
 * How much a body may ask of whoever cleans and renders it, which is done while others wait. Its length alone says
 * little: a million `<` are four million characters once escaped, and each tag costs as much as a page of text.
 */

/** Each tag has one `<` and one `>`, and most come in pairs. */
const signsMost = 2 * limits.campaignBodyTags

/** Refuses, before anything is done with it, a body that would take long to clean or to render. */
export const assertBodyIsBounded = (html: string): void => {
  let [opening, closing, lines, escaped] = [0, 0, 0, 0]
  for (let at = 0; at < html.length; at++) {
    const sign = html.charCodeAt(at)
    if (sign === lessThan) opening++
    else if (sign === greaterThan) closing++
    else if (sign === lineFeed) lines++
    else if (sign === ampersand && !/[a-z#]/i.test(html[at + 1] ?? '')) escaped++
  }
  if (opening > signsMost || closing > signsMost || (opening === 0 && lines > signsMost)) {
    throw badRequest(
      `The body has too many tags or lines: ${numberInWords(limits.campaignBodyTags)} tags at most.`,
      inBody('bodyHtml', 'out-of-range'),
    )
  }
  if (html.split('{{', limits.campaignMergeTags + 2).length > limits.campaignMergeTags + 1) {
    throw badRequest(
      `The body has too many merge tags: ${numberInWords(limits.campaignMergeTags)} at most.`,
      inBody('bodyHtml', 'out-of-range'),
    )
  }
  // What stands for itself is written as `&amp;`.
  if (html.length + 4 * escaped > limits.campaignBodyCharacters) throw tooLong()
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
