/*
 * The tables of a section as staff type them: labels between blanks, commas or semicolons. A label may have a blank itself.
 */

/** Each label as it was typed: at each place the longest that is known (in lower case), else the next word. */
export const labelsIn = (text: string, known: Iterable<string>): readonly string[] => {
  const longestFirst = [...known].toSorted((a, b) => b.length - a.length)
  const labels: string[] = []
  let rest = text.replaceAll(/\s+/g, ' ')
  for (;;) {
    rest = rest.replace(/^[ ,;]+/, '')
    if (rest === '') return labels
    const lower = rest.toLowerCase()
    const label = longestFirst.find(
      (one) => lower.startsWith(one) && /^(?:[ ,;]|$)/.test(lower.slice(one.length)),
    )
    const length = label?.length ?? rest.search(/[ ,;]|$/)
    labels.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
}

/** The same as a field begins: with commas where a blank does not divide them. */
export const typedLabels = (labels: readonly string[]): string =>
  labels.join(labels.some((label) => label.includes(' ')) ? ', ' : ' ')
