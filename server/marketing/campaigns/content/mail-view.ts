import type { TagProblem } from './merge-tags.ts'
import { type MailForms, compileForms, templateOf } from './compile-mail.ts'
import type { MailContent, MailTemplate, MailVenue } from './mail-template.ts'
import { samplePerson } from './preview.ts'
import { tagProblemsOf } from './tag-problems.ts'
import { type Sight, plainSight, sightIn } from './visible-text.ts'
import { type OpenTag, attributeOf, decodeHtml, tokensOf } from './tokens.ts'

/*
 * The rendered test message as the checklist sees it: what a person can read, press and look at.
 */

export type Link = {
  readonly address: string
  /** The text between the tags, with pictures as their alternative text; empty for a link nobody can see. */
  readonly words: string
}
export type Picture = { readonly address: string | undefined; readonly alternative: string | undefined }

export type MailView = {
  readonly subject: string
  readonly html: string
  /** All of the message: the layout's own parts, too. */
  readonly links: readonly Link[]
  /** Of what the venue wrote alone. */
  readonly words: string
  readonly bodyLinks: readonly Link[]
  readonly pictures: readonly Picture[]
  readonly tagProblems: readonly TagProblem[]
  /** What could run or take input, found in spite of cleaning. */
  readonly active: string | undefined
}

/** A mail compiled, and as the checklist sees it, as plain data. */
export type ReadMail = { readonly forms: MailForms; readonly view: MailView }

export const readMail = (content: MailContent, venue: MailVenue): ReadMail => {
  const forms = compileForms(content, venue)
  return { forms, view: viewOf(content, templateOf(forms)) }
}

export const viewOf = (content: MailContent, mail: MailTemplate): MailView => {
  const html = mail.htmlFor(samplePerson)
  const body = mail.bodyFor(samplePerson)
  const { words, links, pictures } = readable(body)
  return {
    subject: mail.subjectFor(samplePerson),
    html,
    links: readable(html).links,
    words,
    bodyLinks: links,
    pictures,
    tagProblems: tagProblemsOf(content),
    active: activeIn(html),
  }
}

type Readable = { words: string; links: Link[]; pictures: Picture[] }

/** Follows what is open, so that the words of a link, and what is hidden, are known. */
const readable = (html: string): Readable => {
  const open: { name: string; sight: Sight; link?: { address: string; words: string } }[] = []
  const links: Link[] = []
  const pictures: Picture[] = []
  let words = ''
  const sight = () => open.at(-1)?.sight ?? plainSight
  const say = (said: string) => {
    if (sight().isGone || sight().isTiny) return
    words += said
    const link = open.findLast((one) => one.link !== undefined)?.link
    if (link !== undefined) link.words += said
  }
  for (const token of tokensOf(html)) {
    if (token.kind === 'text') say(decodeHtml(token.text))
    else if (token.kind === 'open') {
      if (blocks.has(token.name)) words += '\n'
      if (token.name === 'img' && !sight().isGone) {
        const alternative = attributeOf(token, 'alt')?.trim()
        pictures.push({ address: attributeOf(token, 'src'), alternative })
        const link = open.findLast((one) => one.link !== undefined)?.link
        if (link !== undefined && !sightIn(sight(), token).isGone && !isDot(token))
          link.words += alternative ?? ''
      }
      if (token.isEmpty) continue
      const address = token.name === 'a' ? attributeOf(token, 'href') : undefined
      const link = address === undefined ? undefined : { address, words: '' }
      if (link !== undefined) links.push(link)
      open.push({
        name: token.name,
        sight: sightIn(sight(), token),
        ...(link === undefined ? {} : { link }),
      })
    } else if (token.kind === 'close') {
      const at = open.findLastIndex((one) => one.name === token.name)
      if (at !== -1) open.length = at
    }
  }
  return { words: words.replaceAll(/[ \t\u00a0]+/g, ' ').trim(), links, pictures }
}

const blocks = new Set([
  'p',
  'div',
  'br',
  'li',
  'tr',
  'td',
  'th',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'table',
  'blockquote',
])

/** A one-pixel picture, even one with alternative text. */
const isDot = (picture: OpenTag): boolean =>
  ['width', 'height'].some((side) => /^[01]$/.test(attributeOf(picture, side) ?? ''))

/**
 * Looks with other eyes than cleaning did: at the bare text, tag by tag. No pattern runs past the next `<`: a style sheet
 * may hold a million of them.
 */
const activeIn = (html: string): string | undefined => {
  const found =
    /<\s*(script|form|iframe|object|embed|applet|base|frame|frameset|input|button|textarea|select|svg|math)\b/i.exec(
      html,
    )?.[1] ??
    /<[^<>]*\s(on[a-z]+)\s*=/i.exec(html.replaceAll(/"[^"]*"/g, '""'))?.[1] ??
    /<meta[^<>]*http-equiv="?\s*(refresh)/i.exec(html)?.[1] ??
    /(?:href|src)="\s*((?:java|vb)script):/i.exec(html)?.[1]
  return found?.toLowerCase()
}
