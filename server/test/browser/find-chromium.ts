import { accessSync, constants } from 'node:fs'

/** Where Debian puts it; CHROMIUM names another. */
const usualPlace = '/usr/bin/chromium'

/** The browser of the journeys, or undefined if Chromium is not installed. */
export const chromiumPath = (): string | undefined => {
  const path = process.env['CHROMIUM'] ?? usualPlace
  try {
    accessSync(path, constants.X_OK)
    return path
  } catch {
    return undefined
  }
}

// Run by itself, before the journeys: says in one sentence what is missing.
if (import.meta.main && chromiumPath() === undefined) {
  console.error(
    'The browser tests need Chromium: install it with `apt-get install chromium`, or name one by CHROMIUM=/path/to/chromium.',
  )
  process.exitCode = 1
}
