/**
 * Answers many questions in one run. While `atOnce` runs are under way the next questions gather, so under load many are
 * asked together and otherwise each at once. The run that answers a question always starts after it was asked.
 */
export const gatherer = <Asked, Answer>({
  atOnce,
  most,
  run,
  isForAll,
}: {
  readonly atOnce: number
  /** Maximum number of questions per run. */
  readonly most: number
  /** Resolves to the answers in the order of the questions; one that is still to come may fail by itself. */
  readonly run: (asked: readonly Asked[]) => Promise<readonly (Answer | Promise<Answer>)[]>
  /** An error that those waiting would meet too: they fail with it rather than wait as long for the same. */
  readonly isForAll?: (error: unknown) => boolean
}): ((asked: Asked) => Promise<Answer>) => {
  const waiting: (PromiseWithResolvers<Answer> & { readonly asked: Asked })[] = []
  let running = 0
  let isPlanned = false

  const work = async (): Promise<void> => {
    isPlanned = false
    running++
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most)
      try {
        const answers = await run(batch.map(({ asked }) => asked))
        batch.forEach(({ resolve }, place) => resolve(answers[place] as Answer | Promise<Answer>))
      } catch (error) {
        const failed = isForAll?.(error) === true ? [...batch, ...waiting.splice(0)] : batch
        failed.forEach(({ reject }) => reject(error))
      }
    }
    running--
  }

  return (asked) => {
    const answer = Promise.withResolvers<Answer>()
    waiting.push({ asked, ...answer })
    if (!isPlanned && running < atOnce) {
      isPlanned = true
      // After the current turn of the event loop, so that what arrived together goes together.
      setImmediate(() => void work())
    }
    return answer.promise
  }
}
