import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { codeOf } from '../platform/kernel/code-of.ts'
import type { Mailer } from './mailer.ts'

/**
 * Without a relay each message becomes an `.eml` file, as a mailbox would keep it: `2026-10-06T190000.000Z-4f1c….eml`.
 * A file is whole or not there. Nothing is sent.
 */
export const createFileMailer = (
  folder: string,
  { clock, random }: Pick<Context, 'clock' | 'random'>,
): Mailer => {
  let made: Promise<unknown> | undefined
  let underWay = Promise.resolve()
  return {
    kind: 'files',
    deliver: ({ from, to, message }) => {
      const writing = (async () => {
        const moment = clock().toString({ smallestUnit: 'millisecond' }).replaceAll(':', '')
        const name = join(folder, `${moment}-${random(8).toString('hex')}`)
        try {
          await (made ??= mkdir(folder, { recursive: true, mode: 0o700 }))
          const file = await open(`${name}.part`, 'wx', 0o600)
          try {
            await file.write(`Return-Path: <${from}>\r\nDelivered-To: ${to}\r\n`)
            await file.writeFile(message)
          } finally {
            await file.close()
          }
          await rename(`${name}.part`, `${name}.eml`)
          return { kind: 'accepted', answer: 'written as a file' } as const
        } catch (error) {
          made = undefined
          await rm(`${name}.part`, { force: true }).catch(() => undefined)
          return { kind: 'relay-trouble', phase: 'connect', answer: codeOf(error) ?? 'error' } as const
        }
      })()
      underWay = Promise.all([underWay, writing]).then(() => undefined)
      return writing
    },
    close: () => underWay,
  }
}
