import { cleanBody } from './clean.ts'
import { dressBody } from './dress-body.ts'
import {
  type Form,
  type Held,
  filledForm,
  formOf,
  holdAddress,
  holdHtmlTags,
  holdTags,
  oneLine,
  plainPlace,
  withoutMarks,
} from './fill.ts'
import { guidedLayout, preheaderBlock } from './guided-layout.ts'
import { headerLine } from '../../../mail/mime/header-text.ts'
import { languageOf } from './language.ts'
import type { MailContent, MailTemplate, MailVenue } from './mail-template.ts'
import { type EncodedParts, encodeParts, messageMaker } from './message.ts'
import { plainFooter, plainTextOf } from './plain-text.ts'
import { escapeHtml } from './tokens.ts'
import { wholeDocument } from './whole-document.ts'

/**
 * Renders a campaign once: clean the body, replace the merge tags with marks, put it in the layout, make the plain text,
 * and cut it into the parts everyone gets and the slots between them. Pure: the same content gives the same bytes.
 * Faulty content compiles too; `checkMail` says what is wrong with it.
 */
export const compileMail = (content: MailContent, venue: MailVenue): MailTemplate =>
  templateOf(compileForms(content, venue))

/** A mail with its holes, as plain data: what takes long is done, and it can go from one thread to another. */
export type MailForms = {
  readonly subject: Form
  readonly preheader: Form
  readonly html: Form
  /** What the venue wrote alone. */
  readonly body: Form
  readonly text: Form
  readonly encoded: EncodedParts
}

export const compileForms = (content: MailContent, venue: MailVenue): MailForms => {
  const isGuided = content.bodyFormat === 'guided'
  const { name, ...place } = printable(venue)
  const held: Held[] = []
  const form = (text: string, placeOf?: typeof plainPlace): Form => formOf(text, held, name, placeOf)
  const unsubscribeUrl = holdAddress('unsubscribeUrl', held)
  const preferencesUrl = holdAddress('preferencesUrl', held)

  const subject = form(holdTags(headerLine(withoutMarks(content.subject)), held, 'text'))
  const preheader = holdTags(headerLine(withoutMarks(content.preheader)), held, 'html')
  const clean = cleanBody(content.bodyFormat, withoutMarks(content.bodyHtml))
  const inner = holdHtmlTags(isGuided ? inParagraphs(clean) : clean, held)
  const made = plainTextOf(content.bodyFormat, inner)
  const language = languageOf(made)
  const body = isGuided ? dressBody(inner, language.dir) : inner
  const around = {
    // Nobody's own name is in the title.
    title: escapeHtml(filledForm(subject, nobody)),
    preheader: preheaderBlock(escapeHtml(preheader)),
    language,
  }
  const document = isGuided
    ? guidedLayout({ name, ...place }, { ...around, body, unsubscribeUrl, preferencesUrl })
    : wholeDocument(body, around)

  const given = withoutMarks(content.bodyText).trimEnd()
  const words = form(given === '' ? made : holdTags(given, held, 'text'), plainPlace)
  const footer = isGuided
    ? plainFooter({ name, ...place }, unsubscribeUrl, preferencesUrl)
    : words.some((piece) => typeof piece !== 'string' && piece.value === 'unsubscribeUrl')
      ? ''
      : `Unsubscribe: ${unsubscribeUrl}`
  const html = form(document)
  const text = [...words, ...form(footer === '' ? '\n' : `\n\n${footer}\n`, plainPlace)]
  return {
    subject,
    preheader: form(preheader, plainPlace),
    html,
    body: form(body),
    text,
    encoded: encodeParts({ text, html }),
  }
}

export const templateOf = (forms: MailForms): MailTemplate => ({
  subjectFor: (person) => headerLine(filledForm(forms.subject, person)),
  preheaderFor: (person) => filledForm(forms.preheader, person),
  htmlFor: (person) => filledForm(forms.html, person),
  bodyFor: (person) => filledForm(forms.body, person),
  textFor: (person) => filledForm(forms.text, person),
  messageFor: messageMaker(forms.subject, forms.encoded),
})

/** Words without any markup, as somebody types them: an empty line ends a paragraph. */
const inParagraphs = (clean: string): string =>
  /<[a-z]/.test(clean) || !clean.includes('\n')
    ? clean
    : clean
        .trim()
        .split(/\n\s*\n/)
        .map((paragraph) => `<p>${paragraph.trim().replaceAll('\n', '<br />')}</p>`)
        .join('\n')

const nobody = { firstName: null, unsubscribeUrl: '', preferencesUrl: '' }

const printable = ({ name, postalAddress, phone }: MailVenue): MailVenue => ({
  name: oneLine(name),
  postalAddress: postalAddress === null ? null : withoutMarks(postalAddress),
  phone: phone === null ? null : oneLine(phone),
})
