import { after, before, it } from 'node:test'
import { mkdirSync } from 'node:fs'
import { type TestBrowser, openBrowser } from './browser.ts'
import { type FullHouse, openFullHouse } from './full-house.ts'
let house: FullHouse
let browser: TestBrowser
before(async () => {
  ;[house, browser] = await Promise.all([openFullHouse(), openBrowser()])
})
after(async () => {
  await browser.stop().catch((error) => console.log(String(error)))
  await house.stop()
})
it('looks', async () => {
  const owner = await browser.visitor(house.service)
  const { email, password } = house.signIn(process.env.ROLE === 'host' ? 'host' : 'owner')
  await owner.signIn(email, password)
  const dir = '/tmp/svc/pics'
  mkdirSync(dir, { recursive: true })
  for (const path of (process.env.LOOK ?? '/office/service').split(',')) {
    for (const [width, height] of [[1280, 800], [1180, 820], [820, 1180], [390, 844]]) {
      await owner.page.setViewportSize({ width, height })
      for (const colorScheme of ['light', 'dark'] as const) {
        if (colorScheme === 'dark' && width !== 820 && process.env.DARK === undefined) continue
        await owner.page.emulateMedia({ colorScheme })
        await owner.open(path)
        if (process.env.TYPE) { await owner.page.locator('#find').pressSequentially(process.env.TYPE); await owner.page.waitForTimeout(600) }
        if (process.env.CLICK) { await owner.page.locator(process.env.CLICK).filter({ visible: true }).first().click().catch((e) => console.log(String(e).slice(0, 200))); await owner.page.waitForTimeout(500) }
        await owner.page.screenshot({ path: `${dir}/${path.replaceAll(/[^a-z0-9]+/gi, '_')}.${width}.${colorScheme}.png` })
      }
    }
  }
})
