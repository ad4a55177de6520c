/*
 * A venue's access to the API and the moves between its states. The statement that makes a move carries its `from`
 * list, so this table also keeps two people from answering the same request.
 */

export const accessStates = ['none', 'requested', 'approved', 'declined', 'withdrawn'] as const
export type AccessState = (typeof accessStates)[number]

export type AccessMove = {
  readonly from: readonly AccessState[]
  readonly to: AccessState
  /** States it may start from as well while the venue has keys that are not revoked. */
  readonly fromWithKeys?: readonly AccessState[]
  /** Who may make the move. */
  readonly who: 'owner' | 'reviewer' | 'operator'
  /** What it is called in a sentence: "can be …". */
  readonly done: string
}

export const accessMoves = {
  /** With a description of what will be built. */
  request: { from: ['none', 'declined', 'withdrawn'], to: 'requested', who: 'owner', done: 'requested' },
  approve: { from: ['requested'], to: 'approved', who: 'reviewer', done: 'approved' },
  /** With an answer. */
  decline: { from: ['requested'], to: 'declined', who: 'reviewer', done: 'declined' },
  /** With a reason. Every key of the venue is revoked permanently; automation keys can exist without access. */
  withdraw: {
    from: ['approved'],
    fromWithKeys: ['none', 'requested', 'declined'],
    to: 'withdrawn',
    who: 'reviewer',
    done: 'withdrawn',
  },
  /** Without a request: what the `key create` command does (docs/operator.md#keys). */
  grant: {
    from: ['none', 'requested', 'declined', 'withdrawn'],
    to: 'approved',
    who: 'operator',
    done: 'granted',
  },
} as const satisfies Record<string, AccessMove>
