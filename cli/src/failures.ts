/* Errors on this side, not from the service. */

/** The command line itself is wrong. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** There is no key to call with. */
export class NoKeyError extends Error {
  override name = 'NoKeyError'
}

/** Something on this machine is wrong; the message says what. */
export class LocalError extends Error {
  override name = 'LocalError'
}

/** Ctrl-C was pressed at a prompt. */
export class InterruptedError extends Error {
  override name = 'InterruptedError'
}

/** The code of a system error, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined => {
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
