import { isIP } from 'node:net'
import { internalEndings } from '../../../../platform/net/destination.ts'
import { isPublicAddress } from '../../../../platform/net/public-address.ts'
import type { Check } from '../check.ts'
import type { Link } from '../../content/mail-view.ts'
import { samplePerson } from '../../content/preview.ts'

/** Filters judge an email by what else goes through the same shortener. */
const shortLinksMost = 3
const shownCharacters = 60

/** What is wrong with links and image addresses. */
export const linkChecks: readonly Check[] = [
  {
    code: 'unsubscribe-missing',
    effect: 'block',
    when: 'No link that can be seen leads to `{{unsubscribeUrl}}`. The guided footer has one.',
    judge: (_facts, { links }) =>
      links.some(({ address, words }) => address === samplePerson.unsubscribeUrl && words.trim() !== '')
        ? null
        : 'There is no link to unsubscribe that people can see. Put one with the address {{unsubscribeUrl}} into the mail.',
  },
  {
    code: 'link-scheme',
    effect: 'block',
    when: 'A link leads nowhere, or to something other than a web page, a mail address or a phone; or a picture has no web address. Cleaning takes such addresses out.',
    judge: (_facts, { bodyLinks, pictures }) => {
      const dead = bodyLinks.find(({ address }) => !isFollowed(address))
      if (dead !== undefined)
        return `${named(dead)} leads nowhere. Links may begin with https://, mailto: or tel:.`
      return pictures.some(({ address }) => address === undefined)
        ? 'A picture has no address on the web. Pictures must begin with https://; pictures that were pasted in cannot be sent.'
        : null
    },
  },
  {
    code: 'link-local',
    effect: 'block',
    when: 'A link or a picture has an address that only works inside one network, or without a host.',
    judge: (_facts, { bodyLinks, pictures }) => {
      const local = [
        ...bodyLinks,
        ...pictures.map(({ address = 'https://picture.org', alternative = '' }) => ({
          address,
          words: alternative,
        })),
      ].find(({ address }) => isLocal(address))
      return local === undefined
        ? null
        : `${named(local)} has the address ${local.address.slice(0, shownCharacters)}, which nobody outside can open.`
    },
  },
  {
    code: 'short-links',
    effect: 'advise',
    when: `${shortLinksMost} or more links use the same link shortener.`,
    judge: (_facts, { bodyLinks }) => {
      const hosts = bodyLinks
        .flatMap(({ address }) => hostOf(address) ?? [])
        .filter((host) => shorteners.has(host))
      const most = hosts.find((host) => hosts.filter((one) => one === host).length >= shortLinksMost)
      return most === undefined
        ? null
        : `Many links go through ${most}. So does spam, and filters know it; link to your own pages.`
    },
  },
]

const shorteners = new Set([
  'bit.ly',
  'tinyurl.com',
  't.co',
  'goo.gl',
  'ow.ly',
  'is.gd',
  'buff.ly',
  'rebrand.ly',
  'cutt.ly',
  'shorturl.at',
  't.ly',
  'rb.gy',
  'tiny.cc',
  'lnkd.in',
])

const named = ({ words }: Link): string => {
  const said = words.replaceAll(/\s+/g, ' ').trim().slice(0, shownCharacters)
  return said === '' ? 'A link' : `"${said}"`
}

const isOurs = (address: string): boolean =>
  address === samplePerson.unsubscribeUrl || address === samplePerson.preferencesUrl

/** Jumps inside the email (`#menu`) are followed; a lone `#` is what cleaning leaves of an address it refuses. */
const isFollowed = (address: string): boolean =>
  /^#./.test(address) ||
  (!/^[a-z][a-z0-9+.-]*:/i.test(address) && address !== '#' && address !== '') ||
  /^(?:https?|mailto|tel):./i.test(address)

const isLocal = (address: string): boolean => {
  if (isOurs(address) || /^(?:#|mailto:|tel:)/i.test(address) || address === '') return false
  if (!/^[a-z][a-z0-9+.-]*:/i.test(address)) return true
  if (!/^https?:/i.test(address)) return false
  const host = hostOf(address)
  if (host === undefined) return true
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return !host.includes('.') || internalEndings.some((ending) => host.endsWith(`.${ending}`))
}

/** In lower case, without a dot at its end and the brackets of IPv6. */
const hostOf = (address: string): string | undefined =>
  URL.parse(address)?.hostname.replace(/\.$/, '').replaceAll(/[[\]]/g, '')
