import { domainToASCII } from 'node:url'
import type { LookUpTexts } from './look-up-texts.ts'
import { type Dmarc, readDkimKey, readDmarc, readSpf } from './sender-records.ts'

/*
 * Whether receivers can tell that mail from a domain is its own: the records are there, and what passes belongs to the
 * domain in From (DMARC alignment). What the DNS cannot tell just now is null, and is held against nobody.
 */

export type SenderAsked = {
  /** Domain of the address in From. */
  readonly from: string
  /** Domain of the envelope sender, which SPF is looked up for. */
  readonly envelope: string
  /** How this service signs; null: the relay does, by a key we do not know of. `publicKey`: base64 of its SPKI form. */
  readonly dkim: { readonly domain: string; readonly selector: string; readonly publicKey?: string } | null
}

export type SenderDomain = {
  readonly spf: boolean | null
  /** Null also where the relay signs. */
  readonly dkim: boolean | null
  readonly dmarc: boolean | null
  /** The envelope's domain or the signing one belongs to the domain in From, as its DMARC policy asks. */
  readonly isAligned: boolean | null
  /** The names that were looked up, for the person who has to fix them. */
  readonly askedAt: { readonly spf: string; readonly dkim: string | null; readonly dmarc: string }
}

/** Asks all at once, so that it takes no longer than one question. Never rejects. */
export const lookUpSender = async (lookUp: LookUpTexts, asked: SenderAsked): Promise<SenderDomain> => {
  const [from, envelope] = [hostOf(asked.from), hostOf(asked.envelope)]
  const { dkim } = asked
  const signing = dkim && hostOf(dkim.domain)
  const askedAt = {
    spf: envelope,
    dkim: dkim && `${dkim.selector}._domainkey.${signing}`,
    dmarc: `_dmarc.${from}`,
  }
  const [spf, key, atFrom, atEnvelope, atSigning] = await Promise.all([
    quietly(lookUp(askedAt.spf)),
    askedAt.dkim === null ? null : quietly(lookUp(askedAt.dkim)),
    policiesAbove(lookUp, from),
    policiesAbove(lookUp, envelope),
    signing === null ? null : policiesAbove(lookUp, signing),
  ])
  const policy = policyFor(atFrom)
  return {
    askedAt,
    spf: spf && readSpf(spf) === 'found',
    dkim: dkim && key && isOurKey(readDkimKey(key), dkim.publicKey),
    dmarc: policy === null ? null : policy !== undefined,
    isAligned: either(
      isAlignedWith(atFrom, atEnvelope, policy?.strictSpf === true),
      atSigning && isAlignedWith(atFrom, atSigning, policy?.strictDkim === true),
    ),
  }
}

/** Published keys are the whole SPKI form, or the end of it, which is the bare RSA key. */
const isOurKey = (found: { readonly publicKey: string } | undefined, ours: string | undefined): boolean => {
  if (!found || ours === undefined) return found !== undefined
  const [whole, published] = [Buffer.from(ours, 'base64'), Buffer.from(found.publicKey, 'base64')]
  return whole.subarray(-published.length).equals(published)
}

/** A domain and those above it, the longest first, and what each says; null: unknown. */
type Policies = readonly { readonly domain: string; readonly policy: Dmarc | undefined | null }[]

/** Labels a walk up the tree looks at besides the domain itself. */
const walkLabels = 7

const policiesAbove = (lookUp: LookUpTexts, domain: string): Promise<Policies> => {
  const labels = domain.split('.')
  const above = labels.slice(1).map((_, at) => labels.slice(at + 1).join('.'))
  return Promise.all(
    [domain, ...above.slice(-walkLabels)].map(async (one) => {
      const texts = await quietly(lookUp(`_dmarc.${one}`))
      return { domain: one, policy: texts && readDmarc(texts) }
    }),
  )
}

/** The domain's own policy, otherwise that of its organization; undefined: none; null: unknown. */
const policyFor = (policies: Policies): Dmarc | undefined | null => {
  const own = policies[0]?.policy
  if (own) return own
  const { domain, isSure } = organisationOf(policies)
  const shared = policies.find((one) => one.domain === domain)?.policy
  return shared ?? (isSure ? undefined : null)
}

/**
 * The organisation a domain belongs to, found by the walk up the tree of DMARC's second edition, which needs no list of
 * public suffixes: the highest name with a policy, unless one says where it ends.
 */
const organisationOf = (policies: Policies): { readonly domain: string; readonly isSure: boolean } => {
  const [{ domain: own }] = policies as [Policies[number]]
  let highest = own
  let isSure = true
  for (const [at, { domain, policy }] of policies.entries()) {
    if (policy === null) isSure = false
    if (!policy) continue
    if (policy.psd === 'n') return { domain, isSure }
    if (policy.psd === 'y' && at > 0) return { domain: policies[at - 1]?.domain ?? own, isSure }
    // No organisation is a whole top-level domain.
    if (domain.includes('.')) highest = domain
  }
  return { domain: highest, isSure }
}

const isAlignedWith = (from: Policies, other: Policies, strict: boolean): boolean | null => {
  if (from[0]?.domain === other[0]?.domain) return true
  // The policy that asks for it may not be the one that holds.
  if (strict) return from[0]?.policy === null ? null : false
  const [one, another] = [organisationOf(from), organisationOf(other)]
  return one.domain === another.domain || (one.isSure && another.isSure ? false : null)
}

/** One that is true is enough; an unknown one leaves it open. */
const either = (one: boolean | null, other: boolean | null): boolean | null =>
  one === true || other === true ? true : one === null || other === null ? null : false

const quietly = (texts: Promise<readonly string[]>): Promise<readonly string[] | null> =>
  texts.catch(() => null)

/** As the DNS has it: no letters beyond ASCII, no capitals. */
const hostOf = (domain: string): string => domainToASCII(domain.replace(/\.$/, '')) || domain.toLowerCase()
