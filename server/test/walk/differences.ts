/*
 * Where version 1 answers otherwise than when the walk was first recorded, and why. `recorded.txt` stays as it was; the
 * walk must be that recording with these differences made to it, and nothing else may differ.
 *
 * To list one: the titles of the exchanges (walk.test.ts prints them), the text of the recording that changes (it must
 * stand exactly once in each of them) and what stands there now. A line more is a line with another one behind it.
 */

export type Difference = {
  /** The exchanges it shows in, by their titles. */
  readonly exchanges: readonly string[]
  /** Text of the recording; may go over several lines. */
  readonly before: string
  readonly after: string
  /** In a sentence, for an integrator who asks. */
  readonly why: string
}

export const differences: readonly Difference[] = []
