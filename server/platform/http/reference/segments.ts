import { Segment, SegmentExclusions, segments } from '@venue-data/contract/records/segment.ts'
import { html } from '../../html/html.ts'
import { type SchemaNode, exampleOf, nodeOf } from '../openapi/openapi-schema.ts'
import type { Chapter } from './chapter.ts'
import { fieldList, fieldsOf } from './fields.ts'
import { json, panel } from './samples.ts'
import { part, prose } from './words.ts'

/** Campaign audiences: every segment type with its fields, and what excludes people. */
export const segmentChapter = (): Chapter => ({
  id: 'segment',
  title: 'Segment',
  body: part(
    { id: 'segment' },
    'Segment',
    [
      html`<p>${prose(nodeOf(Segment).description ?? '')}</p>`,
      segments.map(nodeOf).map(
        (node) => html`
          <h3 class="minor"><code>${String(node.properties?.['type']?.const)}</code></h3>
          <p>${prose(node.description ?? '')}</p>
          ${ownFields(node).length > 0 && fieldList(ownFields(node))}
        `,
      ),
      html`<h3 class="minor"><code>exclude</code></h3>
        <p>${prose(nodeOf(SegmentExclusions).description ?? '')}</p>
        ${fieldList(fieldsOf(nodeOf(SegmentExclusions), true))}`,
    ],
    panel(
      'One of each type',
      json([
        ...segments.map(nodeOf).map(exampleOf),
        { type: 'all', exclude: exampleOf(nodeOf(SegmentExclusions)) },
      ]),
    ),
  ),
})

/** A type's fields apart from the common ones. */
const ownFields = (node: SchemaNode) =>
  fieldsOf(node, true).filter(({ name }) => name !== 'type' && name !== 'exclude')
