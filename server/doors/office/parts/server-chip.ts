import { type Html, html } from '../../../platform/html/html.ts'
import { type ServersSeen, nextAmong } from '../../../book/servers/seen.ts'
import type { ServerRow } from '../../../book/servers/server.ts'

/** Who serves: initials, beside their color in a pattern that only they have. */
export const serverChip = ({ name, initials, color }: Pick<ServerRow, 'name' | 'initials' | 'color'>): Html =>
  html`<span class="server ${color}" title="${name}"><span class="hidden-text">Server ${name}</span><span aria-hidden="true">${initials}</span></span>`

/**
 * What each of several offers of tables, for a party that comes then, says of its server: whose they are, and at one of them that
 * it is their turn; where nobody of these is the next of all, whose turn it is among them.
 */
export const offerChips = (
  servers: ServersSeen | undefined,
  offers: readonly (readonly number[])[],
  then: Temporal.Instant,
): readonly (Html | undefined)[] => {
  if (!servers) return offers.map(() => undefined)
  const next = nextAmong(servers, offers, then)
  return offers.map((tables, n) => {
    const server = servers.at(tables, then)
    const turn = server?.id === servers.turn[0]?.id ? 'next up' : 'next of these'
    return server && html` ${serverChip(server)}${n === next && html` <span class="small">${turn}</span>`}`
  })
}
