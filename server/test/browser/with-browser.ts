import { after, before } from 'node:test'
import { type TestBrowser, openBrowser } from './browser.ts'

/**
 * Starts a service, or a house with one, and a browser before the tests of a `describe`, and stops both after them.
 * `ready` gets them before the first test.
 */
export const withBrowser = <House extends { readonly stop: () => Promise<void> }>(
  start: () => Promise<House>,
  ready: (opened: readonly [House, TestBrowser]) => void | Promise<void>,
): void => {
  let house: House
  let browser: TestBrowser
  before(async () => {
    ;[house, browser] = await Promise.all([start(), openBrowser()])
    await ready([house, browser])
  })
  after(async () => {
    try {
      await browser.stop()
    } finally {
      await house.stop()
    }
  })
}
