import type { MailContent } from './mail-template.ts'
import { tokensOf } from './tokens.ts'

/** The venue's own pages for guests, and what their addresses call the campaign. */
type Named = { readonly pages: string; readonly campaign: number }

/**
 * A mail whose links to the venue's own pages say which campaign they are in, so that reports can say what came of it.
 * Links elsewhere stay as they are, and so does one that names a campaign already.
 */
export const nameCampaign = (content: MailContent, named: Named): MailContent => ({
  ...content,
  bodyHtml: inLinks(content.bodyHtml, named),
  bodyText: content.bodyText.replaceAll(/https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?]/g, (address) =>
    inAddress(address, named, '&'),
  ),
})

const inLinks = (html: string, named: Named): string => {
  if (!html.includes(named.pages)) return html
  return tokensOf(html)
    .map((token) => {
      if (token.kind !== 'open' || token.name !== 'a') return token.text
      const href = token.attributes.find(({ name }) => name === 'href')
      if (!href) return token.text
      const at = href.at - token.at
      const after = token.text.slice(at + href.value.length)
      return token.text.slice(0, at) + inAddress(href.value, named, '&amp;') + after
    })
    .join('')
}

/** `and`: how an address has the sign between two words here. */
const inAddress = (address: string, { pages, campaign }: Named, and: '&' | '&amp;'): string => {
  const [, path = '', query, mark = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? []
  const isOwn = path === pages || path.startsWith(`${pages}/`)
  if (!isOwn || /(?:^|[?&;])utm_campaign=/.test(query ?? '')) return address
  const words = [...(query === undefined || query === '' ? [] : [query]), `utm_campaign=c${campaign}`]
  return `${path}?${words.join(and)}${mark}`
}
