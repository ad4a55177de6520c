/*
 * What a domain says in the DNS about who may send mail for it: SPF (RFC 7208), DKIM keys (RFC 6376) and DMARC (RFC
 * 7489). Text in, answer out. A record that receivers would ignore counts as missing: for SPF, one with a mistake
 * anywhere; for SPF and DMARC, a second record of the kind.
 */

/** `found`: some host may send. `missing`: no record, more than one, or one with a mistake. `nobody`: no host may, as by `-all` alone. */
export type SpfFound = 'found' | 'missing' | 'nobody'

/** What the texts at a domain say of SPF. */
export const readSpf = (texts: readonly string[]): SpfFound => {
  const [record, another] = texts.filter((text) => /^v=spf1(?: |$)/i.test(text))
  if (record === undefined || another !== undefined) return 'missing'
  const terms = record
    .split(' ')
    .slice(1)
    .filter((term) => term !== '')
  if (!terms.every(isSpfTerm)) return 'missing'
  return terms.some(letsSomebody) ? 'found' : 'nobody'
}

/** Mail passes by a mechanism without a sign or with a plus; `~`, `?` and `-` never let it pass. */
const letsSomebody = (term: string): boolean =>
  /^redirect=/i.test(term) || (!/^[-~?]/.test(term) && !/^[a-z][\w.-]*=/i.test(term))

const isSpfTerm = (term: string): boolean => {
  const [, name = '', rest = ''] = /^[-+~?]?([a-z][a-z0-9_.-]*)(.*)$/is.exec(term) ?? []
  if (rest.startsWith('=')) return isSpfModifier(term, name, rest)
  const mistake = spfMechanisms[name.toLowerCase()]
  return mistake !== undefined && mistake.test(rest)
}

/** Unknown modifiers are passed over (RFC 7208, 6); the two that are known need a domain. */
const isSpfModifier = (term: string, name: string, rest: string): boolean =>
  !/^[-+~?]/.test(term) && (!/^(?:redirect|exp)$/i.test(name) || /^=[^\s/:=]+$/.test(rest))

/** What may follow each mechanism's name. */
const spfMechanisms: Readonly<Record<string, RegExp>> = {
  all: /^$/,
  include: /^:[^\s/:]+$/,
  a: /^(?::[^\s/:]+)?(?:\/\d{1,2})?(?:\/\/\d{1,3})?$/,
  mx: /^(?::[^\s/:]+)?(?:\/\d{1,2})?(?:\/\/\d{1,3})?$/,
  ptr: /^(?::[^\s/:]+)?$/,
  ip4: /^:\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?$/,
  ip6: /^:(?=[\da-f.]*:)[\da-f:.]+(?:\/\d{1,3})?$/i,
  exists: /^:[^\s/:]+$/,
}

/** Whether the texts at `<selector>._domainkey.<domain>` hold a key in use; one with an empty `p` was withdrawn. */
export const readDkimKey = (texts: readonly string[]): { readonly publicKey: string } | undefined =>
  texts
    .map((text) => {
      const tags = tagsOf(text)
      const publicKey = tags?.get('p')?.replaceAll(/\s/g, '') ?? ''
      const isKey =
        (tags?.get('v') ?? 'DKIM1') === 'DKIM1' &&
        /^(?:rsa|ed25519)$/.test(tags?.get('k') ?? 'rsa') &&
        (tags?.get('s') ?? '*').split(':').some((service) => /^\s*(?:\*|email)\s*$/.test(service)) &&
        /^[A-Za-z0-9+/]+={0,2}$/.test(publicKey)
      return isKey ? { publicKey } : undefined
    })
    .find((key) => key !== undefined)

export type DmarcPolicy = 'none' | 'quarantine' | 'reject'
export type Dmarc = {
  readonly policy: DmarcPolicy
  /** What holds for names below; the policy where there is no `sp`. */
  readonly subdomains: DmarcPolicy
  /** Strict: only the very same domain is aligned. */
  readonly strictDkim: boolean
  readonly strictSpf: boolean
  /** `y`: names below belong to others, as below co.uk. `n`: this is the organisation's own. */
  readonly psd: 'y' | 'n' | undefined
}

/** What the texts at `_dmarc.<domain>` say. */
export const readDmarc = (texts: readonly string[]): Dmarc | undefined => {
  const [record, another] = texts.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text))
  const tags = record === undefined || another !== undefined ? undefined : tagsOf(record)
  if (!tags) return undefined
  // Without a policy that can be read, one who asks for reports at least asks for nothing else (RFC 7489, 6.6.3).
  const policy = policyOf(tags.get('p')) ?? (/\bmailto:/i.test(tags.get('rua') ?? '') ? 'none' : undefined)
  if (policy === undefined) return undefined
  const psd = tags.get('psd')?.toLowerCase()
  return {
    policy,
    subdomains: policyOf(tags.get('sp')) ?? policy,
    strictDkim: tags.get('adkim')?.toLowerCase() === 's',
    strictSpf: tags.get('aspf')?.toLowerCase() === 's',
    psd: psd === 'y' || psd === 'n' ? psd : undefined,
  }
}

const policyOf = (text: string | undefined): DmarcPolicy | undefined =>
  (['none', 'quarantine', 'reject'] as const).find((policy) => policy === text?.toLowerCase())

/** `a=1; b=2`; undefined where it is no such list or has a tag twice (RFC 6376, 3.2). */
const tagsOf = (text: string): ReadonlyMap<string, string> | undefined => {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    if (part.trim() === '') continue
    // No expression over the whole part: one with blanks on both sides takes the square of its length.
    const equals = part.indexOf('=')
    const name = part.slice(0, Math.max(equals, 0)).trim()
    if (!/^[a-z][a-z0-9_]*$/i.test(name) || tags.has(name)) return undefined
    tags.set(name, part.slice(equals + 1).trim())
  }
  return tags
}
