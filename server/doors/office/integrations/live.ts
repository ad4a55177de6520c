import { createHash } from 'node:crypto'
import { type Html, html } from '../../../platform/html/html.ts'
import type { OwnersEndpoint } from '../../../integrations/webhooks/owner.ts'
import { live } from '../parts/live.ts'

/*
 * Parts that refresh while events go out: every two seconds they send the mark of what they show, and are answered
 * 204 while it is still current. Each attempt and each new event changes a row of `endpointsForOwner`, so its rows
 * are the mark. Without JavaScript a reload shows the same.
 */

/**
 * Identifies exactly this state of the endpoints, in this hour: the chart of the last 24 hours moves with the clock.
 * `shut`: why nothing is being sent.
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
  part: { readonly id: string; readonly address: string; readonly mark: string },
  body: Html,
): Html => html`<div ${live({ ...part, every: '2s' })} class="stack">${body}</div>`
