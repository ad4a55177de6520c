/** What was found of one thing. */
export type Finding = {
  readonly is: 'fine' | 'warning' | 'problem'
  /** What it is about, in a word. */
  readonly about: string
  readonly sentence: string
  /** What to do. */
  readonly advice?: string
}
