import { type Line, type Run, has, textOf } from '../command.ts'
import { clientFor, readUrl, retriesOf } from '../connect.ts'
import { exitCodes } from '../exit-codes.ts'
import { UsageError } from '../failures.ts'
import { credentialsFile, saveCredentials } from '../keep/credentials.ts'
import { isOnThisMachine } from '../local-address.ts'
import { paint } from '../print/paint.ts'
import { printable } from '../print/printable.ts'
import type { World } from '../world.ts'

/** Checks an address and a key with the service, and saves them. */
export const login: Run = async (world, line) => {
  const url = readUrl(await askUrl(world, line))
  if (url.startsWith('http:') && !isOnThisMachine(url)) {
    world.err.write(
      `${paint(world.err, 'yellow', 'Warning:')} over http:// anyone on the way can read the key.\n`,
    )
  }
  const key = await askKey(world, line)
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError('The key is empty, or has characters that no key has.')
  const { venue, key: terms } = await clientFor(world, { url, key }, retriesOf(line)).me()
  const inKeychain = has(line, 'keychain')
  const where = await saveCredentials(world.settings, { url, key }, { inKeychain })
  if (inKeychain && where === 'file') {
    world.err.write(
      'The keychain of this system cannot be used, so the key is in a file that only you can read.\n',
    )
  }
  const place = where === 'file' ? credentialsFile(world.settings) : 'the keychain'
  if (has(line, 'json')) world.out.write(`${JSON.stringify({ venue: venue.slug, url, savedIn: where })}\n`)
  else
    world.out.write(
      `Signed in to ${printable(venue.name)} with the key "${printable(terms.name)}", which may ${terms.scope === 'read' ? 'read' : 'read and write'}. Saved in ${place}.\n`,
    )
  return exitCodes.ok
}

const askUrl = async ({ settings, input }: World, line: Line): Promise<string> => {
  const given = textOf(line, 'url') ?? settings.url
  if (given !== undefined) return given
  if (!input.isTerminal) throw new UsageError('Where is the service? Give --url.')
  return input.ask('Address of the service (https://…): ', { hidden: false })
}

const askKey = async ({ settings, input }: World, line: Line): Promise<string> => {
  const given = textOf(line, 'key') ?? settings.key
  if (given !== undefined) return given
  if (input.isTerminal) return input.ask('Key (it is not shown): ', { hidden: true })
  let text = ''
  for await (const chunk of input) text += String(chunk)
  return text.trim()
}
