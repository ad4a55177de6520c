/** Half of the contract's pace of 60 a minute, so that live events always find room. */
const spacingMs = 2_000
/** A delivery is dropped 48 hours after its event: an import's last one should go out well before that. */
const withinMs = 40 * 3_600_000
/** The pace at which a venue's events are sent: 60 a minute (docs/webhooks.md#pace). */
const leastSpacingMs = 1_000

/** Milliseconds between the events of an import that may emit this many. */
export const spacingOf = (events: number): number =>
  Math.max(leastSpacingMs, Math.min(spacingMs, Math.floor(withinMs / Math.max(1, events))))

export type Pace = {
  /** When the work began. */
  readonly began: Temporal.Instant
  /** Milliseconds between two events. */
  readonly spacing: number
  /** Events it had emitted before this unit. */
  readonly toldBefore: number
  readonly clock: () => Temporal.Instant
}

/** When the events of one unit of bulk work are sent: one after the other from its beginning on, and none in the past. */
export const inPace = ({
  began,
  spacing,
  toldBefore,
  clock,
}: Pace): { readonly earliestSend: () => Temporal.Instant; readonly told: () => number } => {
  let told = 0
  return {
    earliestSend: () => {
      const planned = began.add({ milliseconds: spacing * (toldBefore + told++) })
      const earliest = clock()
      return Temporal.Instant.compare(planned, earliest) < 0 ? earliest : planned
    },
    told: () => told,
  }
}
