/*
 * What appears in the OpenAPI document more than once is defined once, as a component, and referenced.
 */

type Part = { readonly name: string; readonly value: unknown }

/**
 * The components among parts of one group (`responses`, `examples`): those that occur at least twice, under their
 * names; a second one of the same name is called `…2`. `refer` gives a reference to a shared part, and any other as it is.
 */
export const sharedParts = (
  group: string,
  parts: readonly Part[],
): { readonly components: Record<string, unknown>; readonly refer: (part: Part) => unknown } => {
  const uses = Map.groupBy(parts, ({ value }) => JSON.stringify(value))
  const components: Record<string, unknown> = {}
  const names = new Map<string, string>()
  for (const [text, [first, ...others]] of uses) {
    if (!first || others.length === 0) continue
    const name = freeName(first.name, components)
    components[name] = first.value
    names.set(text, name)
  }
  return {
    components,
    refer: ({ value }) => {
      const name = names.get(JSON.stringify(value))
      return name === undefined ? value : { $ref: `#/components/${group}/${name}` }
    },
  }
}

const freeName = (name: string, taken: object, count = 1): string => {
  const wanted = count === 1 ? name : `${name}${count}`
  return wanted in taken ? freeName(name, taken, count + 1) : wanted
}
