/** Every sentence by its place in the catalog; what takes words is given some, such as «0». */
export const sentencesOf = (value: unknown, place = ''): (readonly [place: string, sentence: string])[] => {
  if (typeof value === 'string') return [[place, value]]
  if (typeof value === 'function') {
    const given = [...Array<string>(value.length).keys()].map((at) => `«${at}»`)
    if (place.startsWith('.refusals.'))
      given.splice(1, 1, { ...nothingSet, left: '3', time: () => '16:00', number: () => '8' } as never)
    return sentencesOf((value as (...words: unknown[]) => unknown)(...given), place)
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => sentencesOf(one, `${place}.${name}`))
}

const nothingSet = { limits: {}, rules: {}, place: {} }
