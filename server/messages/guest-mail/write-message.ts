import { dateOf, displayName, headerLine, headerText, onWire } from '../../mail/mime/header-text.ts'
import { quotedPrintable } from '../../mail/mime/quoted-printable.ts'
import type { Mailbox } from '../../platform/kernel/mailbox.ts'
import type { Attachment, Letter } from './letter.ts'

export type Parts = {
  readonly from: Mailbox
  /** Where an answer goes; null: to the sender. */
  readonly replyTo: string | null
  readonly to: string
  readonly subject: string
  readonly date: Temporal.Instant
  /** With its angle brackets. */
  readonly messageId: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly Attachment[]
  /** What ends mail of this kind with one click (RFC 8058); absent for what is about something the guest did. */
  readonly leave: Letter['leave']
}

/**
 * A whole message (RFC 5322): plain text and HTML as alternatives, then the attachments. No list headers where it is about
 * something the guest did.
 * @throws UnmailableAddress when an address cannot go over the wire
 */
export const writeMessage = (parts: Parts): Buffer => {
  const { from, replyTo, to, subject, date, messageId, text, html, attachments, leave } = parts
  const mark = messageId.replaceAll(/[^0-9A-Za-z]/g, '').slice(0, 40)
  const alternative = multipart('alternative', `=_a${mark}`, [
    body('text/plain; charset=utf-8', text),
    body('text/html; charset=utf-8', html),
  ])
  const content =
    attachments.length === 0
      ? alternative
      : multipart('mixed', `=_m${mark}`, [alternative, ...attachments.map(attached)])
  const name = displayName(from.name, 6)
  return Buffer.from(
    `From: ${name}${name === '' ? '' : '\r\n '}<${onWire(from.address)}>\r\n` +
      `To: <${onWire(to)}>\r\n` +
      (replyTo === null ? '' : `Reply-To: <${onWire(replyTo)}>\r\n`) +
      `Subject: ${headerText(headerLine(subject), 9)}\r\n` +
      `Date: ${dateOf(date)}\r\n` +
      `Message-ID: ${messageId}\r\n` +
      leaveLines(leave) +
      'Auto-Submitted: auto-generated\r\n' +
      'MIME-Version: 1.0\r\n' +
      content,
    'latin1',
  )
}

const leaveLines = (leave: Letter['leave']): string => {
  if (leave === undefined) return ''
  const mailbox = leave.mailbox === null ? '' : `,\r\n <mailto:${leave.mailbox}?subject=unsubscribe>`
  return `List-Unsubscribe: <${leave.url}>${mailbox}\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n`
}

const multipart = (kind: 'alternative' | 'mixed', boundary: string, parts: readonly string[]): string =>
  `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n` +
  `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`

const body = (type: string, text: string): string =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(text)}`

const attached = ({ name, type, content }: Attachment): string =>
  `Content-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n` +
  `Content-Transfer-Encoding: base64\r\n\r\n${(
    (typeof content === 'string' ? Buffer.from(content) : content).toString('base64').match(/.{1,76}/g) ?? []
  ).join('\r\n')}`
