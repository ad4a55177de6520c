import { CannotTry, Unmet } from './expect.ts'
import { type Setting, Times, openWorld } from './open-world.ts'
import { type Need, type Section, type Statement, type Untried, idOf, withoutNeed } from './statement.ts'

/** The result of one statement. */
export type Result = {
  /** `Idempotency 6` */
  readonly id: string
  readonly section: string
  readonly number: string
  readonly says: string
  readonly outcome: 'passed' | 'failed' | 'not tried'
  readonly durationMs: number
  /** Why it was not tested. */
  readonly because?: string
  readonly failure?: Failure
}

export type Failure = {
  readonly expected: string
  readonly seen: string
  /** The statement's last request, such as `POST /api/v1/guests`, and its request id. */
  readonly request: string | null
  readonly requestId: string | null
}

/** A run: what it can use, and which sections it tests. */
export type Run = {
  readonly setting: Setting
  readonly sections: readonly Section[]
  /** Called with each result. */
  readonly onResult?: (result: Result) => void
}

/** Tests the statements one after the other, in the order of the contract. */
export const run = async ({ setting, sections, onResult }: Run): Promise<readonly Result[]> => {
  const met = needsMet(setting)
  const times = new Times()
  const results: Result[] = []
  for (const section of sections) {
    for (const statement of section.statements) {
      const started = performance.now()
      const tried = await tryOne(statement, setting, times, met)
      const result: Result = {
        id: idOf(section, statement),
        section: section.name,
        number: statement.number,
        says: statement.says,
        durationMs: Math.round(performance.now() - started),
        ...tried,
      }
      results.push(result)
      onResult?.(result)
    }
  }
  return results
}

type Tried = Pick<Result, 'outcome' | 'because' | 'failure'>

const tryOne = async (
  statement: Statement | Untried,
  setting: Setting,
  times: Times,
  met: ReadonlySet<Need>,
): Promise<Tried> => {
  if ('untried' in statement) return { outcome: 'not tried', because: statement.untried }
  const missing = statement.needs?.find((need) => !met.has(need))
  if (missing) return { outcome: 'not tried', because: withoutNeed[missing] }
  const { world, last, tidy } = openWorld(setting, times)
  try {
    await statement.check(world)
    return { outcome: 'passed' }
  } catch (error) {
    if (error instanceof CannotTry) return { outcome: 'not tried', because: error.message }
    const reply = last()
    const { expected, seen } = error instanceof Unmet ? error : unforeseen(error, statement)
    const failure = {
      ...{ expected, seen },
      ...{ request: reply?.request ?? null, requestId: reply?.requestId ?? null },
    }
    return { outcome: 'failed', failure: withoutKeys(failure, setting) }
  } finally {
    await tidy()
  }
}

/** No answer, or one without a field that the check reads. */
const unforeseen = (error: unknown, { says }: Statement): Pick<Failure, 'expected' | 'seen'> => {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return { expected: says, seen: `${error instanceof Error ? error.message : String(error)}${cause}` }
}

/** Reports are shown to others, so they contain no key, even if the service answered with one. */
const withoutKeys = (failure: Failure, { keys }: Setting): Failure => {
  const texts = Object.values(keys).filter((key): key is string => Boolean(key))
  const clean = (text: string): string => texts.reduce((left, key) => left.replaceAll(key, '<API_KEY>'), text)
  const request = failure.request === null ? null : clean(failure.request)
  return { ...failure, expected: clean(failure.expected), seen: clean(failure.seen), request }
}

const needsMet = (setting: Setting): ReadonlySet<Need> => {
  const { keys, receiver, trigger, advance } = setting
  const met: Record<Need, unknown> = {
    'read key': keys.read,
    'automation key': keys.automation,
    "another venue's key": keys.other,
    'revoked key': keys.revoked,
    'checkout key': keys.checkout,
    'return address': setting.returnUrl,
    receiver,
    trigger,
    clock: advance,
    loopback: setting.isLoopback,
  }
  return new Set((Object.keys(met) as Need[]).filter((need) => met[need]))
}
