import { html } from '../../html/html.ts'
import { guideFiles, guidePath, openGuide } from './guides.ts'
import type { Page, Shelf } from './page.ts'

export const guideShelves = (baseUrl: string): readonly Shelf[] =>
  Object.entries(guideFiles).map(([title, files]) => ({
    title,
    pages: files.map(({ file, title }) => guidePage(baseUrl, file, title)),
  }))

const guidePage = (baseUrl: string, file: string, title: string): Page => ({
  title,
  path: guidePath(file),
  open: () => {
    const { body, passages } = openGuide(file, baseUrl)
    return {
      body: html`<article class="guide">${body}</article>`,
      headings: passages.filter(({ level }) => level === 2),
    }
  },
})
