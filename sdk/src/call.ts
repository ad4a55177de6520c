import type { Answer, Call } from './call-types.ts'

/** Turns a promise of an answer into a promise of its body. */
export const callOf = (answer: Promise<Answer<unknown>>): Call<unknown> => {
  const body = answer.then((whole) => whole.body)
  return Object.assign(body, {
    withAnswer: () => {
      // A failure reaches the code that waits for the answer.
      body.catch(() => undefined)
      return answer
    },
  })
}
