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

const everything = allScopes.filter((scope) => scope !== 'contacts:hidden')
const withoutOwnSoftware = everything.filter((scope) => !/^(?:campaigns|webhooks):/.test(scope))
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
