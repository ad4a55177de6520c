import { type Html, html } from '../../../platform/html/html.ts'
import { numberInWords } from '../../../platform/kernel/time/in-words.ts'

/** One part of a whole: a label, a count and a color, which never carries the meaning alone. */
export type Share = {
  readonly words: string
  readonly count: number
  readonly tone: 'good' | 'bad' | 'soft' | 'open'
  readonly hint?: string | undefined
}

const width = 1000
const height = 26

/** A whole as one bar, its parts side by side and named below. A part that is not zero is visible, however small. */
export const sharesBar = (caption: string, shares: readonly Share[]): Html => {
  const shown = shares.filter(({ count }) => count > 0)
  const total = shown.reduce((sum, { count }) => sum + count, 0)
  const least = 6
  const room = width - least * shown.length
  let x = 0
  return html`<figure class="shares">
    <svg
      class="chart"
      viewBox="0 0 ${width} ${height}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${caption}: ${shown.map(({ words, count }) => `${words} ${numberInWords(count)}`).join(', ')}"
    >
      ${shown.map(({ count, tone }) => {
        const wide = least + (count / total) * room
        const from = x
        x += wide
        return html`<rect class="share-${tone}" x="${from.toFixed(1)}" y="0" width="${Math.max(1, wide - 2).toFixed(1)}" height="${height}"></rect>`
      })}
    </svg>
    <figcaption class="figures">
      ${shares
        .filter(({ count, tone }) => count > 0 || tone === 'good')
        .map(
          ({ words, count, tone }) =>
            html`<div class="figure">
              <strong>${numberInWords(count)}</strong
              ><span><i class="key key-${tone}" aria-hidden="true"></i>${words}${total > 0 && `, ${percent(count, total)}`}</span>
            </div>`,
        )}
    </figcaption>
  </figure>`
}

/** Counts out of a whole, a bar for each; the table gives the same figures. */
export const barTable = (caption: string, rows: readonly Share[], of: number): Html => {
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return html`<table class="table bars">
    <caption>
      ${caption}
    </caption>
    <tbody>
      ${rows.map(
        ({ words, count, tone, hint }) =>
          html`<tr>
            <th scope="row">${words}${hint !== undefined && html`<span class="small soft">${hint}</span>`}</th>
            <td class="right">
              <strong>${numberInWords(count)}</strong> ${of > 0 && html`<span class="small soft">${percent(count, of)}</span>`}
              <svg class="bar-of-row" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect class="track" x="0" y="0" width="100" height="6"></rect>
                <rect class="share-${tone}" x="0" y="0" width="${((count / most) * 100).toFixed(1)}" height="6"></rect>
              </svg>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** "12%", with more digits for what is rare: "0.04%". */
export const percent = (count: number, of: number): string => {
  if (of <= 0 || count === 0) return '0%'
  const share = (count / of) * 100
  if (share >= 99.5 && count < of) return 'over 99%'
  return share >= 10
    ? `${Math.round(share)}%`
    : share >= 0.1
      ? `${share.toFixed(1)}%`
      : `${Math.max(0.01, share).toFixed(2)}%`
}
