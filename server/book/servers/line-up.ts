import type { InLineUp } from './writes.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'

/*
 * A line-up as it is made: who is ticked without a section gets the next that nobody has, so that a shift of five is five
 * ticks and a press. Facts in, answer out.
 */

export type TypedInLineUp = Omit<InLineUp, 'sections'> & {
  readonly name: string
  /** As typed, "1, 6"; empty: the next free one. */
  readonly sections: string
}

/** Gives everybody their sections, in the order of the line-up. Refuses sections the plan does not have, and one given twice. */
export const withSections = (
  typed: readonly TypedInLineUp[],
  ofPlan: readonly number[],
): readonly InLineUp[] => {
  const taken = new Map<number, string>()
  const named = typed.map(({ name, sections }) => {
    const words = new Set(sections.split(/[\s,;]+/).filter((word) => word !== ''))
    return [...words].map((word) => {
      const section = Number(word)
      if (!ofPlan.includes(section))
        throw badRequest(`This plan has no section ${word}; it has ${ofPlan.join(', ')}.`)
      const other = taken.get(section)
      if (other !== undefined) throw badRequest(`${other} and ${name} both have section ${section}.`)
      taken.set(section, name)
      return section
    })
  })
  const free = ofPlan.filter((section) => !taken.has(section))
  return typed
    .map(({ server, fromMinute, untilMinute }, place) => {
      const own = named[place] ?? []
      const next = own.length > 0 ? undefined : free.shift()
      return { server, fromMinute, untilMinute, sections: next === undefined ? own : [next] }
    })
    .toSorted((a, b) => (a.sections[0] ?? Infinity) - (b.sections[0] ?? Infinity))
}
