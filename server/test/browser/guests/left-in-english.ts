import type { Page } from 'playwright-core'
import { sentencesOf } from '../../../messages/guest-words/test/sentences-of.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import type { GuestLanguage } from '../../../platform/kernel/guest-language.ts'

/* What a page in another language still says in English: sentences of the English catalog, and any text that is the same on the English page. */

/** Everything that is read on a page, or read out, a text each; not the names of the languages to choose from. */
export const textsOn = (page: Page): Promise<string[]> =>
  page.locator('html').evaluate((root) => {
    const { ownerDocument: document } = root
    const { NodeFilter } = document.defaultView
    const found: string[] = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (!node.parentElement.closest('[lang]:not(html), script')) found.push(node.textContent)
    for (const one of document.body.querySelectorAll('[aria-label], [alt], [placeholder], [title]'))
      for (const name of ['aria-label', 'alt', 'placeholder', 'title'])
        found.push(one.getAttribute(name) ?? '')
    const plain = found.map((text) => text.replaceAll(/\s+/g, ' ').trim())
    return [...new Set(plain)].filter((text) => /\p{L}{3}/u.test(text))
  })

/** `data`: names that are the same in every language, such as the venue's and the guest's. */
export const leftInEnglish = (
  texts: readonly string[],
  language: GuestLanguage,
  { english, data }: { readonly english: readonly string[]; readonly data: readonly string[] },
): string[] => {
  const own = catalogOf(language)
  const foreign = catalogOf('en').filter(({ sentence }) => own.every((one) => one.sentence !== sentence))
  const without = (text: string): string =>
    data.reduce((left, one) => left.replaceAll(one, ''), text).replaceAll(/^[\s·:,]+|[\s·:,]+$/g, '')
  const isOwn = (text: string): boolean =>
    !/\p{L}{3}/u.test(text) || text.split(' · ').every((part) => own.some(({ whole }) => whole.test(part)))
  return texts.filter((text) => {
    const left = without(text)
    if (isOwn(left)) return false
    return english.includes(text) || foreign.some(({ whole, within }) => (within ?? whole).test(left))
  })
}

type Sentence = { readonly sentence: string; readonly whole: RegExp; readonly within: RegExp | undefined }

/** A language's sentences, with any words where they take some. A single word may be in a sentence of another language. */
const catalogOf = (language: GuestLanguage): readonly Sentence[] =>
  sentencesOf(wordsIn(language)).flatMap(([, written]) => {
    const sentence = written.replaceAll(/\s+/g, ' ').trim()
    const said = sentence.replaceAll(/«\d»/g, '')
    if (!/\p{L}{2}/u.test(said)) return []
    const pattern = sentence
      .split(/«\d»/)
      .map((part) => RegExp.escape(part))
      .join('.+?')
    const isLong = /\p{L}{2}.* .*\p{L}{2}.* .*\p{L}{2}/u.test(said)
    return [
      {
        sentence,
        whole: new RegExp(`^${pattern}$`, 'u'),
        within: isLong ? new RegExp(`(?<!\\p{L})${pattern}(?!\\p{L})`, 'u') : undefined,
      },
    ]
  })
