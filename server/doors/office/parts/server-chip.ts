import { type Html, html } from '../../../platform/html/html.ts'
import type { ServerRow } from '../../../book/servers/server.ts'

/** Who serves: initials, beside their color in a pattern that only they have. */
export const serverChip = ({ name, initials, color }: Pick<ServerRow, 'name' | 'initials' | 'color'>): Html =>
  html`<span class="server ${color}" title="${name}"><span class="hidden-text">Server ${name}</span><span aria-hidden="true">${initials}</span></span>`
