import { type Static, Type } from 'typebox'
import { record } from './shapes.ts'

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
    key: { kind: 'api', scope: 'read_write' },
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
          description: '`api` is own software; `automation` is the automation platform.',
        }),
        scope: Type.Unsafe<KeyScope>({
          type: 'string',
          enum: keyScopes,
          description: '`read` may only GET; `read_write` may also write.',
        }),
      },
      { description: 'The key that made this request.' },
    ),
  },
)
export type Account = Static<typeof Account>
