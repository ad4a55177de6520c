import type { CallArguments } from '../src/venue-data.ts'
import type { OperationId } from '../src/generated/calls.ts'
import type { RecordKind } from '../src/generated/records.ts'
import type { Step } from './proxy.ts'

/* A case of sdk/cases, as its README describes it. */

export type PlainCall = CallArguments & {
  readonly operation: OperationId
  /** The name under which its answer is known to what follows. */
  readonly as?: string
  readonly expect?: unknown
}

export type CaseCall = CallArguments & {
  readonly operation: OperationId
  readonly read?: 'all'
  readonly resolve?: true
}

export type Case = {
  readonly name: string
  readonly setup?: readonly PlainCall[]
  readonly client?: {
    readonly retries?: number
    readonly timeoutSeconds?: number
    readonly attemptSeconds?: number
  }
  readonly key?: 'write' | 'read' | 'none'
  readonly call?: CaseCall
  readonly follow?: {
    readonly feed: 'changes' | 'events'
    readonly after?: string
    readonly kinds?: readonly RecordKind[]
  }
  readonly sync?: {
    readonly after?: string
    readonly records?: readonly { readonly kind: RecordKind; readonly id: number }[]
    readonly kinds?: readonly RecordKind[]
  }
  readonly verify?: {
    readonly body: string
    readonly header?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly secret: string | readonly string[]
    readonly toleranceSeconds?: number
    readonly now: number
  }
  readonly script?: readonly Step[]
  readonly expect: {
    readonly result?: unknown
    readonly error?: { readonly class?: string; readonly [field: string]: unknown }
    readonly answer?: { readonly status?: number; readonly replayed?: boolean; readonly etag?: true }
    readonly attempts?: number
    readonly waits?: readonly number[]
    readonly idempotencyKey?: string
    readonly sent?: { readonly [field: string]: unknown }
    readonly paths?: readonly string[]
  }
  readonly after?: readonly PlainCall[]
}
