import { dirname } from 'node:path'
import type { Tree } from './references.ts'

/*
 * What growth costs, counted in the tree: how many files a folder holds, how many files know a field, and how much of the
 * prose reads stiffly. A page of prose that nobody counts drifts, and so does a folder.
 */

const isTest = (path: string): boolean => /\.(?:test|journey)\.ts$|\/test\//.test(path)
const isProduct = (path: string): boolean =>
  /^(?:server|generate|contract)\/.*\.ts$/.test(path) && !isTest(path) && !path.includes('/generated/')

/** Folders with more files than one finds one's way in, with how many; tests next to the code they prove not counted. */
export const crowdedFolders = (tree: Tree): Record<string, number> => {
  const held = new Map<string, number>()
  for (const path of tree.keys()) {
    if (isProduct(path) || /\/test\/.*\.ts$/.test(path))
      held.set(dirname(path), (held.get(dirname(path)) ?? 0) + 1)
  }
  return Object.fromEntries([...held].filter(([, files]) => files > mostFiles))
}
export const mostFiles = 25

/** Folders on the first level of the server. */
export const roomsOf = (tree: Tree): string[] => [
  ...new Set([...tree.keys()].flatMap((path) => /^server\/([^/]+)\//.exec(path)?.[1] ?? [])),
]

/** Files of the product that name something by hand, by any of its names: in the API, in the database, as a reason. */
export const filesThatKnow = (tree: Tree, ...names: readonly string[]): string[] => {
  const named = new RegExp(`\\b(?:${names.join('|')})\\b`)
  return [...tree].filter(([path, text]) => isProduct(path) && named.test(text)).map(([path]) => path)
}

/** What CONTRIBUTING lists for a new kind of record: the files of the tree that are edited, besides those of its own. */
export const editsForAKind = (tree: Tree): string[] => {
  const [, steps = ''] =
    /^## Adding a kind of record[^\n]*\n([^]*?)^## /m.exec(tree.get('CONTRIBUTING.md') ?? '') ?? []
  return [...new Set([...steps.matchAll(/`([\w./-]+\.(?:ts|svg|md))`/g)].map(([, path = '']) => path))]
}

/** Files with a statement that takes what is due by saying when it is due next, besides the two engines that send in bulk. */
export const leasedQueues = (tree: Tree): string[] =>
  [...tree]
    .filter(([path, text]) => isProduct(path) && !engines.test(path) && takenUnderLease.test(text))
    .map(([path]) => path)
const takenUnderLease =
  /`\s*update [^`]*\b(\w+_at|\$\{due\}) = \$\{[^`]*(?<!\w)\1 <= \$\{now\}[^`]*\breturning\b/
const engines = /^server\/(?:integrations\/webhooks\/engine|marketing\/campaigns\/sending|platform)\//

export type Prose = { readonly words: number; readonly stiff: readonly string[] }

/** The words of comments, test names and sentences, and the stiff ones of them, by slice: a folder of the server, or a package. */
export const proseOf = (tree: Tree): Map<string, Prose> => {
  const slices = new Map<string, { words: number; stiff: string[] }>()
  for (const [path, text] of tree) {
    if (
      !path.endsWith('.ts') ||
      path.includes('/generated/') ||
      /^server\/test\/tree\/(?:print-)?figures/.test(path)
    )
      continue
    const slice = slices.get(sliceOf(path)) ?? { words: 0, stiff: [] }
    const said = saidIn(text)
    slice.words += said.match(/[A-Za-z’']+/g)?.length ?? 0
    slice.stiff.push(...(said.match(stiff) ?? []).map((word) => word.toLowerCase()))
    slices.set(sliceOf(path), slice)
  }
  return slices
}

/** A wing's slices are in it; what is no wing is one. */
const sliceOf = (path: string): string =>
  /^server\/(?:(?!test|demo|mail|tickets|worker)\w+\/)?[\w-]+\/|^[\w-]+\//.exec(path)?.[0] ?? path

/** Comments, and strings of more than one word. */
const saidIn = (text: string): string =>
  [...text.matchAll(/\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g)]
    .map(([said]) => said)
    .filter((said) => said.startsWith('/') || /\s/.test(said))
    .join('\n')

/** Words that are right now and then, and stiff where they are many; a stand-in and a host stand are things. */
const stiff =
  /\b(?:told|tells|whoever|whomever|whatever|anew|beside|be(?:comes|came|come) of|(?:is|are|was|were) none|(?<!host )stands?(?!-in)|stood|all the same|any more|mend(?:s|ed|ing)?|telephones?|wherever|hitherto|lest)\b/gi
