import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

/*
 * What comments, test names and docs refer to. A page that is named is in the repository and so is the heading; nothing
 * is cited by the number of a section, since numbers move and say nothing to a reader who does not have the page open.
 */

/** Every text in the repository that people write, by its path from the root; a picture is there, and says nothing. */
export type Tree = ReadonlyMap<string, string>

const root = new URL('../../../', import.meta.url)
const files = [
  '*.{cjs,json,md,yml}',
  '{.ci/*,.env.example,Dockerfile,LICENSE}',
  'docs/pictures/*.png',
  '{bench,contract,docs,examples,generate,openapi-checks,server}/**/*.{css,html,js,json,md,php,py,sql,ts,txt,yaml,yml}',
  // The READMEs of the clients, which the documentation shows, too.
  '{cli,conformance,connectors,mcp,sdk,sdk-python}/{,*/}README.md',
  'connectors/google-sheets/*.{gs,json}',
]
/** What tools wrote, and what was recorded. */
const leftOut = /(?:^|\/)package-lock|\/generated\/|\/walk\/.*\.txt$/
/** There to be named, and not judged: a text that others wrote, and the planted violations. */
const unjudged = new Set(['LICENSE', 'server/test/tree/references.test.ts'])

export const readTree = (): Tree =>
  new Map(
    globSync(files, { cwd: root, exclude: ['**/node_modules'] })
      .filter((path) => !leftOut.test(path))
      .toSorted()
      .map((path) => [path, path.endsWith('.png') ? '' : readFileSync(new URL(path, root), 'utf8')]),
  )

/** Every reference that leads nowhere, one sentence each. */
export const brokenReferencesIn = (tree: Tree): string[] =>
  [...tree]
    .filter(([path]) => !unjudged.has(path))
    .flatMap(([path, text]) => [
      ...linksIn(tree, path, text).flatMap((link) => faultOf(tree, path, link) ?? []),
      ...numbersCitedIn(text).map((cited) => `${path} cites a section by its number: ${cited}`),
    ])

type Link = {
  readonly to: string
  /** Where it may lead, from the root. */
  readonly places: readonly string[]
  readonly heading: string | undefined
}

/** A page of the docs, by its path or its name alone, with or without a heading. */
const pageNamed = /(?<![\w./-])((?:[\w-]+\/)*[\w-]+\.md|docs\/[\w./-]*\w)(?:#([\w-]+))?/g
/** A source file or folder, which only docs name by the whole path. */
const sourceNamed = /(?<![\w./-])((?:bench|contract|generate|openapi-checks|server)\/[\w./-]*\w)/g
/** A source file in a comment: by a path from the root, from `server/` or from a folder around it, or by its name alone. */
const sourceInComment = /(?<![\w./*-])((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|sql|css))(?![\w*])/g
const comment = /\/\*[^]*?\*\/|^[ \t]*\/\/.*$|(?<=[;,{}(] )\/\/ .*$/gm
/** A name that so many files have says what kind of file it is: `states.ts`. */
const kindFrom = 3
const markdownLink = /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g

const linksIn = (tree: Tree, path: string, text: string): Link[] => {
  const linksOf = (pattern: RegExp, placesOf: (to: string) => readonly string[], among = text): Link[] =>
    [...among.matchAll(pattern)].map(([, to = '', heading]) => ({ to, places: placesOf(to), heading }))
  const beside = (to: string): string => (to === '' ? path : posix.join(posix.dirname(path), to))
  const named = linksOf(pageNamed, (to) => [to, `docs/${to}`, beside(to)])
  if (path.startsWith('server/') && path.endsWith('.ts')) {
    const comments = [...text.matchAll(comment)].join('\n')
    const around = foldersAround(path)
    const links = linksOf(
      sourceInComment,
      (to) => [to, ...around.map((folder) => posix.join(folder, to))],
      comments,
    )
    return [...named, ...links.filter(({ to }) => to.includes('/') || filesNamed(tree, to) < kindFrom)]
  }
  if (!path.endsWith('.md')) return named
  return [
    ...named,
    ...linksOf(sourceNamed, (to) => [to]),
    // A browser follows these, and only from the page they are on.
    ...linksOf(markdownLink, (to) => [beside(to)]),
  ]
}

/** From the file's own folder to `server`. */
const foldersAround = (path: string): string[] => {
  const folders: string[] = []
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) folders.push(folder)
  return folders
}

const namesIn = new WeakMap<Tree, ReadonlyMap<string, number>>()
const filesNamed = (tree: Tree, name: string): number => {
  const known =
    namesIn.get(tree) ??
    new Map(
      Map.groupBy(tree.keys(), (path) => posix.basename(path))
        .entries()
        .map(([one, paths]) => [one, paths.length]),
    )
  namesIn.set(tree, known)
  return known.get(name) ?? 0
}

const faultOf = (tree: Tree, path: string, { to, places, heading }: Link): string | undefined => {
  const found = places.find((place) => isThere(tree, place))
  if (found === undefined) return `${path} names ${to}, which is not there`
  if (heading === undefined || anchorsIn(tree.get(found) ?? '').has(heading)) return undefined
  return `${path} names ${found}#${heading}, and there is no such heading`
}

const isThere = (tree: Tree, path: string): boolean => {
  const folder = `${path.replace(/\/$/, '')}/`
  return tree.has(path) || [...tree.keys()].some((one) => one.startsWith(folder))
}

/** The anchors that GitHub makes of a page's headings. */
const anchorsIn = (page: string): Set<string> => {
  const anchors = new Set<string>()
  const withoutCode = page.replaceAll(/^```[^]*?^```/gm, '')
  for (const [, heading = ''] of withoutCode.matchAll(/^#{1,6} +(.+)$/gm)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`
    anchors.add(anchor)
  }
  return anchors
}

/** Names of pages that were ever cited by numbers. A decision has a number of its own: it is cited by a link. */
const pages = 'booking[- ]rules|campaigns|contract|decisions?|guest[- ]pages|sharding|style|webhooks'
const numbered = [
  new RegExp(`\\b(?:${pages}),? (?:"[^"]*",? )?§?\\d+(?:\\.\\d+)*`, 'gi'),
  /[\w-]+\.md,? §?\d+(?:\.\d+)*/g,
  /\bcontract,? "[A-Z][^"]*"/gi,
  /(?<= )\(\d{1,2}\.\d{1,2}\)/g,
  /§ ?\d+/g,
  // What a test is called after is the guarantee, not the page that asked for it.
  /\b(?:it|test|describe)\(\s*['"`](?:\d{1,2}\.\d{1,2}:? (?!%|and)|[A-Z]{1,2}\d{1,2}[:,]? |(?:service|tables|[\w -]+,? check) \d)/g,
  // Nor where the name is put together first.
  /['"`](?:service|tables|door|payments|reports|integrators) \d+\.\d+: /g,
  /(?<!RFC \d+, )\bsections? \d+(?:\.\d+)*/gi,
]
/** Fine only where the file has a numbered list of its own. */
const ofAList = /\b(?:points?|rules?) \d+/gi
const hasAList = /^[ \t]*(?:\*|\/\/|#)?[ \t]*\d+\. /m

const numbersCitedIn = (text: string): string[] => {
  const oneLine = text
    .replaceAll(/\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/|--|#)?[ \t]*/g, ' ')
  return [...numbered, ...(hasAList.test(text) ? [] : [ofAList])].flatMap((pattern) =>
    [...oneLine.matchAll(pattern)].map(([cited]) => cited),
  )
}
