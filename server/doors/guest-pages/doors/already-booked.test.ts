import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { guestAt, hiddenFieldsOn, setGuestPages } from '../../../test/guest.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'

const maya = { name: 'Maya Okafor', email: 'maya@example.com' }

describe('a guest who books a table behind a deposit once more, in another tab', () => {
  const scene = securingTables()
  const details = () => `/v/${scene.venue.slug}/book?size=2&day=2026-10-09&time=19:00`
  const open = async (more = '') => (await guestAt(scene.service, `${details()}${more}`)).text
  const formOn = (text: string): Record<string, string> =>
    hiddenFieldsOn(text, ['token', 'size', 'day', 'time', 'hold', 'agreed'])
  const press = (form: Record<string, string>) =>
    guestAt(scene.service, `/v/${scene.venue.slug}/book`, { form })
  /** A page without what is of one form alone. */
  const plain = (text: string, { email }: { readonly email: string }): string =>
    text.replaceAll(email, 'somebody').replaceAll(/name="(?:token|came)" value="[^"]*"/g, '')

  it('reads before the button, in every language, that the mail of an earlier booking has its link', async () => {
    await scene.ask(deposit)
    await setGuestPages(scene.service, scene.venue, { languages: [...guestLanguages] })
    for (const language of guestLanguages)
      assert.ok((await open(`&lang=${language}`)).includes(wordsIn(language).venue.alreadyBooked), language)
  })

  it('finds the same form as somebody who never booked: nobody learns from it whose bookings there are', async () => {
    await scene.ask(deposit)
    await scene.secure('2026-10-09 19:00')
    await scene.goToPay('2026-10-09 19:30')
    const [shown, other] = [await open(), await open()]
    const stranger = { name: 'Maya Okafor', email: 'nobody@example.com' }
    const refused = await press({ ...formOn(shown), ...maya, agreed: 'another' })
    const theirs = await press({ ...formOn(other), ...stranger, agreed: 'another' })
    assert.deepEqual([refused.status, theirs.status], [409, 409])
    assert.equal(plain(refused.text, maya), plain(theirs.text, stranger))
  })

  it('pays once for each form, however often it is sent', async () => {
    await scene.ask(deposit)
    const form = { ...formOn(await open()), ...maya }
    const answers = await Promise.all([press(form), press(form), press(form)])
    const leadTo = answers.map(({ headers }) => String(headers.get('location')))
    // Who presses while the page to pay on is being opened waits for it on ours.
    const pages = new Set(leadTo.filter((address) => !address.startsWith('/pay/')))
    assert.equal(pages.size, 1, leadTo.join(' '))
    scene.service.setClock('2026-10-06T14:00:30Z')
    await scene.payOn(String([...pages][0]).replace(/^.*\/pay\//, ''))
    const again = await press(form)
    assert.match(again.headers.get('location') ?? '', /\/(?:r|pay)\//)
    assert.deepEqual(await scene.rows('select count(*)::int as n from checkout where venue_id = $1'), [
      { n: 1 },
    ])
    assert.deepEqual(await scene.rows('select count(*)::int as n from reservation where venue_id = $1'), [
      { n: 1 },
    ])
  })
})
