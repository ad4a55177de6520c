import type { CheckoutRow } from '../../core/money/checkout-store.ts'
import type { Words } from '../guest-words/en.ts'
import { whyRefused } from './ticket-facts.ts'

/* Who paid, or gave a card, for what could no longer be given: the page and the mail say the same. */

type Refused = Pick<CheckoutRow, 'kind' | 'mode' | 'why'>

/** Nothing came of it, and nothing was taken. */
export const endedTitle = (
  { asked, sale, secure }: Words,
  { kind, why }: Pick<Refused, 'kind' | 'why'>,
): string => {
  if (kind === 'table') return secure.ended
  if (kind !== 'tickets' && why === 'not-asked') return asked.noMore
  return kind === 'tickets' ? sale.endedTitle : asked.notYet
}

export const refusedTitle = (words: Words, row: Refused): string => {
  const { asked, sale, secure } = words
  const { kind, mode, why } = row
  if (why === 'unpaid') return endedTitle(words, row)
  if (kind === 'table') return secure.refusedCard
  return kind !== 'tickets' && mode === 'setup' ? asked.noMore : sale.refusedTitle
}

/** Why, and what happens to what was given, if anything was. */
export const refusedWhy = (words: Words, { kind, mode, why }: Refused): readonly string[] => {
  const { asked, sale, secure } = words
  if (why === 'unpaid') return [sale.unpaid]
  if (kind === 'ask' || kind === 'fee') return [asked.noMore, mode === 'setup' ? secure.backCard : sale.back]
  if (kind !== 'table') return [whyRefused(words, why), sale.back]
  const isCard = mode === 'setup'
  return [
    why === 'over' ? secure.over : why === 'closed' ? secure.closed : isCard ? secure.fullCard : secure.full,
    isCard ? secure.backCard : sale.back,
  ]
}
