import { parentPort, workerData } from 'node:worker_threads'
import { NodeHtmlMarkdown, type TranslatorConfigFactory } from 'node-html-markdown'
import { textOf } from '../../html/html.ts'
import { markdownPath } from './markdown-pages.ts'
import type { Page } from './page.ts'
import { shelvesOf } from './shelves.ts'

/* The thread of markdown-pages.ts: makes all pages, and ends. */

const baseUrl = workerData as string
const pages = shelvesOf(baseUrl).flatMap(({ pages }) => pages)
const paths: ReadonlySet<string> = new Set(pages.map(({ path }) => path))

// The choice of a language is for the eye: every program follows it.
const converter = new NodeHtmlMarkdown({ ignore: ['fieldset'] })

// In links and in cells the library knows no code, and writes names with backslashes in them; of a cell's bars it marks one.
const code = converter.translators.get('CODE')
for (const inside of [converter.aTagTranslators, converter.tableCellTranslators]) inside.set('code', code)
const cell: TranslatorConfigFactory = ({ visitor }) => ({
  surroundingNewlines: false,
  childTranslators: visitor.instance.tableCellTranslators,
  prefix: ' ',
  postfix: ' |',
  postprocess: ({ content }) =>
    content
      .trim()
      .replaceAll('|', String.raw`\|`)
      .replaceAll(/\n+/g, ' '),
})
for (const rows of [converter.tableTranslators, converter.tableRowTranslators]) rows.set('th,td', cell)

/** Markdown has no lists of terms. */
const plainer = (body: string): string =>
  body
    .replaceAll(/<dl(?: class="[a-z -]*")?>/g, '<ul>')
    .replaceAll('</dl>', '</ul>')
    .replaceAll('<dt>', '<li><p>')
    .replaceAll('</dt>', '</p>')
    .replaceAll('<dd>', '')
    .replaceAll('</dd>', '</li>')

/** Its headings need no links to themselves. */
const unlinked = (markdown: string): string =>
  markdown
    .split('\n')
    .map((line) => (line.startsWith('##') ? line.replace(' [', ' ').replace(/\]\(\S{1,300}\)$/, '') : line))
    .join('\n')

/** Links lead to other pages' Markdown, and are whole: what reads this may have only the text. */
const linked = (page: Page, body: string): string =>
  body.replaceAll(/(?<= href=")([^"#]*)(#[^"]*)?(?=")/g, (_, to: string, anchor = '') => {
    const path = to === '' ? page.path : to
    return `${path.startsWith('/') ? baseUrl : ''}${paths.has(path) ? markdownPath(path) : path}${anchor}`
  })

const markdownOf = (page: Page): string => {
  const body = linked(page, plainer(textOf(page.open().body)))
  return `${unlinked(converter.translate(body)).replaceAll(/\n{3,}/g, '\n\n')}\n`
}

parentPort?.postMessage(new Map(pages.map((page) => [page.path, markdownOf(page)])))
