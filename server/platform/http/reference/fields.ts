import { limits } from '@venue-data/contract/limits.ts'
import { type Content, type Html, html } from '../../html/html.ts'
import { type SchemaNode, recordOf } from '../openapi/openapi-schema.ts'
import { placeOf } from './places.ts'
import { anchorOf, prose, spaced } from './words.ts'

/** A list of fields: name, type, whether required, meaning and limits. */
export const fieldList = (fields: readonly Field[]): Html =>
  html`<dl class="fields">
    ${fields.map(
      ({ name, node, mark }) =>
        html` <div>
          <dt>
            <code>${name}</code>
            <span class="type">${typeOf(node)}</span>${mark && html` <span class="${mark}">${mark}</span>`}
          </dt>
          <dd>${describe(node)}${node.properties && fieldList(fieldsOf(node, mark !== undefined))}</dd>
        </div>`,
    )}
  </dl>`

export type Field = {
  readonly name: string
  readonly node: SchemaNode
  readonly mark?: 'required' | 'optional' | undefined
}

/** An object's fields. Request fields are marked required or optional; a record always has every field. */
export const fieldsOf = (node: SchemaNode, sent: boolean): Field[] =>
  Object.entries(node.properties ?? {}).map(([name, property]) => ({
    name,
    node: property,
    mark: markOf(node.required?.includes(name) === true, sent),
  }))

const markOf = (required: boolean, sent: boolean): Field['mark'] => {
  if (sent) return required ? 'required' : 'optional'
  return required ? undefined : 'optional'
}

const describe = (node: SchemaNode): Content => {
  const words = node.description ?? recordOf(node)?.description
  const bounds = boundsOf(node)
  return [
    words !== undefined && html`<p>${prose(words)}</p>`,
    bounds.length > 0 && html`<p class="bounds">${prose(bounds.join(' · '))}</p>`,
  ]
}

const typeOf = (node: SchemaNode): Content => {
  const record = recordOf(node)
  if (record?.$id !== undefined) {
    return html`<a href="${placeOf(`record-${anchorOf(record.$id)}`)}">${spaced(record.$id)}</a>`
  }
  const published = node['x-published'] ?? node
  const name = published.title ?? published.anyOf?.[0]?.title ?? ''
  if (anchors[name] !== undefined) return html`<a href="${placeOf(anchors[name])}">${spaced(name)}</a>`
  if (node.anyOf) return node.anyOf.map((one, i) => [i > 0 && ' or ', typeOf(one)])
  if (node.items) return ['array of ', typeOf(node.items)]
  if ('const' in node) return String(node.const)
  if (node.enum) return node.enum.map(String).join(' or ')
  return [node.type].flat().join(' or ')
}

/** Where shapes other than records are described. */
const anchors: Readonly<Record<string, string>> = {
  EventName: 'events',
  Segment: 'segment',
  SegmentPart: 'segment',
}

const boundsOf = (node: SchemaNode): string[] => {
  const bounds: string[] = []
  if (node.maxLength !== undefined) bounds.push(`at most ${counted(node.maxLength)} characters`)
  if (node.pattern === String.raw`\S`) bounds.push('not only spaces')
  if (node.minimum !== undefined) bounds.push(rangeOf(node.minimum, node.maximum))
  if (node['x-words']) bounds.push(`${node['x-words'].join(', ')}, in any letter case`)
  const samples = samplesOf(node)
  if (samples.length > 0) bounds.push(`for example ${samples.join(', ')}`)
  if (node.default !== undefined) bounds.push(`${node.default as string} when left out`)
  return bounds
}

/** Examples that the description does not mention. */
const samplesOf = ({ examples = [], description = '' }: SchemaNode): string[] =>
  examples
    .filter((example) => typeof example === 'string')
    .map((example) => `\`${example}\``)
    .filter((example) => !description.includes(example))

const rangeOf = (minimum: number, maximum: number | undefined): string =>
  maximum === undefined || maximum === limits.integerMost || maximum === Number.MAX_SAFE_INTEGER
    ? `${minimum} or more`
    : `${counted(minimum)} to ${counted(maximum)}`

const counted = (count: number): string => count.toLocaleString('en-US')
