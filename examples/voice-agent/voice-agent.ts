/*
 * The tools of a voice agent that answers the phone: it looks up times, books, cancels and offers alternatives.
 *
 *   KEY=service_sk_… BASE_URL=http://127.0.0.1:8080 TOKEN=… node voice-agent.ts
 *
 * Listens on PORT (default 3001). GET /tools returns the definitions for your agent's platform; it calls each tool with
 * POST /tools/NAME, the arguments as JSON, `Authorization: Bearer TOKEN`, and the id of the phone call in X-Call-Id.
 * The answer's `say` is for the guest; `done` says whether it was done.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { BadRequestError, ConflictError, VenueData, VenueDataError } from '@venue-data/sdk'

const { KEY, BASE_URL, TOKEN, PORT = '3001' } = process.env
if (!KEY || !BASE_URL || !TOKEN) throw new Error('Set KEY, BASE_URL and TOKEN.')
// The caller hears silence while we wait.
const venue = new VenueData({ key: KEY, baseUrl: BASE_URL, timeoutMs: 8_000 })

type Arguments = {
  date: string
  time: string
  partySize: number
  name: string
  phone: string
  notes?: string
}
type Answer = { done: boolean; say: string }
type Tool = {
  description: string
  needs: readonly (keyof Arguments)[]
  may?: readonly (keyof Arguments)[]
  run: (given: Arguments, once: string) => Promise<Answer>
}

const kinds: Record<keyof Arguments, object> = {
  date: { type: 'string', description: 'YYYY-MM-DD' },
  time: { type: 'string', description: 'HH:MM, 24 hours' },
  partySize: { type: 'integer', minimum: 1 },
  name: { type: 'string', description: "The guest's full name, as they spelled it" },
  phone: { type: 'string', description: 'With the country code, such as +12125550123' },
  notes: { type: 'string', description: 'Allergies, a high chair, an occasion: in the words of the guest' },
}

const spokenIn = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'full',
  timeStyle: 'short',
  timeZone: 'UTC',
})
/** "Friday, November 27, 2026 at 7:30 PM": by the venue's clock. */
const spoken = ({ date, time }: { date: string | null; time: string | null }): string =>
  spokenIn.format(new Date(`${date}T${time}Z`))

const instead = (times: readonly { date: string; time: string }[] = []): string =>
  times.length === 0
    ? 'I have nothing else near that time.'
    : `I could offer you ${times.map(spoken).join('; or ')}.`

const tools: Record<string, Tool> = {
  look_up_time: {
    description: 'Whether a table is open at a time, and the nearest times that are.',
    needs: ['date', 'time', 'partySize'],
    run: async ({ date, time, partySize }) => {
      const check = await venue.availability.check({ date, time, partySize })
      if (check.ok) return { done: true, say: `Yes, ${spoken({ date, time })} is open.` }
      return { done: false, say: `${check.sentence} ${instead(check.alternatives)}` }
    },
  },
  book: {
    description: 'Requests a table. Read date, time and party size back to the guest first.',
    needs: ['date', 'time', 'partySize', 'name', 'phone'],
    may: ['notes'],
    run: async ({ name, ...asked }, once) => {
      try {
        const { reservation } = await venue.reservations.create(
          { ...asked, guestName: name },
          { alternatives: 3, idempotencyKey: once },
        )
        const state = reservation.status === 'Confirmed' ? 'is booked' : 'is requested; we will confirm it'
        return {
          done: true,
          say: `Your table for ${reservation.partySize} on ${spoken(reservation)} ${state}.`,
        }
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
        return { done: false, say: `${error.sentence} ${instead(error.alternatives)}` }
      }
    },
  },
  cancel: {
    description: "Cancels the guest's booking on a day.",
    needs: ['date', 'phone'],
    run: async ({ date, phone }, once) => {
      const booked = await venue.reservations.find({ phone, date })
      const live = booked.filter(({ status }) => status === 'Requested' || status === 'Confirmed')
      const [only] = live
      const gone = booked.find(({ status }) => status === 'Cancelled')
      if (!only && gone) return { done: true, say: `Your table on ${spoken(gone)} is canceled.` }
      if (!only) return { done: false, say: 'I find no booking under that number on that day.' }
      if (live.length > 1) return { done: false, say: 'There is more than one booking. Let me get somebody.' }
      const { revision: ifMatch } = only
      await venue.reservations.cancel(only.id, { by: 'guest' }, { ifMatch, idempotencyKey: once })
      return { done: true, say: `Your table on ${spoken(only)} is canceled.` }
    },
  },
}

const definitions = Object.entries(tools).map(([name, { description, needs, may = [] }]) => ({
  ...{ type: 'function', name, description },
  parameters: {
    type: 'object',
    properties: Object.fromEntries([...needs, ...may].map((one) => [one, kinds[one]])),
    required: needs,
  },
}))

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const answer = async (request: IncomingMessage): Promise<[status: number, body: unknown]> => {
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return [401, { error: 'Wrong token.' }]
  if (request.url === '/tools') return [200, definitions]
  const tool = tools[request.url?.replace('/tools/', '') ?? '']
  if (!tool || request.method !== 'POST') return [404, { error: 'There is no such tool.' }]
  const text = await bodyOf(request)
  // An agent that repeats a request in the same phone call, word for word, gets the answer it missed: nothing is booked
  // twice.
  const call = String(request.headers['x-call-id'] ?? crypto.randomUUID())
  const once = createHash('sha256').update(`${call} ${request.url} ${text}`).digest('hex')
  try {
    return [200, await tool.run(JSON.parse(text) as Arguments, once)]
  } catch (error) {
    if (error instanceof BadRequestError) return [200, { done: false, say: error.sentence }]
    if (error instanceof SyntaxError) return [400, { error: 'The arguments must be JSON.' }]
    if (!(error instanceof VenueDataError)) throw error
    console.error(error.message)
    return [200, { done: false, say: 'I cannot reach the book right now. Let me get somebody.' }]
  }
}

createServer((request, response) => {
  answer(request).then(
    ([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    () => response.destroy(),
  )
}).listen(Number(PORT), () => console.log('The agent may take calls.'))
