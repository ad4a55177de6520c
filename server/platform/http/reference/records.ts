import { records } from '@venue-data/contract/endpoints.ts'
import { html } from '../../html/html.ts'
import { exampleOf, nodeOf } from '../openapi/openapi-schema.ts'
import type { Chapter } from './chapter.ts'
import { fieldList, fieldsOf } from './fields.ts'
import { json, panel } from './samples.ts'
import { anchorOf, part, prose, spaced } from './words.ts'

/** Every record of the API with its fields. */
export const recordChapters = (): Chapter[] =>
  records.map(nodeOf).map((node) => {
    const name = node.$id as string
    const id = `record-${anchorOf(name)}`
    return {
      id,
      title: spaced(name),
      body: part(
        { id },
        spaced(name),
        [html`<p>${prose(node.description ?? '')}</p>`, fieldList(fieldsOf(node, false))],
        panel(spaced(name), json(exampleOf(node))),
      ),
    }
  })
