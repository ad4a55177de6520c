import type { KeyKind, KeyScope } from '@venue-data/contract/account.ts'
import { type Scope, allScopes } from '@venue-data/contract/scopes.ts'

/*
 * What the two old words, `read` and `read_write`, stand for. A key that is made by them now may do all that they can
 * mean. A key from before there were scopes keeps exactly what its owner agreed to then: neither tasks nor campaigns were
 * among the data it could read.
 */

type MadeBy = { readonly kind: KeyKind; readonly scope: KeyScope }

/** Of a key that is made by the old words now. */
export const scopesOfWords = ({ kind, scope }: MadeBy): readonly Scope[] =>
  scope === 'read' ? readAll : kind === 'api' ? everything : withoutOwnSoftware

/** Of a key that was made before there were scopes. */
export const scopesOfBefore = ({ kind, scope }: MadeBy): readonly Scope[] =>
  scope === 'read' ? readBefore : kind === 'api' ? ownSoftwareBefore : writeBefore

/** The old word for what these scopes allow. */
export const wordOf = (scopes: readonly Scope[]): KeyScope =>
  scopes.some((scope) => /:(?:create|edit|manage)$/.test(scope)) ? 'read_write' : 'read'

const isOwnSoftwareOnly = (scope: Scope): boolean => /^(?:campaigns|webhooks):/.test(scope)

const everything = allScopes.filter((scope) => scope !== 'contacts:hidden')
const withoutOwnSoftware = everything.filter((scope) => !isOwnSoftwareOnly(scope))
/** Campaigns are read by who manages them. */
const readAll = withoutOwnSoftware.filter((scope) => scope.endsWith(':read'))

const readBefore = readAll.filter((scope) => scope !== 'tasks:read')
const writeBefore: readonly Scope[] = [
  ...readBefore,
  'reservations:create',
  'guests:create',
  'subscribers:create',
  'leads:create',
  'tasks:create',
]
const ownSoftwareBefore: readonly Scope[] = [...writeBefore, 'campaigns:manage', 'webhooks:manage']

/** All that a key of a kind can be allowed. */
export const scopesFor = (kind: KeyKind): readonly Scope[] =>
  allScopes.filter((scope) => kind === 'api' || !isOwnSoftwareOnly(scope))

/** What is chosen for a key: different scopes, in the order in which they are listed. */
export const inOrder = (chosen: readonly Scope[]): readonly Scope[] =>
  allScopes.filter((scope) => chosen.includes(scope))

/** Why a key of a kind cannot have these scopes, in a sentence; undefined if it can. */
export const mistakeInScopes = (kind: KeyKind, chosen: readonly Scope[]): string | undefined => {
  if (chosen.every((scope) => scope === 'contacts:hidden')) return 'A key must be allowed something.'
  const tooMuch = chosen.find((scope) => !scopesFor(kind).includes(scope))
  if (tooMuch) return `A key of the automation platform cannot have ${tooMuch}.`
  if (chosen.includes('campaigns:read') && !chosen.includes('campaigns:manage'))
    return 'Campaigns are read by who manages them: campaigns:read needs campaigns:manage.'
  return undefined
}

/** Usual choices, by what the software does. */
export const presets = {
  'website-booking': {
    name: 'Website booking',
    scopes: [
      'reservations:create',
      'reservations:edit',
      'reservations:read',
      'waitlist:create',
      'waitlist:edit',
      'waitlist:read',
      'leads:create',
    ],
  },
  'mailing-tool': {
    name: 'Mailing tool',
    scopes: [
      'guests:read',
      'subscribers:read',
      'subscribers:create',
      'subscribers:edit',
      'erasures:confirm',
      'webhooks:manage',
    ],
  },
  pos: {
    name: 'Point of sale',
    scopes: [
      'reservations:read',
      'guests:read',
      'guests:create',
      'guests:edit',
      'ticket-orders:read',
      'ticket-orders:create',
      'ticket-orders:edit',
      'waitlist:read',
      'webhooks:manage',
    ],
  },
  reports: {
    name: 'Reports without names',
    scopes: [
      'reservations:read',
      'guests:read',
      'subscribers:read',
      'ticket-orders:read',
      'waitlist:read',
      'leads:read',
      'contacts:hidden',
    ],
  },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly scopes: readonly Scope[] }>>

export type Preset = keyof typeof presets

/** What a preset allows a key of a kind. */
export const scopesOfPreset = (preset: Preset, kind: KeyKind): readonly Scope[] =>
  scopesFor(kind).filter((scope) => (presets[preset].scopes as readonly Scope[]).includes(scope))
