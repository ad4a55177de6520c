import { dateOf, displayName, headerLine, headerText, onWire } from './mime/header-text.ts'
import { quotedPrintable } from './mime/quoted-printable.ts'
import type { Mailbox } from '../platform/kernel/mailbox.ts'

/**
 * A mail of the service itself to one person (RFC 5322): plain text, no list, no answer wanted.
 * @throws UnmailableAddress when an address cannot go over the wire
 */
export const plainMessage = ({
  from,
  to,
  date,
  messageId,
  subject,
  text,
}: {
  readonly from: Mailbox
  readonly to: string
  readonly date: Temporal.Instant
  /** With its angle brackets. */
  readonly messageId: string
  readonly subject: string
  readonly text: string
}): Buffer => {
  const name = displayName(from.name, 6)
  return Buffer.from(
    `From: ${name}${name === '' ? '' : '\r\n '}<${onWire(from.address)}>\r\n` +
      `To: <${onWire(to)}>\r\n` +
      `Subject: ${headerText(headerLine(subject), 9)}\r\n` +
      `Date: ${dateOf(date)}\r\n` +
      `Message-ID: ${messageId}\r\n` +
      'Auto-Submitted: auto-generated\r\n' +
      'MIME-Version: 1.0\r\n' +
      'Content-Type: text/plain; charset=utf-8\r\n' +
      `Content-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(text)}`,
    'latin1',
  )
}
