import { type Form, type Hole, addressAlone, filled, filledForm } from './fill.ts'
import { dateOf, displayName, headerLine, headerText, onWire } from '../../../mail/mime/header-text.ts'
import type { MailHeader, MailPerson } from './mail-template.ts'
import { quotedPrintable, softBreak } from '../../../mail/mime/quoted-printable.ts'

/*
 * One message for each person, made by copying. What is the same for everybody is encoded once; a hole sits
 * between two soft line breaks, so that what is put in always begins a line of its own and the text around it never
 * moves. Only the header and the holes are written for each person.
 */

/** Cannot occur in a part: no encoded text has `=_`. */
const boundary = '=_mail-part'

const partHead = (type: string): string =>
  `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`

/** The parts of a message as they go over the wire, with holes: plain data, which can go from one thread to another. */
export type EncodedParts = {
  readonly strip: Strip
  readonly holes: readonly Hole[]
}

/** Encodes what is the same for everybody, which takes long for a long body. */
export const encodeParts = ({ text, html }: { readonly text: Form; readonly html: Form }): EncodedParts => {
  const holes: Holes = new Map()
  const strip = [
    ...encoded(text, partHead('text/plain'), holes),
    ...encoded(html, `\r\n${partHead('text/html')}`, holes),
    Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1'),
  ]
  return { strip, holes: Array.from(holes.values(), ({ hole }) => hole) }
}

/**
 * Makes the function that writes messages (RFC 5322): multipart/alternative, 7 bits, CRLF, lines of at most 76
 * characters where the header's values allow.
 *
 * @throws UnmailableAddress when an address cannot go over the wire (`wireAddress`): leave such people out before.
 */
export const messageMaker = (
  subject: Form,
  { strip, holes }: EncodedParts,
): ((person: MailPerson, header: MailHeader) => Buffer) => {
  const fixedLength = strip.reduce<number>(
    (sum, piece) => sum + (typeof piece === 'number' ? 0 : piece.length),
    0,
  )
  const sender = memo(senderLines)
  return (person, header) => {
    const values = holes.map((hole) => quotedPrintable(filled(hole, person)))
    const head = headOf(filledForm(subject, person), header, sender(header))
    let length = head.length + fixedLength
    for (const piece of strip) if (typeof piece === 'number') length += (values[piece] as string).length
    const message = Buffer.allocUnsafe(length)
    let at = message.write(head, 0, 'latin1')
    for (const piece of strip) {
      if (typeof piece === 'number') at += message.write(values[piece] as string, at, 'latin1')
      else {
        message.set(piece, at)
        at += piece.length
      }
    }
    return message
  }
}

/** Bytes that are the same for everybody, and the numbers of the holes between them. */
type Strip = readonly (Uint8Array | number)[]
/** Every hole there is, by what makes it one; the same hole twice is filled once. */
type Holes = Map<string, { readonly number: number; readonly hole: Hole }>

/** Static bytes, and the numbers of holes between them. */
const encoded = (form: Form, head: string, holes: Holes): Strip => {
  const strip: (Uint8Array | number)[] = []
  let before = head
  form.forEach((piece, index) => {
    if (typeof piece === 'string') {
      before += quotedPrintable(piece.replaceAll(/\r\n?/g, '\n'))
      return
    }
    // A line that is empty so far needs no break before the hole.
    strip.push(Buffer.from(index === 0 ? before : before + softBreak, 'latin1'), numberOf(piece, holes))
    before = softBreak
  })
  return [...strip, Buffer.from(before, 'latin1')]
}

const numberOf = (hole: Hole, holes: Holes): number => {
  const key = JSON.stringify(hole)
  const known = holes.get(key) ?? { number: holes.size, hole }
  holes.set(key, known)
  return known.number
}

const headOf = (subject: string, header: MailHeader, sender: string): string => {
  const { to, date, messageId, unsubscribeUrl, unsubscribeMailbox } = header
  const mailbox =
    unsubscribeMailbox === null
      ? ''
      : `,\r\n <mailto:${addressAlone(unsubscribeMailbox)}?subject=unsubscribe>`
  return (
    `${sender}To: ${onWire(to)}\r\n` +
    `Subject: ${headerText(subject, 9)}\r\n` +
    `Date: ${dateOf(date)}\r\n` +
    `Message-ID: ${visible(messageId)}\r\n` +
    // Postmark gives each mail a Message-ID of its own, and reports bounces by this one (bounces/postmark.ts).
    `X-PM-Metadata-copy: ${visible(messageId).replaceAll(/^<|@.*$/g, '')}\r\n` +
    `List-Unsubscribe: <${addressAlone(unsubscribeUrl)}>${mailbox}\r\n` +
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n' +
    'Auto-Submitted: auto-generated\r\n' +
    'Precedence: bulk\r\n' +
    'MIME-Version: 1.0\r\n' +
    `Content-Type: multipart/alternative; boundary="${boundary}"\r\n\r\n`
  )
}

/** What is the same for a whole campaign. */
const senderLines = ({ from, listId, feedbackId }: MailHeader): string => {
  const address = `<${onWire(from.address)}>`
  const name = displayName(from.name, 6)
  const gap = name === '' ? '' : name.length + address.length > 68 ? '\r\n ' : ' '
  return (
    `From: ${name}${gap}${address}\r\n` +
    `List-Id: ${asciiLine(listId)}\r\n` +
    `Feedback-ID: ${asciiLine(feedbackId)}\r\n`
  )
}

/** Keeps the last answer: the header's sender is the same from person to person. */
const memo = (make: (header: MailHeader) => string): ((header: MailHeader) => string) => {
  let last: { key: string; lines: string } | undefined
  return (header) => {
    const key = `${header.from.name}\n${header.from.address}\n${header.listId}\n${header.feedbackId}`
    if (last?.key !== key) last = { key, lines: make(header) }
    return last.lines
  }
}

const asciiLine = (value: string): string => headerLine(value).replaceAll(/[^ -~]/gu, '?')

const visible = (value: string): string => value.replaceAll(/[^!-~]/g, '')
