import { createHash } from 'node:crypto'
import { type Html, html } from '../../html/html.ts'
import type { OwnersEndpoint } from '../../webhooks/owner.ts'

/*
 * Parts that renew themselves while events go out: every two seconds they ask with the mark of what they show, and are
 * answered 204 while it is still true. Each try and each new event changes a row of `endpointsForOwner`, so its rows
 * are the mark. Without script a reload shows the same.
 */

/**
 * A name for exactly this state of endpoints, in this hour: the picture of the last 24 moves on with the clock.
 * `shut`: why nothing is sent now.
 */
export const markOf = (
  endpoints: readonly OwnersEndpoint[],
  now: Temporal.Instant,
  shut: string | undefined,
): string =>
  createHash('sha256')
    .update(JSON.stringify([endpoints, Math.floor(now.epochMilliseconds / 3_600_000), shut]))
    .digest('base64url')
    .slice(0, 16)

export const livePart = (
  { id, address, mark }: { readonly id: string; readonly address: string; readonly mark: string },
  body: Html,
): Html =>
  html`<div
    id="${id}"
    class="stack"
    hx-get="${address}?seen=${mark}"
    hx-trigger="every 2s"
    hx-target="this"
    hx-swap="outerMorph"
    hx-sync="#${id}:drop"
  >
    ${body}
  </div>`
