import { frontPage } from './front-page.ts'
import { guideShelves } from './guide-pages.ts'
import type { Shelf } from './page.ts'
import { referenceShelves } from './reference-pages.ts'

/** All documentation pages, in the order of the contents. */
export const shelvesOf = (baseUrl: string): readonly Shelf[] => {
  const [jobs, ...background] = guideShelves(baseUrl)
  return [
    { title: 'Documentation', pages: [frontPage(baseUrl)] },
    ...(jobs ? [jobs] : []),
    ...referenceShelves(baseUrl),
    ...background,
  ]
}
