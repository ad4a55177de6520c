type Touching = {
  readonly record_kind: string | null
  readonly record_id: number | null
  readonly revision: number | null
}

/** The record an event happened to. */
export const recordTouched = ({ record_kind, record_id, revision }: Touching) =>
  record_kind !== null && record_id !== null && revision !== null
    ? { kind: record_kind, id: record_id, revision }
    : null
