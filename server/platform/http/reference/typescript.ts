import { readFileSync } from 'node:fs'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { callName } from '../call-names.ts'
import { isPaged } from '../openapi/openapi.ts'
import { sampleBody, sampleOptions, samplePath } from './sample-call.ts'

/** How to call an endpoint with the TypeScript SDK, as a complete program. */
export const typescript = (baseUrl: string, endpoint: Endpoint): string => {
  const call = `venue.${callName(endpoint)}(${argumentsOf(endpoint).join(', ')})`
  const use = isPaged(endpoint)
    ? `for await (const item of ${call}) {\n  console.log(item)\n}`
    : `const answer = await ${call}\nconsole.log(answer)`
  return toClient.replace('http://127.0.0.1:8080', baseUrl) + use
}

/** How a program creates a client: the first lines of a complete one. */
const [toClient = ''] = readFileSync(new URL('recipes/first-call.js', import.meta.url), 'utf8').split(
  /(?<=\n\n)(?=const answer)/,
)

const argumentsOf = (endpoint: Endpoint): string[] => {
  const asked = sampleOptions(endpoint)
  return [
    ...samplePath(endpoint).map(literal),
    ...(endpoint.body ? [literal(sampleBody(endpoint))] : []),
    ...(Object.keys(asked).length > 0 ? [options(asked)] : []),
  ]
}

/** A value as a person writes it: names unquoted, strings in single quotes. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"(\w+)": /gm, '$1$2: ')
    .replaceAll(
      /"((?:[^"\\]|\\.)*)"/g,
      (_, text: string) => `'${text.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`,
    )

/** Options go on one line if they fit. */
const options = (value: unknown): string => {
  const text = literal(value)
  const inline = text.replaceAll(/\n */g, ' ')
  return inline.length <= 60 ? inline : text
}
