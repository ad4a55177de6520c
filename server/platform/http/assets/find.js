/*
 * Ranks matches for a few typed words, best first. Every word must occur. A match in a name counts more than one in the
 * text, and the start of a word counts more than its middle.
 */

const most = 12

export const find = (index, asked) => {
  const terms = asked.toLowerCase().split(/\s+/).filter(Boolean)
  if (terms.length === 0) return []
  return index
    .map((entry) => ({ entry, worth: worthOf(entry, terms, asked.trim().toLowerCase()) }))
    .filter(({ worth }) => worth > 0)
    .toSorted((one, other) => other.worth - one.worth)
    .slice(0, most)
    .map(({ entry: [title, kind, address, says] }) => ({ title, kind, address, says }))
}

const worthOf = ([title, kind, , says, words, called], terms, asked) => {
  const name = title.toLowerCase()
  const texts = [
    [name, 12],
    [called, 12],
    [kind.toLowerCase(), 6],
    [words.toLowerCase(), 2],
    [says.toLowerCase(), 2],
  ]
  let sum = name === asked || kind.toLowerCase() === asked ? 100 : 0
  if (name.startsWith(asked)) sum += 10
  for (const term of terms) {
    const worth = Math.max(...texts.map(([text, weight]) => weight * fitOf(text, term)))
    if (worth === 0) return 0
    sum += worth
  }
  return sum
}

/** 3: a whole word of the text; 2: the start of a word; 1: the middle of one. */
const fitOf = (text, term) => {
  let best = 0
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (isLetter(text[at - 1])) best = Math.max(best, 1)
    else if (isLetter(text[at + term.length])) best = Math.max(best, 2)
    else return 3
  }
  return best
}

const isLetter = (sign) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)
