import type { KeyKind, KeyScope } from '@venue-data/contract/records/account.ts'
import { type Scope, allScopes } from '@venue-data/contract/scopes.ts'

/*
 * What the two old scopes, `read` and `read_write`, stand for. A key created with them now may do everything they can
 * mean. A key older than the new scopes keeps exactly what its owner agreed to then, when it could read neither tasks
 * nor campaigns. No old scope means what has come since, such as visits, which say whose a booking is, or payments: an
 * owner allows it by name.
 */

type MadeBy = { readonly kind: KeyKind; readonly scope: KeyScope }

/** The scopes of a key created with an old scope now. */
export const scopesOfWords = ({ kind, scope }: MadeBy): readonly Scope[] =>
  scope === 'read' ? readAll : kind === 'api' ? everything : withoutOwnSoftware

/** The scopes of a key older than the new scopes. */
export const scopesOfBefore = ({ kind, scope }: MadeBy): readonly Scope[] =>
  scope === 'read' ? readBefore : kind === 'api' ? ownSoftwareBefore : writeBefore

/** The old scope that corresponds to these scopes. */
export const wordOf = (scopes: readonly Scope[]): KeyScope =>
  scopes.some((scope) => /:(?:create|edit|manage)$/.test(scope)) ? 'read_write' : 'read'

const isOwnSoftwareOnly = (scope: Scope): boolean => /^(?:campaigns|webhooks):/.test(scope)

/** Closed, so that `GET /me` of version 1 stays as it is. */
const meant: ReadonlySet<string> = new Set([
  ...['reservations', 'guests', 'subscribers', 'ticket-orders', 'waitlist', 'leads', 'tasks'],
  ...['campaigns', 'webhooks', 'erasures', 'reports'],
])
const everything = allScopes.filter((scope) => meant.has(scope.slice(0, scope.indexOf(':'))))
const withoutOwnSoftware = everything.filter((scope) => !isOwnSoftwareOnly(scope))
/** Only keys that manage campaigns read them. */
const readAll = withoutOwnSoftware.filter((scope) => scope.endsWith(':read'))

const readBefore = readAll.filter((scope) => scope !== 'tasks:read' && scope !== 'reports:read')
const writeBefore: readonly Scope[] = [
  ...readBefore,
  'reservations:create',
  'guests:create',
  'subscribers:create',
  'leads:create',
  'tasks:create',
]
const ownSoftwareBefore: readonly Scope[] = [...writeBefore, 'campaigns:manage', 'webhooks:manage']

/** All scopes that a key of this kind can have. */
export const scopesFor = (kind: KeyKind): readonly Scope[] =>
  allScopes.filter((scope) => kind === 'api' || !isOwnSoftwareOnly(scope))

/** The scopes chosen for a key, without duplicates and in the listed order. */
export const inOrder = (chosen: readonly Scope[]): readonly Scope[] =>
  allScopes.filter((scope) => chosen.includes(scope))

/** Why a key of a kind cannot have these scopes, in a sentence; undefined if it can. */
export const mistakeInScopes = (kind: KeyKind, chosen: readonly Scope[]): string | undefined => {
  if (chosen.every((scope) => scope === 'contacts:hidden')) return 'Choose at least one thing the key may do.'
  const tooMuch = chosen.find((scope) => !scopesFor(kind).includes(scope))
  if (tooMuch) return `A key of the automation platform cannot have ${tooMuch}.`
  if (chosen.includes('campaigns:read') && !chosen.includes('campaigns:manage'))
    return 'Only a key that manages campaigns can read them: campaigns:read needs campaigns:manage.'
  return undefined
}

/** Presets, by what the software does. */
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
      'visits:read',
      'webhooks:manage',
    ],
  },
  crm: {
    name: 'CRM',
    scopes: [
      'guests:read',
      'guests:create',
      'guests:edit',
      'visits:read',
      'reservations:read',
      'waitlist:read',
      'leads:read',
      'subscribers:read',
      'erasures:confirm',
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
      'reports:read',
      'contacts:hidden',
    ],
  },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly scopes: readonly Scope[] }>>

export type Preset = keyof typeof presets

/** The scopes a preset gives a key of this kind. */
export const scopesOfPreset = (preset: Preset, kind: KeyKind): readonly Scope[] =>
  scopesFor(kind).filter((scope) => (presets[preset].scopes as readonly Scope[]).includes(scope))
