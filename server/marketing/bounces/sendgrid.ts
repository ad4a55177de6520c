import { createPublicKey, verify } from 'node:crypto'
import { bounceTokensIn } from '../../mail/copy-address.ts'
import { listAt, textAt } from './payload.ts'
import type { Report, ReportKind } from './report.ts'

/*
 * SendGrid's event webhook: a list of events, signed with ECDSA over the timestamp and the bytes of the body. The copy
 * is named by `smtp-id`, which is the Message-ID we gave it.
 */

/** The two headers of the signature, in lower case. */
export const sendgridHeaders = {
  signature: 'x-twilio-email-event-webhook-signature',
  timestamp: 'x-twilio-email-event-webhook-timestamp',
} as const

/** Whether the bytes were signed with the key of the setting (base64 of its SPKI form). */
export const isSignedBySendgrid = (
  publicKey: string,
  { signature, timestamp }: { readonly signature: string; readonly timestamp: string },
  body: Buffer,
): boolean => {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  return verify(
    'sha256',
    Buffer.concat([Buffer.from(timestamp), body]),
    key,
    Buffer.from(signature, 'base64'),
  )
}

export const reportsOfSendgrid = (payload: unknown): Report[] =>
  listAt(payload).flatMap((event): Report[] => {
    const kind = kindOf(event)
    const id = textAt(event, 'sg_event_id')
    if (!kind || id === undefined) return []
    return [
      {
        kind,
        source: 'sendgrid',
        tokens: bounceTokensIn(textAt(event, 'smtp-id') ?? ''),
        statusCode: /^[45]\.\d{1,3}\.\d{1,3}/.exec(textAt(event, 'status') ?? '')?.[0] ?? null,
        key: `sendgrid/${id}`,
      },
    ]
  })

const kindOf = (event: unknown): ReportKind | undefined => {
  switch (textAt(event, 'event')) {
    case 'bounce':
      return textAt(event, 'type') === 'blocked' ? 'soft' : 'hard'
    case 'dropped':
      return kindOfDrop(textAt(event, 'reason') ?? '')
    case 'spamreport':
      return 'complaint'
    case 'unsubscribe':
    case 'group_unsubscribe':
      return 'unsubscribed'
    case 'delivered':
      return 'delivered'
    default:
      return undefined
  }
}

/** They did not even try, because of what they know of the address. */
const kindOfDrop = (reason: string): ReportKind | undefined => {
  if (/^bounced address|^invalid/i.test(reason)) return 'hard'
  if (/^spam reporting/i.test(reason)) return 'complaint'
  return /^unsubscribed/i.test(reason) ? 'unsubscribed' : undefined
}
