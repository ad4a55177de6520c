import { randomUUID } from 'node:crypto'
import type { Actor } from '../activity/actor.ts'
import type { VenueRow } from '../venue/venues.ts'
import type { Context, Work } from '../../context.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import {
  type AccountRow,
  type AccountToKeep,
  type KnownAccount,
  beginAccount,
  keepSigning,
  keyOf,
  knownAccounts,
  openAccount,
  openAccountForUpdate,
  putKey,
  renewKey,
  writeCheck,
} from './account-store.ts'
import { lookOnceMore } from './checkout-store.ts'
import { leastCharge } from './currency.ts'
import { venueCurrency } from './venue-currency.ts'
import {
  type Callback,
  type Outcome,
  type Processor,
  type SessionAsked,
  isDenied,
  noAnswer,
} from './processor.ts'

/*
 * Connecting the venue's own account: the key is tried for everything it will be asked for, without effect, before it is
 * kept, and the processor is asked to call this service. No call is made inside a transaction.
 */

type Parts = Pick<Context, 'secrets' | 'random' | 'processors' | 'config' | 'hold'>
type Place = Pick<Work, 'db' | 'venue' | 'now'> & { readonly venue: Pick<VenueRow, 'country' | 'currency'> }
/** What a call about its address needs. */
type Called = Pick<Work, 'db' | 'venue' | 'now'>
type Transact = <T>(act: (work: Work) => Promise<T>) => Promise<T>

/** `another`: there was an account before that is not this key's; what it took is given back with its own key. */
export type Connected = 'connected' | 'another'

/** Keeps a key. Refuses what is no restricted key, one that may do too little, and a live one on a practice instance. */
export const connectAccount = async (
  parts: Parts,
  place: Place,
  transact: Transact,
  actor: Actor,
  typed: string,
): Promise<Connected> => {
  refuseOnHold(parts)
  const key = typed.trim()
  const live = isLive(parts, key)
  const processor = parts.processors.of(key, 'request')
  const { missing } = answered(await processor.tryAll(probeOf(parts, place)))
  if (missing.length > 0)
    throw badRequest(
      `This key may not do everything it must. Allow it in Stripe, then paste it again: ${missing.join(', ')}.`,
    )
  const known = await knownAccounts(place.db, place.venue.id, live)
  const areOwned = await Promise.all(known.map((account) => isOf(processor, account)))
  const [same, ...others] = known.filter((_, at) => areOwned[at])
  const isCalled =
    same !== undefined &&
    same.callback_ref !== null &&
    (await callsAt(parts, place, processor, same.callback_ref))
  const callback: AccountToKeep['callback'] = isCalled
    ? 'as before'
    : await registered(processor, callbackUrl(parts, place))
  await transact(async (work) => {
    const kept = { id: same?.id ?? randomUUID(), live, key, callback }
    await (same ? renewKey : beginAccount)(parts, work, actor, kept)
    for (const { id } of others) await putKey(parts, work, id, key)
    for (const { id } of [kept, ...others]) await lookOnceMore(work.db, work.venue.id, id, work.now())
  })
  return same === undefined && known.some(mayBeToldApart) ? 'another' : 'connected'
}

/** What the owner registered at the processor by hand. */
export const enterSigning = async (parts: Parts, work: Work, actor: Actor, typed: string): Promise<void> => {
  const signing = typed.trim()
  if (!/^whsec_\w{8,200}$/.test(signing)) throw badRequest('The signing secret begins with whsec_.')
  const account = await openAccountForUpdate(work.db, work.venue.id)
  if (!account) throw badRequest('Paste the key first.')
  await keepSigning(parts, work, actor, { id: account.id, signing, live: account.live })
}

/** Tries the account again; what was found is on the page. Returns whether all is well. */
export const testAccount = async (parts: Parts, place: Place): Promise<boolean> => {
  refuseOnHold(parts)
  const account = await openAccount(place.db, place.venue.id)
  if (!account) throw badRequest('Paste the key first.')
  const processor = parts.processors.of(keyOf(parts.secrets, place.venue.id, account), 'request')
  const trouble = await troubleOf(parts, place, processor, account)
  await writeCheck(place.db, place.venue.id, account.id, trouble, place.now())
  return trouble === null
}

/** Whether the processor still calls us about everything; what is wrong is on the page. One that it does not answer says nothing. */
export const checkCallback = async (
  parts: Pick<Parts, 'secrets' | 'processors' | 'config'>,
  place: Called,
  account: AccountRow,
): Promise<void> => {
  if (account.callback_ref === null) return
  const processor = parts.processors.of(keyOf(parts.secrets, place.venue.id, account), 'job')
  const seen = await processor.callbackIsWell(account.callback_ref, callbackUrl(parts, place))
  const isWell = seen.kind === 'done' && seen.value
  if (!isWell && seen.kind !== 'done' && seen.kind !== 'gone') return
  const trouble = isWell ? null : notCalled
  if (trouble !== null || account.trouble === notCalled)
    await writeCheck(place.db, place.venue.id, account.id, trouble, place.now())
}

const notCalled =
  'Stripe does not call this service about everything it must. Paste a key again to register it again.'

const troubleOf = async (
  parts: Parts,
  place: Place,
  processor: Processor,
  account: AccountRow,
): Promise<string | null> => {
  const tried = await processor.tryAll(probeOf(parts, place))
  if (tried.kind !== 'done') return sentenceOf(tried)
  if (tried.value.missing.length > 0) return `The key may not: ${tried.value.missing.join(', ')}.`
  if (account.callback_ref === null) return null
  return (await callsAt(parts, place, processor, account.callback_ref)) ? null : notCalled
}

export const callbackUrl = (
  { config }: Pick<Parts, 'config'>,
  { venue }: { readonly venue: { readonly slug: string } },
): string => `${config.publicUrl}/payments/${venue.slug}`

/** A test opens a page there, and a key has the processor call this address: a copy that was restored does neither. */
const refuseOnHold = ({ hold }: Parts): void => {
  if (hold.isOn())
    throw new Refusal(409, 'This copy was restored and asks Stripe nothing until the service sends again.')
}

const isLive = ({ config }: Parts, key: string): boolean => {
  if (key.startsWith('sk_'))
    throw badRequest(
      'This is a secret key, which may do everything with your account. Make a restricted key in Stripe, which begins with rk_, and paste that.',
    )
  const [, mode] = /^rk_(test|live)_[A-Za-z0-9]{8,200}$/.exec(key) ?? []
  if (mode === undefined)
    throw badRequest('A restricted key begins with rk_test_ or rk_live_ and is long. Copy all of it.')
  if (mode === 'live' && config.practice)
    throw badRequest(
      'A practice instance takes only test keys, which begin with rk_test_: no money may move here.',
    )
  return mode === 'live'
}

/** A session that is opened and closed at once: cards are on, and the key may. */
const probeOf = ({ config }: Parts, { venue, now }: Place): SessionAsked => {
  const currency = venueCurrency(venue) ?? 'USD'
  return {
    mode: 'payment',
    ref: randomUUID(),
    venue: venue.id,
    booking: null,
    try: 1,
    amountCents: Math.max(leastCharge(currency), 100),
    currency,
    title: 'Test, closed at once',
    sentence: null,
    email: null,
    language: 'en',
    endsAt: now().add({ minutes: 31 }),
    backUrl: config.publicUrl,
    cancelUrl: config.publicUrl,
  }
}

/**
 * Whether the key is of an account that we know: it sees an object of ours there. An address to call may have been
 * deleted there, or be none of ours; a page for payments is there for good.
 */
const isOf = async (processor: Processor, account: KnownAccount): Promise<boolean> => {
  const { callback_ref: callbackRef, session_ref: sessionRef } = account
  for (const object of [
    ...(callbackRef === null ? [] : [{ callbackRef }]),
    ...(sessionRef === null ? [] : [{ sessionRef }]),
  ]) {
    const seen = await processor.owns(object)
    if (seen.kind === 'done' && seen.value) return true
    // Not a guess: a wrong one would be another account, and what the old one took could not be refunded.
    if (seen.kind !== 'done' && seen.kind !== 'denied') answered(seen)
  }
  return false
}

/** Whether there is an object of it by which a key shows whose it is. */
const mayBeToldApart = ({ callback_ref, session_ref }: KnownAccount): boolean =>
  callback_ref !== null || session_ref !== null

const callsAt = async (
  parts: Parts,
  place: Place,
  processor: Processor,
  callbackRef: string,
): Promise<boolean> => {
  const seen = await processor.callbackIsWell(callbackRef, callbackUrl(parts, place))
  // What cannot be read is registered by hand.
  return seen.kind === 'denied' || (seen.kind === 'done' && seen.value)
}

/** Null: the account does not let this key do it, so it is done by hand. */
const registered = async (processor: Processor, url: string): Promise<Callback | null> => {
  const made = await processor.register(url, randomUUID())
  return isDenied(made) ? null : answered(made)
}

const answered = <T>(outcome: Outcome<T>): T => {
  if (outcome.kind === 'done') return outcome.value
  throw badRequest(sentenceOf(outcome))
}

const sentenceOf = (outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): string =>
  isDenied(outcome)
    ? 'Stripe does not take this key. Check that it is whole, of the right account, and not revoked.'
    : noAnswer
