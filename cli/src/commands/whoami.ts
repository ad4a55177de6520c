import { type Run, has } from '../command.ts'
import { accessOf, clientFor, retriesOf } from '../connect.ts'
import { exitCodes } from '../exit-codes.ts'
import { scopesText } from '../print/scopes.ts'
import { sheet } from '../print/table.ts'

const places = {
  flags: 'from the flags',
  environment: 'from the environment',
  file: 'saved in a file',
  keychain: 'saved in the keychain',
}

/** Which venue the key belongs to. */
export const whoami: Run = async (world, line) => {
  const access = await accessOf(world, line)
  const account = await clientFor(world, access, retriesOf(line)).me()
  if (has(line, 'json')) {
    world.out.write(`${JSON.stringify({ ...account, url: access.url })}\n`)
    return exitCodes.ok
  }
  const { venue, plan, key } = account
  const shown = {
    venue: `${venue.name} (${venue.slug})`,
    timezone: venue.timezone,
    plan,
    service: access.url,
    key: `${key.name}, ${places[access.from]}`,
    may: scopesText(key.scopes),
    expires: key.expiresAt ?? 'never',
  }
  world.out.write(sheet(shown, world.out))
  return exitCodes.ok
}
