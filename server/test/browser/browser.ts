import assert from 'node:assert/strict'
import { type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { patience } from '../patience.ts'
import { testPassword } from '../office.ts'
import type { TestService } from '../service.ts'
import { chromiumPath } from './find-chromium.ts'

/*
 * A real browser at the office of a test service. Every page is listened to: what it says on the console, what it
 * throws and what it asks of other hosts fails the journey that opened it.
 */

/** Somebody at a screen. */
export type Visitor = {
  readonly page: Page
  /** Opens a page of the service. */
  open: (path: string) => Promise<void>
  /** Signs in through the door; `password` where the account has one of its own. */
  signIn: (email: string, password?: string) => Promise<void>
  /** Waits until the door has let them in, and passes by the question for a name. */
  isIn: () => Promise<void>
  /** Presses the button of that name, the first that is to be seen; waits for nothing. */
  press: (name: string | RegExp) => Promise<void>
  /** Fills the field with that label. */
  fill: (label: string | RegExp, value: string) => Promise<void>
  /** Waits until the page says so, in what can be seen. */
  reads: (words: string | RegExp) => Promise<void>
  /** How questions before what cannot be undone are answered from now on; yes at first. */
  answers: (answer: 'yes' | 'no') => void
  /** Complaints of the pages since the last look, and forgets them. */
  complaints: () => string[]
}

export type TestBrowser = {
  /** A screen of its own: its own cookies. */
  visitor: (service: Pick<TestService, 'url'>, options?: BrowserContextOptions) => Promise<Visitor>
  /** Closes everything; fails when any page complained and nobody looked. */
  stop: () => Promise<void>
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-proxy-server',
]

/** A tablet on its side, which is what hosts have. */
const tablet = { width: 1180, height: 820 }

export const openBrowser = async (): Promise<TestBrowser> => {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error('Run the browser tests with `npm run test:browser`.')
  const browser = await chromium.launch({ executablePath, args: flags })
  const visitors: Visitor[] = []
  return {
    visitor: async ({ url }, options = {}) => {
      const context = await browser.newContext({
        baseURL: url,
        viewport: tablet,
        reducedMotion: 'reduce',
        ...options,
      })
      context.setDefaultTimeout(patience.ms())
      const page = await context.newPage()
      const visitor = visitorOf(page, url)
      visitors.push(visitor)
      return visitor
    },
    stop: async () => {
      await browser.close()
      assert.deepEqual(
        visitors.flatMap((visitor) => visitor.complaints()),
        [],
        'no page complains',
      )
    },
  }
}

const visitorOf = (page: Page, url: string): Visitor => {
  let say: 'yes' | 'no' = 'yes'
  page.on('dialog', (dialog) => {
    void (say === 'yes' ? dialog.accept() : dialog.dismiss()).catch(() => undefined)
  })
  const visitor: Visitor = {
    page,
    complaints: listenTo(page, url),
    answers: (answer) => {
      say = answer
    },
    open: async (path) => {
      await page.goto(path)
    },
    signIn: async (email, password = testPassword) => {
      await page.goto('/office/sign-in')
      await visitor.fill('Email', email)
      await visitor.fill('Password', password)
      await visitor.press('Sign in')
      await visitor.isIn()
    },
    isIn: async () => {
      await page.waitForURL((address) => address.pathname !== '/office/sign-in')
      // Accounts of the tests have no name; the question for it has a journey of its own.
      if (new URL(page.url()).pathname !== '/office/account/name') return
      await page.getByRole('link', { name: 'Not now' }).click()
      await page.waitForURL((address) => address.pathname !== '/office/account/name')
    },
    press: (name) =>
      page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click(),
    fill: (label, value) =>
      page.getByLabel(label, { exact: true }).filter({ visible: true }).first().fill(value),
    reads: (words) => page.getByText(words).filter({ visible: true }).first().waitFor(),
  }
  return visitor
}

/** An answer that a journey provokes on purpose is reported by the browser, too; it is no complaint. */
const provoked = /Failed to load resource: the server responded with a status of (400|403|404|409)/

const listenTo = (page: Page, url: string): (() => string[]) => {
  let heard: string[] = []
  const hear = (what: string) => void heard.push(`${page.url().replace(url, '')}: ${what}`)
  page.on('console', (message) => {
    const text = message.text()
    if (['error', 'warning'].includes(message.type()) && !provoked.test(text)) hear(text)
  })
  page.on('pageerror', (error) => hear(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:'))
      hear(`asks ${request.url()}`)
  })
  return () => {
    const last = heard
    heard = []
    return last
  }
}
