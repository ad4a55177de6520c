import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { type Html, html } from '../../html/html.ts'
import { curl } from './curl.ts'
import { python } from './python.ts'
import { typescript } from './typescript.ts'
import { anchorOf } from './words.ts'

/*
 * How to call an endpoint in each language the reference shows. A language is included only if a test runs its code for
 * every endpoint.
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

/** The call of an endpoint: a panel with one tab per language; works without script. */
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
