export const webhookStatuses = ['active', 'disabled'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

export const disabledReasons = [
  'too-many-failures',
  'gone',
  'key-revoked',
  'key-expired',
  'access-withdrawn',
] as const
export type DisabledReason = (typeof disabledReasons)[number]
