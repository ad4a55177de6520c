import type { Destination } from '../../../platform/net/destination.ts'

/**
 * Accepts a test's receivers under any name, on any port, with or without TLS, where the usual rules require a public
 * one.
 */
export const anyName = (address: string): Destination => ({ kind: 'accepted', address })
