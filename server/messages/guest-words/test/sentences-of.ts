/** Every sentence by its place in the catalog; what takes words is given some, such as «0». */
export const sentencesOf = (value: unknown, place = ''): (readonly [place: string, sentence: string])[] => {
  if (typeof value === 'string') return [[place, value]]
  if (typeof value === 'function') {
    const facts = { left: '3', least: '2', most: '8', notice: '60', ahead: '90' }
    const given = [...Array<string>(value.length).keys()].map((at) => `«${at}»`)
    if (place.startsWith('.refusals.'))
      given.splice(1, 1, { ...facts, cutoff: '16:00', lastArrival: '21:00' } as never)
    return sentencesOf((value as (...words: unknown[]) => unknown)(...given), place)
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => sentencesOf(one, `${place}.${name}`))
}
