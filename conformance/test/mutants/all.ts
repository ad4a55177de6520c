import { checkoutMutants } from './checkouts.ts'
import { conventionMutants } from './conventions.ts'
import { edgeMutants, rateMutants } from './edge.ts'
import { growthMutants } from './growth.ts'
import { idempotencyMutants } from './idempotency.ts'
import { listMutants } from './lists.ts'
import type { Mutant } from './mutant.ts'
import { recordMutants } from './records.ts'
import { webhookMutants } from './webhooks.ts'

export const mutants: readonly Mutant[] = [
  ...conventionMutants,
  ...listMutants,
  ...idempotencyMutants,
  ...recordMutants,
  ...webhookMutants,
  ...edgeMutants,
  ...rateMutants,
  ...growthMutants,
  ...checkoutMutants,
]
