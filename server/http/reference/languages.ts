import type { Endpoint } from '@venue-data/contract/endpoint.ts'
import { type Html, html } from '../../html/html.ts'
import { curl } from './curl.ts'
import { python } from './python.ts'
import { typescript } from './typescript.ts'
import { anchorOf } from './words.ts'

/*
 * How an endpoint is called, in each language that the reference shows. A language is here when what it writes for every
 * endpoint is tried by a test.
 */

type Language = {
  readonly id: string
  readonly name: string
  readonly write: (baseUrl: string, endpoint: Endpoint) => string
}

export const languages: readonly Language[] = [
  { id: 'curl', name: 'curl', write: curl },
  { id: 'typescript', name: 'TypeScript', write: typescript },
  { id: 'python', name: 'Python', write: python },
]

/** The call of an endpoint: a panel with a tab for each language, which needs no script. */
export const requestPanel = (baseUrl: string, endpoint: Endpoint): Html =>
  html`<figure class="panel tabs">
    <figcaption>
      <fieldset>
        <legend class="unseen">Language</legend>
        ${languages.map(
          ({ id, name }, at) =>
            html`<label
              ><input type="radio" name="language-${anchorOf(endpoint.id)}" value="${id}"${
                at === 0 && html` checked`
              } />${name}</label
            >`,
        )}
      </fieldset>
    </figcaption>
    ${languages.map(
      ({ id, write }) => html`<pre data-language="${id}"><code>${write(baseUrl, endpoint)}</code></pre>`,
    )}
  </figure>`
