import assert from 'node:assert/strict'
import { visitOffice } from '../../server/test/office.ts'
import type { Book } from './book.ts'
import type { Demo } from './first-hour.ts'
import type { Scene } from './scene.ts'

const mostPages = 150
/** How many pages with the same layout, such as guests, are opened. */
const mostAlike = 3

/** Opens the office pages that the owner can reach by links. */
export const tryOffice = (book: Book, { url }: Scene, demo: Demo): Promise<unknown> =>
  book.step('pages of the office', async () => {
    const owner = visitOffice({ url })
    const signIn = demo.signIns.find(({ role }) => role === 'owner')
    await owner.post('/office/sign-in', { email: signIn?.email ?? '', password: signIn?.password ?? '' })
    const found = ['/office']
    const alike = new Map<string, number>()
    for (let n = 0; n < found.length; n++) {
      const path = found[n] as string
      const { status, html, to } = await owner.get(path)
      assert.ok(status === 200 || (status === 303 && to !== null), `${path}: ${status}`)
      if (to?.startsWith('/office') && !found.includes(to)) found.push(to)
      for (const [, href = ''] of html.matchAll(/href="(\/office[^"#]*)/g)) {
        const link = href.replaceAll('&amp;', '&')
        const form = link.replaceAll(/[\d-]+|=[^&]*/g, '*')
        const seen = alike.get(form) ?? 0
        if (/sign-out|\/export\/|\.(css|js|svg|json)/.test(link) || found.includes(link)) continue
        if (seen >= mostAlike || found.length >= mostPages) continue
        alike.set(form, seen + 1)
        found.push(link)
      }
    }
    assert.ok(found.length > 30)
    return `${found.length} opened`
  })
