import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * Staff passwords at rest: argon2id in the PHC form, `$argon2id$v=19$m=..,t=..,p=..$salt$hash`, so that a hash
 * says how it was made and the cost can rise later. The cost is the minimum of OWASP's password storage page: 19 MiB,
 * two passes.
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

export const passwordCharacters = { least: 12, most: 200 } as const

/** What is wrong with a new password, in a sentence that never quotes it. */
export const passwordMistake = (password: string): string | undefined => {
  const { least, most } = passwordCharacters
  const { length } = Array.from(password)
  if (length < least || length > most) return `The password must have ${least} to ${most} characters.`
  if (/\p{Cc}/u.test(password)) return 'The password must be one line without control characters.'
  return undefined
}

/** The text to store for a password. Takes about 30 ms and 19 MiB. */
export const hashPassword = async (password: string, random: (size: number) => Buffer): Promise<string> => {
  const salt = random(saltBytes)
  const hash = await derive(password, salt, { ...cost, tagLength: hashBytes })
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(hash)}`
}

/**
 * Whether a password is the one that was hashed, with the cost used at the time.
 *
 * @throws Error when the stored text is not in PHC form: the installation's fault, never that of the person signing in.
 */
export const isPassword = async (password: string, kept: string): Promise<boolean> => {
  const [, m, t, p, salt, hash] = phc.exec(kept) ?? []
  if (salt === undefined || hash === undefined) throw new Error('A kept password is not of the PHC form.')
  const expected = Buffer.from(hash, 'base64')
  const made = await derive(password, Buffer.from(salt, 'base64'), {
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: expected.length,
  })
  return timingSafeEqual(made, expected)
}

const phc =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,})\$([A-Za-z0-9+/]{22,})$/

const argon2Of = promisify(argon2)

/** NFC: keyboards encode the same letter in different ways, and the person typing cannot see which. */
const derive = (
  password: string,
  nonce: Buffer,
  parameters: { memory: number; passes: number; parallelism: number; tagLength: number },
): Promise<Buffer> =>
  argon2Of('argon2id', { message: Buffer.from(password.normalize('NFC')), nonce, ...parameters })

/** PHC leaves the padding out. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
