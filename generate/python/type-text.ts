import type { SchemaNode } from '../../server/platform/http/openapi/openapi-schema.ts'
import { saidOf, wordsOf } from '../sdk/type-text.ts'
import { capital, pythonKeywords } from '../../server/platform/http/call-names.ts'

/*
 * Shapes of the contract as types of Python: an object is a TypedDict, and one without a name of its own is called after
 * the field that has it.
 */

/** The TypedDicts that were written so far, by their names. */
export type Classes = Map<string, string>

/** A shape where it is used; `name` is what an object is called that has no name of its own. */
export const typeText = (classes: Classes, name: string, node: SchemaNode): string => {
  const { $ref, title, 'x-published': published } = node
  if ($ref !== undefined) return $ref.replace('#', '')
  if (published) return typeText(classes, name, published)
  return title ?? written(classes, name, node)
}

/** A shape where it is defined. */
export const written = (classes: Classes, name: string, node: SchemaNode): string => {
  if ('const' in node) return literals([node.const])
  const either = node.anyOf ?? node.oneOf
  if (either) return union(either.map((one) => typeText(classes, name, one)))
  const words = wordsOf(node)
  const types = typeof node.type === 'string' ? [node.type] : (node.type ?? ['unknown'])
  return union(
    types.flatMap((type) =>
      type === 'string' && words
        ? [literals(words.known), ...(words.isClosed ? [] : ['str'])]
        : [ofType(classes, name, type, node)],
    ),
  )
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

const ofType = (classes: Classes, name: string, type: string, node: SchemaNode): string => {
  if (type === 'array') return `list[${typeText(classes, name, node.items as SchemaNode)}]`
  if (type !== 'object') return plainTypes[type] ?? 'Any'
  if (node.properties) {
    addClass(classes, name, node)
    return name
  }
  const { additionalProperties: values } = node
  return `dict[str, ${typeof values === 'object' ? written(classes, name, values) : 'Any'}]`
}

/**
 * Writes an object down as a TypedDict; `own` has the types of fields that are more than a shape can say, and `family` is what
 * the objects in it are called after.
 */
export const addClass = (
  classes: Classes,
  name: string,
  node: SchemaNode,
  own: Readonly<Record<string, string>> = {},
  family = name,
): void => {
  const { properties = {}, required = [] } = node
  const fields = Object.entries(properties).map(([field, property]) => {
    const type = own[field] ?? typeText(classes, `${family}${capital(field)}`, property)
    return {
      ...{ field, said: saidOf(property) },
      type: required.includes(field) ? type : `NotRequired[${type}]`,
    }
  })
  const said = saidOf(node)
  const about = said === '' ? [] : [docstring([said])]
  // A field that is a word of the language cannot stand in a class.
  const text = fields.some(({ field }) => pythonKeywords.has(field))
    ? [`${name} = TypedDict(\n    "${name}",\n    {`, ...fields.map(itemText), '    },\n)', ...about].join(
        '\n',
      )
    : `class ${name}(TypedDict):\n${[...about.map(indented), ...fields.map(fieldText)].join('\n\n')}`
  if (classes.get(name) !== undefined && classes.get(name) !== text)
    throw new Error(`Two shapes are called ${name}.`)
  classes.set(name, text)
}

type Field = { readonly field: string; readonly type: string; readonly said: string }

const fieldText = ({ field, type, said }: Field): string =>
  indented([`${field}: ${type}`, ...(said === '' ? [] : [docstring([said])])].join('\n'))

const itemText = ({ field, type, said }: Field): string =>
  [...(said === '' ? [] : [`        # ${said}`]), `        "${field}": ${JSON.stringify(type)},`].join('\n')

export const literals = (words: readonly unknown[]): string => `Literal[${words.map(literal).join(', ')}]`

const literal = (word: unknown): string =>
  typeof word === 'boolean' ? capital(String(word)) : JSON.stringify(word)

export const union = (parts: readonly string[]): string => [...new Set(parts)].join(' | ')

/** What is said of something, in its first line or lines. */
export const docstring = (lines: readonly string[]): string => {
  const text = lines.join('\n').replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  return lines.length > 1 ? `"""${text}\n"""` : `"""${text.replace(/"$/, '\\"')}"""`
}

export const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ')
