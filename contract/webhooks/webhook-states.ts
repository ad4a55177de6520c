export const webhookStatuses = ['active', 'paused', 'disabled'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

export const disabledReasons = [
  'too-many-failures',
  'gone',
  'key-revoked',
  'key-expired',
  'access-withdrawn',
] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** Ended only by adding the endpoint again, or by a change to its key. */
export const offForGoodReasons = [
  'key-revoked',
  'access-withdrawn',
] as const satisfies readonly DisabledReason[]

export const deliveryPayloads = ['full', 'thin'] as const
export type DeliveryPayload = (typeof deliveryPayloads)[number]

export const deliveryIncludes = ['previous'] as const
export type DeliveryInclude = (typeof deliveryIncludes)[number]

export const deliverySignatures = ['service', 'standard'] as const
export type DeliverySignature = (typeof deliverySignatures)[number]
