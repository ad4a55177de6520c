import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { mailsOfMailbox, readReportMail } from '../../marketing/bounces/read-report-mail.ts'
import { takeLeavingMail, takeReport } from '../../marketing/bounces/take-report.ts'
import type { Context } from '../../context.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { command, needed, text } from './command.ts'

/** Reads the bounce mailbox; `-` takes one message from standard input, as a mail server pipes it. */
const readBounces = command({
  words: 'bounces read',
  about:
    'Acts on returned mail: bounces, spam reports and unsubscribe requests, from a mailbox file or (-) standard input. Safe to repeat.',
  flags: { file: needed(text('F|-')) },
  run: async (context, { file }) => {
    const counts = { read: 0, taken: 0, ignored: 0 }
    for (const mail of mailsOfMailbox(await bytesOf(file))) {
      counts.read++
      if (await take(context, mail)) counts.taken++
      else counts.ignored++
    }
    return {
      json: counts,
      text: `Read ${counts.read}: ${counts.taken} taken, ${counts.ignored} ignored (not about our mail, or nothing to do).`,
    }
  },
})

export const bounceCommands = [readBounces]

const bytesOf = async (file: string): Promise<Buffer> => {
  try {
    return file === '-' ? await buffer(process.stdin) : await readFile(file)
  } catch (error) {
    throw badRequest(`The file ${file} cannot be read (${codeOf(error) ?? 'unknown'}).`)
  }
}

/** Whether anything in it was about a copy of ours. */
const take = async (context: Context, mail: Buffer): Promise<boolean> => {
  const said = await readReportMail(mail)
  switch (said.kind) {
    case 'unsubscribe':
      return takeLeavingMail(context, said.tokens)
    case 'reports': {
      let taken = false
      for (const report of said.reports) taken = (await takeReport(context, report)) || taken
      return taken
    }
    case 'nothing':
      return false
    default:
      return said satisfies never
  }
}
