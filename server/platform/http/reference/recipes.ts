import { readFileSync } from 'node:fs'

/*
 * How a receiver verifies a signature, in several languages. The files in recipes/ are their only source: the
 * reference page shows them, `npm run generate` puts them into docs/webhooks.md, and a test runs each.
 */

type Recipe = { readonly file: string; readonly language: string }

export const recipes: readonly Recipe[] = [
  { file: 'verify.js', language: 'JavaScript (Node)' },
  { file: 'verify.py', language: 'Python' },
  { file: 'verify.php', language: 'PHP' },
]

/** A recipe's code as an integrator copies it, without the opening tag of a PHP file. */
export const codeOf = ({ file }: Recipe): string =>
  readFileSync(new URL(`recipes/${file}`, import.meta.url), 'utf8').replace('<?php\n\n', '')

/**
 * A Markdown page with its recipes refreshed: the block below each `<!-- recipe: … -->` is replaced.
 * @throws Error when the page lacks a recipe
 */
export const withRecipes = (page: string): string => {
  let renewed = page
  for (const recipe of recipes) {
    const [before, after] = renewed.split(`<!-- recipe: ${recipe.file} -->\n`)
    const block = after?.match(/^(```\w+\n)[^]*?^```$/m)
    if (before === undefined || after === undefined || !block) throw new Error(`No place for ${recipe.file}.`)
    renewed = `${before}<!-- recipe: ${recipe.file} -->\n${block[1]}${codeOf(recipe)}\`\`\`${after.slice(block[0].length)}`
  }
  return renewed
}
