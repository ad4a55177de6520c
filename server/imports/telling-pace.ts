/** Half of the contract's pace of 60 a minute, so that what happens meanwhile always finds a place. */
const spacingMs = 2_000
/** A delivery is dropped 48 hours after its event: the last of an import should go out well before. */
const withinMs = 40 * 3_600_000
/** The pace at which a venue's events leave: 60 a minute (docs/webhooks.md#pace). */
const leastSpacingMs = 1_000

/** Milliseconds between the events of an import that may tell of so many things. */
export const spacingOf = (events: number): number =>
  Math.max(leastSpacingMs, Math.min(spacingMs, Math.floor(withinMs / Math.max(1, events))))
