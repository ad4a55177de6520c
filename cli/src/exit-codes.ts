/** The exit codes, for scripts; README.md lists them, too. */
export const exitCodes = {
  ok: 0,
  /** The service said no, or something it tried failed. */
  refused: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** No answer came, or only a part of one. */
  unreachable: 3,
  /** There is no key, or it is not valid. */
  noKey: 4,
  /** Something on this machine went wrong, such as a file that cannot be written. */
  local: 5,
  /** Ctrl-C, as shells have it. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
