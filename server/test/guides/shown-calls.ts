import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/* The calls that a page shows, done word for word by a shell, and their answers, which are as printed. */

export type ShownCall = { readonly command: string; readonly reply: string }

/** Every curl call of a page, with the reply it shows. */
export const shownCalls = (page: string): readonly ShownCall[] =>
  [...page.matchAll(/```console\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .filter((piece) => piece.startsWith('curl '))
      .map((piece) => {
        const [command = ''] = /^(?:.*\\\n)*.*/.exec(piece) ?? []
        return { command, reply: piece.slice(command.length).trim() }
      }),
  )

/** What a reader's demo venue has, and the page cannot know. */
export type Own = {
  readonly apiUrl: string
  readonly key: string
  /** The open slot that the first start names. */
  readonly slot: { readonly date: string; readonly time: string }
  /** The port on which the reader's receiver listens. */
  readonly port?: number
}

type Reading = {
  readonly title: (call: ShownCall) => string
  /** Does the call and judges its answer; gives the answer back. What a call needs of an earlier answer is put in. */
  readonly run: (call: ShownCall, meanwhile?: () => Promise<unknown>) => Promise<string>
}

/** A place in a feed. Each database has its own. */
const place = /\bc\d+_[\w-]+/g

/** Does a page's calls in their order, as its reader does. */
export const readerOf = ({ apiUrl, key, slot, port = 4000 }: Own): Reading => {
  const known = { campaign: '', count: '', place: '', reservation: '' }
  return {
    title: ({ command }) => {
      const name = command.replaceAll(/\\\n\s*/g, '').replaceAll(/ -H "X-Service-Key: \$KEY"/g, '')
      return name.length > 100 ? `${name.slice(0, 99)}…` : name
    },
    run: async ({ command, reply }, meanwhile) => {
      const told = command
        .replaceAll(/"date":"[\d-]+","time":"[\d:]+"/g, `"date":"${slot.date}","time":"${slot.time}"`)
        .replaceAll(/"id":\d+/g, `"id":${known.campaign}`)
        .replaceAll(/"confirmCount":\d+/g, `"confirmCount":${known.count}`)
        .replaceAll(/\/reservations\/\d+/g, `/reservations/${known.reservation}`)
        .replaceAll(place, known.place)
        .replaceAll('127.0.0.1:4000', `127.0.0.1:${port}`)
      const asked = promisify(execFile)('sh', ['-c', told], {
        env: { PATH: process.env['PATH'], KEY: key, API: apiUrl },
      })
      await meanwhile?.()
      const answer = (await asked).stdout.replaceAll(/\s+/g, ' ').trim()
      // A call that waits for something shows no reply.
      assert.match(answer, reply === '' ? /^\{"changes":\[\{/ : like(reply))
      known.campaign = /"campaign":\{"id":(\d+)/.exec(answer)?.[1] ?? known.campaign
      known.reservation = /"reservation":\{"id":(\d+)/.exec(answer)?.[1] ?? known.reservation
      known.place = answer.match(place)?.at(-1) ?? known.place
      known.count = /"recipientsTotal":(\d+)/.exec(answer)?.[1] ?? known.count
      return answer
    },
  }
}

/**
 * A pattern for a documented reply: literal, except for omissions (`…`), places in a feed, numbers, and words in records
 * that depend on the day the demo was created.
 */
const like = (reply: string): RegExp => {
  const text = reply
    .replaceAll(place, '…')
    .replaceAll(/[\w-]*…/g, '…')
    .replaceAll(/"guestName":"Jack Pemberton"/g, '"guestName":"…"')
    .replaceAll(/"status":"Requested",…\},\{/g, '…},{')
    .replaceAll(/\s+/g, ' ')
  const [status = ''] = /^HTTP\/1\.1 \d+/.exec(text) ?? []
  const pieces = text.slice(status.length).split(/(\d+|…)/)
  const patterns = pieces.map((piece) =>
    piece === '…' ? '.*' : /^\d+$/.test(piece) ? String.raw`\d+` : RegExp.escape(piece),
  )
  return new RegExp(`^${RegExp.escape(status)}${patterns.join('')}$`, 's')
}
