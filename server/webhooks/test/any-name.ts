import type { Destination } from '../destination.ts'

/** Takes receivers of a test by any name, on any port, with or without TLS, where the usual rules want a public one. */
export const anyName = (address: string): Destination => ({ kind: 'accepted', address })
