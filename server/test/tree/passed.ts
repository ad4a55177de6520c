import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { everyEvening, setRules } from '../open-rules.ts'
import { hostAtBook } from '../host-at-book.ts'
import { type TestService, startService } from '../service.ts'

/*
 * Which files of the server a request passes: V8 counts the calls of every function while a running service answers one.
 * What runs once when a file is loaded does not count.
 */

const root = new URL('../../../', import.meta.url).href

/** The product's files of which a function was called meanwhile. */
const filesPassed = async (work: () => Promise<unknown>): Promise<Set<string>> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const called = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  )
  const paths = called.flatMap(({ url }) =>
    url.startsWith(root) ? [fileURLToPath(url).slice(fileURLToPath(root).length)] : [],
  )
  // The database of the tests has its supervisor in this process, too.
  return new Set(
    paths.filter(
      (path) => /^server\/(?!test\/|platform\/db\/embedded\/)/.test(path) && !path.includes('/test/'),
    ),
  )
}

/** The same of three times, so that what happens to run meanwhile does not count. */
const eachTime = async (work: () => Promise<() => Promise<unknown>>): Promise<string[]> => {
  const [first, ...others] = [
    await filesPassed(await work()),
    await filesPassed(await work()),
    await filesPassed(await work()),
  ]
  return [...(first ?? [])].filter((path) => others.every((other) => other.has(path))).toSorted()
}

const right = (status: number): void => {
  if (status >= 400) throw new Error(`The request was answered ${status}.`)
}

/** Of a booking by API, in an evening that has room. */
const booked = async (service: TestService): Promise<string[]> => {
  const venue = await service.venue()
  await setRules(service, venue, everyEvening())
  const body = {
    ...{ guestName: 'Ana', email: 'ana@example.com', phone: '+12125550123' },
    ...{ date: '2026-10-08', time: '19:00', partySize: 2 },
  }
  return eachTime(async () => async () => {
    const { status } = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
    right(status)
  })
}

/** Of a press on Seat on the service screen; what draws the screen again is asked for afterwards. */
const seated = async (service: TestService): Promise<string[]> => {
  service.setClock('2026-10-06T23:20:00Z')
  const { book, host } = await hostAtBook(service)
  return eachTime(async () => {
    const id = await book.booking('Confirmed', { guestName: 'Zain', time: '19:30' })
    const { version, status } = await book.row(id)
    const fields = { version: String(version), status, back: '/office/service', move: 'seat' }
    return async () => {
      right((await host.post(`/office/bookings/${id}/moves`, fields)).status)
    }
  })
}

export const measurePassed = async (): Promise<{ booking: string[]; seat: string[] }> => {
  const service = await startService()
  try {
    return { booking: await booked(service), seat: await seated(service) }
  } finally {
    await service.stop()
  }
}
