/* What a key may do: one scope for each thing, with a sentence that describes it. A key has a list of scopes. `contacts:hidden` is a restriction: no endpoint requires it.
 */

const kindsOfScopes = {
  reservations: 'reservations',
  guests: 'guests',
  subscribers: 'subscribers',
  'ticket-orders': 'ticket orders',
  waitlist: 'the waitlist',
  leads: 'leads',
  tasks: 'tasks',
} as const

type ScopedKind = keyof typeof kindsOfScopes

const verbs = { read: 'read', create: 'create', edit: 'change' } as const

const others = {
  'checkouts:create': 'start payments for tickets and tables',
  'visits:read': 'read who came, when and at which table',
  'campaigns:read': 'read campaigns',
  'campaigns:manage': 'manage campaigns',
  'webhooks:manage': 'manage webhook endpoints',
  'erasures:confirm': 'confirm erasures',
  'reports:read': 'read reports',
  'contacts:hidden': 'see records without contact details',
} as const

export type Scope = `${ScopedKind}:${keyof typeof verbs}` | keyof typeof others

/** Every scope, and what a key with it may do. */
export const scopes = {
  ...Object.fromEntries(
    Object.entries(kindsOfScopes).flatMap(([kind, records]) =>
      Object.entries(verbs).map(([verb, does]) => [`${kind}:${verb}`, `${does} ${records}`]),
    ),
  ),
  ...others,
} as Readonly<Record<Scope, string>>

export const allScopes = Object.keys(scopes) as readonly Scope[]
