import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/* The examples in the README and in the comments of the sources, as programs that run. */

const sdk = join(import.meta.dirname, '..')

export type Example = { readonly from: string; readonly text: string }

export const examples = (): Example[] => [
  ...[...readFileSync(join(sdk, 'README.md'), 'utf8').matchAll(/```ts\n([^]*?)```/g)].map(
    ([, text = ''], i) => ({
      from: `README.md, ${i + 1}`,
      text,
    }),
  ),
  ...readdirSync(join(sdk, 'src'))
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...readFileSync(join(sdk, 'src', file), 'utf8').matchAll(/@example\n([^]*?)\n +\*\//g)].map(
        ([, text = '']) => ({
          from: file,
          text: text.replaceAll(/^ +\* ?/gm, ''),
        }),
      ),
    ),
]

/** Where each name comes from, for examples placed next to what they are about. */
const entries: Readonly<Record<string, readonly string[]>> = {
  '@venue-data/sdk': ['VenueData', 'OutcomeUnknownError'],
  '@venue-data/sdk/sync': ['sync'],
  '@venue-data/sdk/verify': ['verify'],
  '@venue-data/sdk/cursor-file': ['fileCursor'],
  '@venue-data/sdk/dates': ['toInstant', 'toDate', 'toZonedDateTime', 'toArrival'],
  '@venue-data/sdk/webhooks': [
    'verifyWebhook',
    'webhookReceiver',
    'fetchHandler',
    'honoHandler',
    'nextRoute',
    'nodeHandler',
    'expressHandler',
    'fastifyWebhook',
  ],
  'node:http': ['createServer'],
}

/** What an example may take for granted. */
const taken = [
  ...readFileSync(join(import.meta.dirname, 'scope.ts'), 'utf8').matchAll(/^ {2}readonly (\w+):/gm),
].map(([, name]) => name as string)

/**
 * An example as a module: what it shows after two slashes is what it returns. It is given where to call, and made to
 * end.
 */
export const moduleOf = (
  { text }: Example,
  place: { readonly url: string; readonly key: string; readonly secret: string },
): string => {
  const imports: string[] = text.match(/^import .*$/gm) ?? []
  const body = text
    .replaceAll(/^import .*\n/gm, '')
    .replaceAll(/^export (?:default )?/gm, '')
    .replaceAll(/^(\{ fetch: .*)$/gm, '($1)')
    .replaceAll('http://127.0.0.1:8080', place.url)
    .replaceAll(/service_sk_(?:…|\w+)/g, place.key)
    .replaceAll('whsec_…', place.secret)
    .replaceAll(/(?<=get\()4000|48213/g, '1')
    .replaceAll(/venue\.changes\(\{/g, 'venue.changes({ live: false,')
    .replaceAll(/createServer\((.*)\)\.listen\(4000\)/g, 'keep(createServer($1).listen(0))')
    .replaceAll(/^(to\w+\(.*\S) \/\/ (.*)$/gm, 'assert.deepEqual($1, $2)')
  for (const [entry, names] of Object.entries(entries)) {
    const used = names.filter(
      (name) => new RegExp(`\\b${name}\\(|\\b${name}\\b(?=\\))`).test(body) && !imports.join().includes(name),
    )
    if (used.length > 0) imports.push(`import { ${used.join(', ')} } from '${entry}'`)
  }
  return `import type { Scope } from './scope.ts'
${imports.join('\n')}
export const run = async ({ ${taken.join(', ')} }: Scope): Promise<void> => {
  {
${body}
  }
}
`
}
