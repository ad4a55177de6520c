import { X509Certificate, verify } from 'node:crypto'
import { bounceTokensIn } from '../../mail/copy-address.ts'
import { listAt, textAt } from './payload.ts'
import type { Report, ReportKind } from './report.ts'

/*
 * Amazon SES reports through SNS: an envelope signed with a certificate to be fetched from Amazon, and inside it a
 * message about one mail. The copy is named by the envelope sender or by the Message-ID among the headers.
 */

/**
 * Whether an address is SNS's own, of the region that the topic is in: where certificates and confirmations may be
 * fetched from, and nowhere else.
 */
export const isAddressOfSns = (text: string | undefined, topic: string): text is string => {
  const url = text === undefined ? null : URL.parse(text)
  const [, partition, , region] = topic.split(':')
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.port === '' &&
    url.username === '' &&
    url.hostname === `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`
  )
}

/**
 * A certificate is believed only at its own path: other addresses of this host echo what a caller sends, which may be a
 * certificate of the caller's own.
 */
export const isCertificateOfSns = (text: string | undefined, topic: string): text is string =>
  isAddressOfSns(text, topic) && /^https:\/\/[^/?#]+\/SimpleNotificationService-[\da-z]+\.pem$/i.test(text)

const signedFields: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
}

/** Whether the envelope was signed by the holder of a certificate (PEM). */
export const isSignedBySns = (envelope: unknown, certificate: string): boolean => {
  const fields = signedFields[textAt(envelope, 'Type') ?? '']
  const algorithm = { '1': 'sha1', '2': 'sha256' }[textAt(envelope, 'SignatureVersion') ?? '']
  if (!fields || algorithm === undefined) return false
  const signed = fields
    .filter((field) => textAt(envelope, field) !== undefined)
    .map((field) => `${field}\n${textAt(envelope, field)}\n`)
    .join('')
  const signature = Buffer.from(textAt(envelope, 'Signature') ?? '', 'base64')
  try {
    return verify(algorithm, Buffer.from(signed), new X509Certificate(certificate).publicKey, signature)
  } catch {
    // What was fetched is no certificate.
    return false
  }
}

/** What the message inside an envelope says; `id` is the envelope's. */
export const reportsOfSes = (message: unknown, id: string): Report[] => {
  const headers = listAt(message, 'mail', 'headers')
    .filter((header) => textAt(header, 'name')?.toLowerCase() === 'message-id')
    .map((header) => textAt(header, 'value') ?? '')
  const tokens = [
    textAt(message, 'mail', 'source') ?? '',
    textAt(message, 'mail', 'commonHeaders', 'messageId') ?? '',
    ...headers,
  ].flatMap(bounceTokensIn)
  const report = (kind: ReportKind, statusCode: string | null, place: number): Report => ({
    kind,
    source: 'ses',
    tokens,
    statusCode,
    key: `ses/${id}/${place}`,
  })
  switch (textAt(message, 'notificationType') ?? textAt(message, 'eventType')) {
    case 'Bounce': {
      const kind = textAt(message, 'bounce', 'bounceType') === 'Permanent' ? 'hard' : 'soft'
      return listAt(message, 'bounce', 'bouncedRecipients').map((one, place) =>
        report(kind, textAt(one, 'status') ?? null, place),
      )
    }
    case 'Complaint':
      // "Not spam" is a complaint's opposite under the same name.
      return textAt(message, 'complaint', 'complaintFeedbackType') === 'not-spam'
        ? []
        : [report('complaint', null, 0)]
    case 'Delivery':
      return [report('delivered', null, 0)]
    default:
      return []
  }
}
