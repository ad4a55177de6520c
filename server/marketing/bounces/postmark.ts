import { bounceTokensIn } from '../../mail/copy-address.ts'
import { textAt } from './payload.ts'
import type { Report, ReportKind } from './report.ts'

/*
 * Postmark's callbacks (bounce, spam complaint, delivery, subscription change): one JSON object each. The copy is
 * named by the metadata `copy`, which goes out in the header X-PM-Metadata-copy.
 */

const kindOfBounce: Readonly<Record<string, ReportKind>> = {
  HardBounce: 'hard',
  BadEmailAddress: 'hard',
  ManuallyDeactivated: 'hard',
  Transient: 'soft',
  SoftBounce: 'soft',
  DnsError: 'soft',
  Blocked: 'soft',
  SpamNotification: 'soft',
  DMARCPolicy: 'soft',
  Undeliverable: 'soft',
  VirusNotification: 'soft',
  SpamComplaint: 'complaint',
  Unsubscribe: 'unsubscribed',
}

export const reportsOfPostmark = (payload: unknown): Report[] => {
  const kind = kindOf(payload)
  if (!kind) return []
  const tokens = [textAt(payload, 'Metadata', 'copy'), ...bounceTokensIn(textAt(payload, 'From') ?? '')]
  const id = textAt(payload, 'ID') ?? `${textAt(payload, 'MessageID')}/${textAt(payload, 'ChangedAt') ?? ''}`
  return [
    {
      kind,
      source: 'postmark',
      tokens: tokens.filter((token) => token !== undefined),
      statusCode: /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(textAt(payload, 'Details') ?? '')?.[0] ?? null,
      key: `postmark/${textAt(payload, 'RecordType')}/${id}`,
    },
  ]
}

const kindOf = (payload: unknown): ReportKind | undefined => {
  switch (textAt(payload, 'RecordType')) {
    case 'Bounce':
      return kindOfBounce[textAt(payload, 'Type') ?? '']
    case 'SpamComplaint':
      return 'complaint'
    case 'Delivery':
      return 'delivered'
    case 'SubscriptionChange':
      if (textAt(payload, 'SuppressSending') !== 'true') return undefined
      return textAt(payload, 'SuppressionReason') === 'HardBounce'
        ? 'hard'
        : textAt(payload, 'SuppressionReason') === 'SpamComplaint'
          ? 'complaint'
          : 'unsubscribed'
    default:
      return undefined
  }
}
