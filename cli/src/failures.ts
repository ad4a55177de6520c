/* What goes wrong here, before or beside the service. */

/** The command line itself is wrong. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** There is no key to ask with. */
export class NoKeyError extends Error {
  override name = 'NoKeyError'
}

/** Something on this machine is not as it must be, in a sentence. */
export class LocalError extends Error {
  override name = 'LocalError'
}

/** Somebody pressed Ctrl-C at a question. */
export class InterruptedError extends Error {
  override name = 'InterruptedError'
}

/** The code of a system's error, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined => {
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
