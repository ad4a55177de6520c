import { type TestBook, staff } from '../../reservations/test/book.ts'
import { addServer, savePlan } from '../actions.ts'
import { saveLineUp } from '../save-line-up.ts'

type Serving = {
  readonly name: string
  /** Labels with spaces between; they are this server's section. */
  readonly tables: string
  /** The account they sign in with. */
  readonly account?: number
}

/** Who serves which tables from 17:00 to 23:00 on Tuesday 6 October 2026. Returns their ids, in the same order. */
export const lineUpOf = async (
  { act }: TestBook,
  serving: readonly Serving[],
): Promise<readonly number[]> => {
  const manager = staff('manager')
  const servers: number[] = []
  for (const { name, account = null } of serving) {
    const typed = { name, initials: '', color: '', account, isOn: true }
    servers.push((await act((work) => addServer(work, manager, typed))).id)
  }
  const sections = serving.map(({ tables }) => tables)
  const { id: plan } = await act((work) =>
    savePlan(work, manager, { id: undefined, version: 0, name: 'Usual', isOn: true, sections }),
  )
  const [fromMinute, untilMinute] = [1020, 1380]
  await act((work) =>
    saveLineUp(work, staff('host'), {
      shift: { date: '2026-10-06', fromMinute, toMinute: untilMinute, plan },
      seenVersion: 0,
      lineUp: servers.map((server, n) => ({ server, sections: String(n + 1), fromMinute, untilMinute })),
    }),
  )
  return servers
}
