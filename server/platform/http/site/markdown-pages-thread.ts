import { parentPort, workerData } from 'node:worker_threads'
import { NodeHtmlMarkdown } from 'node-html-markdown'
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

/** Markdown has no lists of terms, and its headings need no links to themselves. */
const plainer = (body: string): string =>
  body
    .replaceAll(/<(\/?)dl\b[^>]*>/g, '<$1ul>')
    .replaceAll('<dt>', '<li><p>')
    .replaceAll('</dt>', '</p>')
    .replaceAll('<dd>', '')
    .replaceAll('</dd>', '</li>')
    .replaceAll(/<a href="#[^"]*">((?:(?!<\/a>).)*)<\/a>(?=\s*<\/h[23]>)/gs, '$1')

/** Links lead to other pages' Markdown, and are whole: what reads this may have only the text. */
const linked = (page: Page, body: string): string =>
  body.replaceAll(/(?<= href=")([^"#]*)(#[^"]*)?(?=")/g, (_, to: string, anchor = '') => {
    const path = to === '' ? page.path : to
    return `${path.startsWith('/') ? baseUrl : ''}${paths.has(path) ? markdownPath(path) : path}${anchor}`
  })

const markdownOf = (page: Page): string => {
  const body = linked(page, plainer(textOf(page.open().body)))
  return `${converter.translate(body).replaceAll(/\n{3,}/g, '\n\n')}\n`
}

parentPort?.postMessage(new Map(pages.map((page) => [page.path, markdownOf(page)])))
