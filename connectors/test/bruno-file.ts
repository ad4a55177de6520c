import { collectionFiles } from '../../packing/connectors/files.ts'
import { type Collection, type CollectionRequest, checks } from './collection.ts'

/* What of Bruno's files our collection uses: named blocks whose text is indented by two, of pairs or of text. */

const texts: ReadonlyMap<string, string> = new Map(
  Object.entries(collectionFiles()).flatMap(([path, text]) =>
    path.startsWith('bruno/') ? [[path.replace('bruno/', ''), text]] : [],
  ),
)

export const brunoFiles = (): string[] => [...texts.keys()].toSorted()

export const brunoText = (path: string): string => texts.get(path) ?? ''

type Blocks = Readonly<Record<string, string>>

export const readBlocks = (path: string): Blocks => {
  return Object.fromEntries(
    [...brunoText(path).matchAll(/^([\w:-]+) \{\n([^]*?)\n\}$/gm)].map(([, name, block = '']) => [
      name,
      block.replaceAll(/^ {2}/gm, ''),
    ]),
  )
}

export const brunoCollection = (): Collection => {
  const whole = readBlocks('collection.bru')
  const key = pairs(whole['auth:apikey'])
  const folders = new Map(
    brunoFiles()
      .filter((path) => path.endsWith('/folder.bru'))
      .map((path) => [path.replace('/folder.bru', ''), Number(pairs(readBlocks(path)['meta'])['seq'])]),
  )
  return {
    before: whole['script:pre-request'] ?? '',
    requests: brunoFiles()
      .filter(
        (path) => path.includes('/') && path.endsWith('.bru') && !/folder\.bru$|^environments/.test(path),
      )
      .map((path) => ({ at: folders.get(path.split('/')[0] as string) ?? 0, blocks: readBlocks(path) }))
      .toSorted((a, b) => a.at - b.at || seqOf(a.blocks) - seqOf(b.blocks))
      .map(({ blocks }) => requestOf(blocks, key)),
    scope: (set, answer) => ({
      ...checks,
      bru: { setVar: set },
      res: { getBody: () => answer?.body, getStatus: () => answer?.status },
    }),
  }
}

const seqOf = ({ meta }: Blocks): number => Number(pairs(meta)['seq'])

const methods = ['get', 'post', 'patch', 'delete'] as const

const requestOf = (blocks: Blocks, key: Record<string, string>): CollectionRequest => {
  const method = methods.find((one) => one in blocks)
  if (!method) throw new Error(`No method: ${blocks['meta']}`)
  const inPath = pairs(blocks['params:path'])
  const { url = '' } = pairs(blocks[method])
  return {
    name: pairs(blocks['meta'])['name'] ?? '',
    method: method.toUpperCase(),
    url: url.replaceAll(/\/:(\w+)/g, (_, name: string) => `/${inPath[name]}`),
    headers: {
      ...(blocks['body:json'] !== undefined && { 'Content-Type': 'application/json' }),
      ...pairs(blocks['headers']),
      [String(key['key'])]: String(key['value']),
    },
    body: blocks['body:json'],
    after: [blocks['tests'], blocks['script:post-response']].filter(Boolean).join('\n'),
  }
}

/** The pairs of a block; one with `~` before it is switched off. */
const pairs = (block = ''): Record<string, string> =>
  Object.fromEntries(
    block
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('~'))
      .map((line) => {
        const at = line.indexOf(':')
        return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
  )
