import { createHash } from 'node:crypto'
import PostalMime from 'postal-mime'
import { bounceTokensIn, unsubscribeTokensIn } from '../../mail/copy-address.ts'
import { type Report, kindOfStatus } from './report.ts'

/** What a mail that came back says. `unsubscribe`: it was written to a mailbox `u+<token>@`. */
export type ReportMail =
  | { readonly kind: 'reports'; readonly reports: readonly Report[] }
  | { readonly kind: 'unsubscribe'; readonly tokens: readonly string[] }
  /** An auto-reply, a delay, a newsletter: nothing follows from it. */
  | { readonly kind: 'nothing' }

/**
 * Reads one mail as it came to the bounce mailbox: a delivery status notification (RFC 3464), a feedback report
 * (RFC 5965), or somebody's wish to leave. Only these are believed; an auto-reply to the envelope sender does not
 * count.
 */
export const readReportMail = async (bytes: Buffer): Promise<ReportMail> => {
  const mail = await PostalMime.parse(bytes, {
    attachmentEncoding: 'arraybuffer',
    forceRfc822Attachments: true,
  })
  const header = (name: string): string[] =>
    mail.headers.filter(({ key }) => key === name).map(({ value }) => value)
  const parts = mail.attachments.map(({ mimeType, content }) => ({
    mimeType,
    text: typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8'),
  }))
  const partOf = (type: string): string | undefined => parts.find(({ mimeType }) => mimeType === type)?.text
  const wentTo = ['delivered-to', 'x-original-to', 'to', 'cc', 'envelope-to'].flatMap(header).join(' ')

  const leaving = unsubscribeTokensIn(wentTo)
  if (leaving.length > 0) return { kind: 'unsubscribe', tokens: leaving }

  const original = partOf('message/rfc822') ?? partOf('text/rfc822-headers') ?? ''
  const head = original.split(/\r?\n\r?\n/, 1)[0] as string
  const feedback = partOf('message/feedback-report')
  // Some mailbox providers take the Message-ID out of what they quote; Original-Mail-From then still names the copy.
  const named = [wentTo, head, feedback ?? ''].flatMap(bounceTokensIn)
  const tokens = [...new Set(named)]
  const key = createHash('sha256').update(bytes).digest('base64url')

  if (feedback !== undefined) {
    const isComplaint = fieldOf(feedback, 'feedback-type')?.toLowerCase() === 'abuse'
    return isComplaint
      ? { kind: 'reports', reports: [{ kind: 'complaint', source: 'dsn', tokens, statusCode: null, key }] }
      : { kind: 'nothing' }
  }
  const status = partOf('message/delivery-status') ?? partOf('message/global-delivery-status')
  if (status === undefined) return { kind: 'nothing' }
  // The first group of fields is about the message, each further one about a recipient.
  const groups = status
    .trim()
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .slice(1)
  const reports = groups.flatMap((group, place): Report[] => {
    const code = /\d\.\d{1,3}\.\d{1,3}/.exec(fieldOf(group, 'status') ?? '')?.[0] ?? null
    const action = fieldOf(group, 'action')?.toLowerCase()
    const base = { source: 'dsn', tokens, statusCode: code, key: `${key}/${place}` } as const
    if (action === 'delivered') return [{ ...base, kind: 'delivered' }]
    const kind = action === 'failed' ? (kindOfStatus(code) ?? 'soft') : null
    return kind ? [{ ...base, kind }] : []
  })
  return reports.length > 0 ? { kind: 'reports', reports } : { kind: 'nothing' }
}

/** The value of a field, its folded lines joined. */
const fieldOf = (group: string, name: string): string | undefined =>
  new RegExp(`^${name}[ \\t]*:[ \\t]*(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(group)?.[1]?.trim()

/**
 * The mails of a mailbox file (mbox): each begins with a line `From `, and a line of its own that would look so has a
 * `>` in front. A file without such a line is one mail.
 */
export const mailsOfMailbox = (bytes: Buffer): Buffer[] => {
  const text = bytes.toString('latin1')
  if (!text.startsWith('From ')) return text.trim() === '' ? [] : [bytes]
  return text
    .split(/^From .*\r?\n/m)
    .filter((mail) => mail.trim() !== '')
    .map((mail) => Buffer.from(mail.replaceAll(/^>(>*From )/gm, '$1'), 'latin1'))
}
