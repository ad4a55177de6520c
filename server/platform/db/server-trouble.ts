import type { Logger } from 'pino'
import { codeOf } from '../kernel/code-of.ts'

/*
 * For most database errors only the code may be logged, since their messages quote data. Three classes are about the server
 * itself and quote none: insufficient resources (53), unsupported features (0A, as behind a pooler or on a cluster), and
 * internal errors (XX). Their message is what an operator needs, such as that the disk is full.
 */

const classes = new Set(['53', '0A', 'XX'])

/** Shortest time between two log lines of one class, in milliseconds. */
const pauseMs = 60_000

/**
 * Logs what the server says about its own trouble, once a minute per class: a full disk fails every request. `nowMs`
 * is a monotonic clock.
 */
export const logServerTrouble = (
  log: Logger,
  nowMs = (): number => performance.now(),
): ((error: unknown) => void) => {
  const loggedAtMs = new Map<string, number>()
  return (error) => {
    const code = codeOf(error)
    if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return
    const group = code.slice(0, 2)
    if (!classes.has(group)) return
    const now = nowMs()
    if (now - (loggedAtMs.get(group) ?? -Infinity) < pauseMs) return
    loggedAtMs.set(group, now)
    log.warn({ code, message: (error as { message?: unknown }).message }, 'the database server complains')
  }
}
