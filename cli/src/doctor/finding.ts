/** The result of one check. */
export type Finding = {
  readonly is: 'fine' | 'warning' | 'problem'
  /** What was checked, in one word. */
  readonly about: string
  readonly sentence: string
  /** What to do. */
  readonly advice?: string
}
