import type { Answer, Call } from './call-types.ts'

/** A promise of an answer as one of its body. */
export const callOf = (answer: Promise<Answer<unknown>>): Call<unknown> => {
  const body = answer.then((whole) => whole.body)
  return Object.assign(body, {
    withAnswer: () => {
      // Whoever waits for the answer hears of its failure there.
      body.catch(() => undefined)
      return answer
    },
  })
}
