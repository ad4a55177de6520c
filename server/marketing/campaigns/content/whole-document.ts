import type { Language } from './language.ts'
import { type OpenTag, type Token, tokensOf } from './tokens.ts'

/*
 * A document of the caller's own, as it was cleaned, with what is missing for a mail: doctype, character set, title,
 * language and direction, and the preheader first in its body. A fragment becomes a document.
 */

type Added = { readonly title: string; readonly preheader: string; readonly language: Language }

export const wholeDocument = (cleaned: string, { title, preheader, language }: Added): string => {
  const tokens = tokensOf(cleaned)
  const has = (name: string) => tokens.some((token) => isOpen(token, name))
  const isCharset = (token: Token) =>
    token.kind === 'open' && token.name === 'meta' && token.attributes.some(({ name }) => name === 'charset')
  const headMissing =
    (tokens.some(isCharset) ? '' : '<meta charset="utf-8">') + (has('title') ? '' : `<title>${title}</title>`)

  if (!has('html') && !has('body') && !has('head'))
    return `<!doctype html>\n<html${said(language)}>\n<head>${headMissing}</head>\n<body>\n${preheader}${cleaned}\n</body>\n</html>\n`

  const text = tokens
    .map((token) => {
      if (token.kind === 'open' && token.name === 'html') return withLanguage(token, language)
      if (isOpen(token, 'head')) return token.text + headMissing
      if (isOpen(token, 'body')) return token.text + preheader
      return token.text
    })
    .join('')
  // What comes before a missing `body` begins one for every reader.
  const head = has('head') ? '' : `<head>${headMissing}</head>`
  const before = has('html') ? '' : `<html${said(language)}>`
  const after = has('html') ? '' : '</html>'
  const placed = has('html') && head !== '' ? text.replace(/<html[^<>]*>/, (tag) => tag + head) : head + text
  const whole = has('body') ? placed : placed.replace(/<\/head>/, (tag) => tag + preheader)
  return `<!doctype html>\n${before}${whole}${after}\n`
}

const isOpen = (token: Token, name: string): boolean => token.kind === 'open' && token.name === name

const said = ({ lang, dir }: Language): string => ` lang="${lang}" dir="${dir}"`

/** What the caller says of the language stays. */
const withLanguage = (tag: OpenTag, { lang, dir }: Language): string => {
  const has = (name: string) => tag.attributes.some((one) => one.name === name)
  return tag.text.replace(
    />$/,
    `${has('lang') ? '' : ` lang="${lang}"`}${has('dir') ? '' : ` dir="${dir}"`}>`,
  )
}
