import type { Logger } from 'pino'
import { codeOf } from '../kernel/code-of.ts'

/*
 * Of most database errors only the code may be logged, since their texts quote data. Three classes are about the server
 * itself and quote none: what it lacks (53), what it cannot do (0A, as behind a pooler or on a cluster), and what broke
 * inside (XX). Their text is what an operator needs, such as that the disk is full.
 */

const classes = new Set(['53', '0A', 'XX'])

/** Shortest time between two log lines of one class, in milliseconds. */
const pauseMs = 60_000

/**
 * Logs what the server said of its own trouble, once a minute for each class: a full disk fails every request. `nowMs`
 * is a clock that only runs forward.
 */
export const tellOfServerTrouble = (
  log: Logger,
  nowMs = (): number => performance.now(),
): ((error: unknown) => void) => {
  const toldAtMs = new Map<string, number>()
  return (error) => {
    const code = codeOf(error)
    if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return
    const group = code.slice(0, 2)
    if (!classes.has(group)) return
    const now = nowMs()
    if (now - (toldAtMs.get(group) ?? -Infinity) < pauseMs) return
    toldAtMs.set(group, now)
    log.warn({ code, message: (error as { message?: unknown }).message }, 'the database server complains')
  }
}
