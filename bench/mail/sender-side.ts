import { setTimeout as pause } from 'node:timers/promises'
import nodemailer from 'nodemailer'
import { compileMail } from '../../server/marketing/campaigns/content/compile-mail.ts'
import { startSending } from '../../server/marketing/campaigns/sending/engine.ts'
import { readConfig } from '../../server/config.ts'
import { openLog, openProgram } from '../../server/program.ts'
import { content, header, venue } from './content.ts'

/* The process under test: the engine, or nodemailer's own pool with the same rendering, on the same sink. */

export type SideOrder =
  | { readonly kind: 'engine'; readonly mails: number }
  | { readonly kind: 'stock'; readonly mails: number; readonly connections: number }
export type SideResult = {
  readonly mails: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly rss: number
}

const { context, close } = await openProgram(readConfig(), 'command', openLog('warn', 'stderr'))

const measured = async (run: () => Promise<number>): Promise<SideResult> => {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const done = await run()
  const seconds = (performance.now() - start) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  return { mails: done, seconds, cpuSeconds: (user + system) / 1e6, rss: process.memoryUsage.rss() }
}

const engine = (mails: number): Promise<SideResult> =>
  measured(async () => {
    let ended = 0
    const sending = startSending(
      { ...context, db: context.workerDb },
      { lookMs: 50, onOutcome: ({ kind }) => void (kind === 'accepted' && ended++) },
    )
    while (ended < mails) await pause(10)
    await sending.stop()
    return ended
  })

const stock = (mails: number, connections: number): Promise<SideResult> =>
  measured(async () => {
    const { hostname, port } = new URL(context.config.smtpUrl ?? '')
    const pool = nodemailer.createTransport({
      host: hostname,
      port: Number(port),
      pool: true,
      maxConnections: connections,
      maxMessages: Number.POSITIVE_INFINITY,
    })
    const template = compileMail(content, venue)
    let next = 0
    await Promise.all(
      Array.from({ length: connections * 2 }, async () => {
        for (let n = next++; n < mails; n = next++) {
          const { person, top } = header(n)
          // As its users do: parts and header fields go in, the message is built by it.
          await pool.sendMail({
            from: { name: top.from.name, address: top.from.address },
            to: top.to,
            subject: template.subjectFor(person),
            html: template.htmlFor(person),
            text: template.textFor(person),
            messageId: top.messageId,
            headers: {
              'List-Unsubscribe': `<${top.unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            },
          })
        }
      }),
    )
    pool.close()
    return mails
  })

process.on('message', (order: SideOrder) => {
  const run = order.kind === 'engine' ? engine(order.mails) : stock(order.mails, order.connections)
  run.then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ failed: (error as Error).stack }),
  )
})
process.on('disconnect', () => void close().then(() => process.exit(0)))
process.send?.({ kind: 'ready' })
