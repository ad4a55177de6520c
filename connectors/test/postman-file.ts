import { collectionFiles } from '../../packing/connectors/files.ts'
import { type Collection, type CollectionRequest, checks } from './collection.ts'

/* What of Postman's format 2.1 our collection uses. */

type Pair = { readonly key: string; readonly value: string; readonly disabled?: boolean }
type Event = { readonly listen: string; readonly script: { readonly exec: readonly string[] } }
export type PostmanItem = {
  readonly name: string
  readonly event?: readonly Event[]
  readonly request: {
    readonly method: string
    readonly header: readonly Pair[]
    readonly url: {
      readonly host: readonly string[]
      readonly path: readonly string[]
      readonly query?: readonly Pair[]
      readonly variable?: readonly Pair[]
    }
    readonly body?: { readonly raw: string }
  }
}
export type PostmanFile = {
  readonly auth: { readonly apikey: readonly Pair[] }
  readonly variable: readonly Pair[]
  readonly event: readonly Event[]
  readonly item: readonly { readonly name: string; readonly item: readonly PostmanItem[] }[]
}

export const readPostman = (): PostmanFile =>
  JSON.parse(collectionFiles()['venue-data.postman_collection.json'] as string)

export const postmanCollection = ({ auth, event, item }: PostmanFile): Collection => ({
  before: scriptOf(event, 'prerequest') ?? '',
  requests: item.flatMap((folder) => folder.item).map((one) => requestOf(one, byKey(auth.apikey))),
  scope: (set, answer) => ({
    pm: {
      ...checks,
      collectionVariables: { set },
      response: { code: answer?.status, json: () => answer?.body },
    },
  }),
})

const requestOf = ({ name, event, request }: PostmanItem, key: Record<string, string>): CollectionRequest => {
  const { method, header, url, body } = request
  const inPath = byKey(url.variable)
  const asked = new URLSearchParams()
  const place = url.path.map((part) => (part.startsWith(':') ? inPath[part.slice(1)] : part)).join('/')
  for (const [word, value] of Object.entries(byKey(url.query))) asked.append(word, value)
  // The braces of variables stay as they are.
  const query = decodeURIComponent(asked.toString())
  return {
    name,
    method,
    url: `${url.host.join('.')}/${place}${query === '' ? '' : `?${query}`}`,
    headers: { ...byKey(header), [String(key['key'])]: String(key['value']) },
    body: body?.raw,
    after: scriptOf(event, 'test'),
  }
}

const byKey = (pairs: readonly Pair[] = []): Record<string, string> =>
  Object.fromEntries(pairs.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value]))

const scriptOf = (events: readonly Event[] = [], listen: string): string | undefined =>
  events.find((one) => one.listen === listen)?.script.exec.join('\n')
