/** Fields that change with every write of a record, so a change in them says nothing. */
const always: ReadonlySet<string> = new Set(['updatedAt', 'revision'])

/** The fields in which a record differs from what it was, and what they were. */
export const changedFields = (
  before: object,
  after: object,
): { readonly changed: readonly string[]; readonly previous: Readonly<Record<string, unknown>> } => {
  const now = new Map(Object.entries(after))
  const differing = Object.entries(before).filter(
    ([field, value]) => !always.has(field) && JSON.stringify(value) !== JSON.stringify(now.get(field)),
  )
  return { changed: differing.map(([field]) => field), previous: Object.fromEntries(differing) }
}
