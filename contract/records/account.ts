import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { type Scope, allScopes } from '../scopes.ts'
import { moment, momentOrNull, record, recordId } from '../shapes.ts'

export const keyKinds = ['api', 'automation'] as const
export type KeyKind = (typeof keyKinds)[number]

export const keyScopes = ['read', 'read_write'] as const
export type KeyScope = (typeof keyScopes)[number]

/** `legacy` is the older arrangement that already includes the automation-platform integration. */
export const plans = ['free', 'starter', 'pro', 'group', 'legacy'] as const
export type Plan = (typeof plans)[number]

export const Account = record(
  'Account',
  'The venue a key belongs to, and what the key may do.',
  {
    venue: { slug: 'blue-door', name: 'The Blue Door', timezone: 'America/New_York' },
    plan: 'pro',
    key: {
      kind: 'api',
      scope: 'read_write',
      name: 'Booking widget',
      scopes: ['reservations:read', 'reservations:create'],
      createdAt: '2026-10-01T09:12:40.310Z',
      lastUsedAt: '2026-10-06T15:04:05.120Z',
      expiresAt: null,
      allowedAddresses: 0,
      mayRotate: false,
    },
  },
  {
    venue: Type.Object(
      {
        slug: Type.String({ description: "The venue's identifier." }),
        name: Type.String({ description: "The venue's name." }),
        timezone: Type.String({
          description: 'IANA name of the time zone in which all dates and times are given.',
        }),
      },
      { description: 'The one venue this key reads and writes.' },
    ),
    plan: Type.String({ description: "The name of the venue's plan.", examples: [...plans] }),
    key: Type.Object(
      {
        kind: Type.Unsafe<KeyKind>({
          type: 'string',
          enum: keyKinds,
          description: '`api` is for your own software; `automation` is for the automation platform.',
        }),
        scope: Type.Unsafe<KeyScope>({
          type: 'string',
          enum: keyScopes,
          description: '`read` may only GET; `read_write` may also write something: `scopes` says what.',
        }),
        name: Type.String({ description: 'What the owner called the key.' }),
        scopes: Type.Unsafe<readonly Scope[]>({
          type: 'array',
          items: { type: 'string' },
          description: 'What the key may do, one scope for each thing; the list of scopes may grow.',
          examples: [[...allScopes]],
        }),
        createdAt: moment('When the key was created.'),
        lastUsedAt: momentOrNull('When the key was last used; recorded at most once a minute.'),
        expiresAt: momentOrNull('When the key stops working; `null` means never.'),
        allowedAddresses: Type.Integer({
          description:
            'How many blocks of network addresses the key may be used from; 0 means from anywhere.',
        }),
        mayRotate: Type.Boolean({ description: 'Whether the key may replace itself.' }),
      },
      { description: 'The key that made this request.' },
    ),
  },
)
export type Account = Static<typeof Account>

export const RotateRequest = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        description: 'How many more hours the current key works. Leave it out only with `replace`.',
        minimum: 0,
        maximum: limits.keyOverlapHours,
      }),
    ),
    replace: Type.Optional(
      Type.Boolean({
        description:
          'Discard the new key of an open replacement and make another; the previous key still ends when it was due to.',
      }),
    ),
  },
  {
    title: 'RotateRequest',
    description: 'How long both keys work.',
    examples: [{ overlapHours: 24 }],
  },
)

export const KeyRotation = Type.Object(
  {
    key: Type.String({ description: 'The new key, shown in this answer and never again.' }),
    id: Type.Integer({ description: 'Its number, as the owner sees it.' }),
    previousExpiresAt: moment('When the previous key stops working.'),
  },
  {
    title: 'KeyRotationReply',
    description: 'The new key.',
    examples: [
      {
        key: `service_sk_${'x'.repeat(40)}`,
        id: 12,
        previousExpiresAt: '2026-10-07T15:04:05.120Z',
      },
    ],
  },
)
export type KeyRotation = Static<typeof KeyRotation>

export const ExpiringKey = record(
  'ExpiringKey',
  'A key that is about to expire.',
  { id: 8, name: 'Website bookings', expiresAt: '2026-10-21T00:00:00.000Z' },
  {
    id: recordId('key'),
    name: Type.String({ description: 'What its owner calls it.' }),
    expiresAt: moment('When it stops working.'),
  },
)
export type ExpiringKey = Static<typeof ExpiringKey>
