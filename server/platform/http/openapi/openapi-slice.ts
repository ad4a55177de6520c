import { badRequest } from '../../kernel/refusal.ts'
import { listInWords } from '../../kernel/time/calendar.ts'

/*
 * A self-contained part of the OpenAPI document: the operations of one tag, and the components they lead to. For
 * tools and assistants that need one kind of record and would have to read the whole document for it.
 */

type Json = Readonly<Record<string, unknown>>
type Items = Readonly<Record<string, Readonly<Record<string, { readonly tags: readonly string[] }>>>>

/**
 * The operations of a tag, ignoring its letter case, with everything they reference.
 * @throws Refusal 400 for a tag that the document does not have; its sentence lists them.
 */
export const sliceOf = (document: Json, tag: string): Json => {
  const tags = document['tags'] as readonly { readonly name: string }[]
  const wanted = tags.find(({ name }) => name.toLowerCase() === tag.toLowerCase())
  if (!wanted) {
    throw badRequest(`tag must be one of the document's tags: ${listInWords(tags.map(({ name }) => name))}.`)
  }
  const of = (items: unknown): Items =>
    Object.fromEntries(
      Object.entries(items as Items).flatMap(([path, item]) => {
        const operations = Object.entries(item).filter(([, operation]) =>
          operation.tags.includes(wanted.name),
        )
        return operations.length === 0 ? [] : [[path, Object.fromEntries(operations)]]
      }),
    )
  const slice = {
    ...document,
    tags: [wanted],
    paths: of(document['paths']),
    webhooks: of(document['webhooks']),
  }
  return { ...slice, components: reachable(document['components'] as Components, slice) }
}

type Components = Readonly<Record<string, Json>>

/** The components that the paths and webhooks reference, directly or through other components. */
const reachable = (
  components: Components,
  { paths, webhooks }: { paths: Items; webhooks: Items },
): Components => {
  const found = new Set<string>()
  const follow = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref' && typeof value === 'string') reach(value)
      else follow(value)
    }
  }
  const reach = (reference: string): void => {
    if (found.has(reference)) return
    found.add(reference)
    const [, , group = '', name = ''] = reference.split('/')
    follow(components[group]?.[name])
  }
  follow([paths, webhooks])
  // A discriminator names its schemas as plain text; each of them is in `oneOf`, too.
  return Object.fromEntries(
    Object.entries(components).map(([group, parts]) => [
      group,
      group === 'securitySchemes'
        ? parts
        : Object.fromEntries(
            Object.entries(parts).filter(([name]) => found.has(`#/components/${group}/${name}`)),
          ),
    ]),
  )
}
