import type { NewReservation, VenueData } from '@venue-data/sdk'

/** What the examples take for granted. It is put next to them where they run. */
export type Scope = {
  readonly venue: VenueData
  readonly booking: NewReservation
  readonly idempotencyKey: string
  readonly copy: {
    upsert(kind: string, id: number, data: unknown): Promise<void>
    delete(kind: string, id: number): Promise<void>
  }
  readonly queue: unknown[]
  readonly rawBody: Uint8Array
  readonly body: Uint8Array
  readonly request: Request
  readonly secret: string
  readonly onEvent: () => void
  readonly app: { post(path: string, handler: unknown): void; register(plugin: unknown): Promise<void> }
  /** A server that is to be closed. */
  readonly keep: (served: { close(): unknown }) => void
  readonly assert: { deepEqual(actual: unknown, expected: unknown): void }
}
