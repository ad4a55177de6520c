import type { MailPerson, MailTemplate } from './mail-template.ts'

/*
 * What the office shows next to the editor, and what the checklist reads: the mail as one made-up person gets it.
 */

/** A person who is nobody's guest. The links lead nowhere on purpose: nobody unsubscribes by looking. */
export const samplePerson: MailPerson = {
  firstName: 'Alex',
  unsubscribeUrl: 'https://unsubscribe.invalid/sample',
  preferencesUrl: 'https://preferences.invalid/sample',
}

export type Preview = {
  readonly subject: string
  readonly preheader: string
  /** A whole document, for a sandboxed frame. */
  readonly html: string
  readonly text: string
  /** Bytes of the HTML; some mail programs cut off long mails. */
  readonly htmlBytes: number
}

/** The mail as the sample person, or another, gets it. */
export const previewOf = (template: MailTemplate, person: MailPerson = samplePerson): Preview => {
  const html = template.htmlFor(person)
  return {
    subject: template.subjectFor(person),
    preheader: template.preheaderFor(person),
    html,
    text: template.textFor(person),
    htmlBytes: Buffer.byteLength(html),
  }
}
