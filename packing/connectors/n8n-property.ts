import { listSorts } from '@venue-data/contract/list-words.ts'
import type { Field } from './fields.ts'
import { lookUps } from './n8n-names.ts'
import type { Json } from './n8n-operations.ts'
import { byName, descriptionOf, lowered, titleOf, unlessSaid } from './n8n-words.ts'

/** A field of a form: what n8n shows for it, and what it may hold. */
export const propertyOf = (resource: string, field: Field): Json => {
  const lookUp = lookUps[`${resource}.${field.name}`]
  if (lookUp) {
    const chosen = field.label.replace(/ ID$/, '')
    return {
      displayName: `${chosen} Name or ID`,
      name: field.name,
      type: 'options',
      typeOptions: { loadOptionsMethod: lookUp },
      default: '',
      description:
        'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
    }
  }
  const { label, name } = field
  const described = unlessSaid(label, descriptionOf(field))
  const common = { displayName: label, name }
  switch (field.type) {
    case 'integer':
      return {
        ...common,
        type: 'number',
        ...(field.minimum !== undefined && { typeOptions: { minValue: field.minimum } }),
        ...(name === 'limit'
          ? { default: 50, description: 'Max number of results to return' }
          : { default: field.minimum ?? 0, ...described }),
      }
    case 'boolean':
      return {
        ...common,
        type: 'boolean',
        default: false,
        description: `Whether to ${lowered(descriptionOf(field))}`,
      }
    case 'word':
      return { ...common, type: 'options', default: field.words[0], ...described, options: choices(field) }
    case 'words':
      return { ...common, type: 'multiOptions', default: [], ...described, options: choices(field) }
    case 'texts':
      return {
        ...common,
        type: 'string',
        typeOptions: { multipleValues: true },
        default: [],
        ...described,
      }
    case 'json':
      return { ...common, type: 'json', default: '', ...described }
    case 'long-text':
      return { ...common, type: 'string', typeOptions: { rows: 4 }, default: '', ...described }
    default:
      return {
        ...common,
        type: 'string',
        ...(name === 'email' && { placeholder: 'name@email.com' }),
        default: '',
        ...described,
      }
  }
}

const choices = ({ name, words }: Field): Json[] =>
  byName(words.map((value) => ({ name: choiceOf(name, value), value })))

const choiceOf = (name: string, word: string): string =>
  name === 'sort' ? titleOf(listSorts[word as keyof typeof listSorts]) : titleOf(word)
