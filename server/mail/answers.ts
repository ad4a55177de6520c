/*
 * What a mail relay says, made fit for the database and the log: without addresses, in one short line.
 */

const longest = 200
/** A server that goes on for longer is not read on: an address is looked for from every character. */
const mostRead = 4_000

/** An answer as it is kept: addresses and the recipient's own name in it are left out. */
export const keptAnswer = (said: string, to = ''): string => {
  const local = to.slice(0, to.lastIndexOf('@'))
  const plain = said
    .slice(0, mostRead)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replaceAll(/[^\s<>"'()[\],;:]+@[^\s<>"'()[\],;]+/g, '…')
  const kept = local.length > 2 ? plain.replaceAll(new RegExp(RegExp.escape(local), 'gi'), '…') : plain
  return kept.trim().slice(0, longest)
}

/** The enhanced status (RFC 3463) of an answer: `550 5.1.1 No such user` gives `5.1.1`. */
export const enhancedCode = (said: string): string | null =>
  /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?!\d)/.exec(said)?.[1] ?? null
