import type { LookUpTexts } from '../look-up-texts.ts'

/** A DNS with these texts; looking up a name among `faults` fails, all others have none. */
export const dnsOf =
  (texts: Readonly<Record<string, readonly string[]>>, faults: readonly string[] = []): LookUpTexts =>
  (name) =>
    faults.includes(name) ? Promise.reject(new Error('SERVFAIL')) : Promise.resolve(texts[name] ?? [])
