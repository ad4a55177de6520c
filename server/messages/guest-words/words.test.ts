import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestLanguages } from '../../platform/kernel/guest-language.ts'
import { formatsFor } from './formats.ts'
import { sentencesOf } from './test/sentences-of.ts'
import { wordsIn } from './words.ts'

describe('the catalogs of what guests read', () => {
  const english = new Map(sentencesOf(wordsIn('en')))

  for (const language of guestLanguages.filter((one) => one !== 'en')) {
    it(`${wordsIn(language).name}: every sentence is translated, and every word it is given is in it`, () => {
      const same: string[] = []
      for (const [place, sentence] of sentencesOf(wordsIn(language))) {
        const original = english.get(place) ?? ''
        if (sentence === original && /[a-z]{3} [a-z]{2}/i.test(sentence)) same.push(place)
        // A part of a sentence around an address may be empty, and plurals swallow their number.
        if (original !== '' && !/\.\d$|\.ahead$|guestsHidden/.test(place))
          assert.notEqual(sentence, '', place)
        const given = [...original.matchAll(/«\d»/g)].map(([one]) => one)
        if (!/\.mistakes$|\.ahead$/.test(place))
          for (const one of given)
            assert.ok(sentence.includes(one), `${place} leaves out a word: ${sentence}`)
      }
      assert.deepEqual(same, [], 'still English')
    })

    it(`${wordsIn(language).name}: lists of choices are as long as the English ones`, () => {
      const [words, others] = [wordsIn('en'), wordsIn(language)]
      assert.equal(others.book.occasions.length, words.book.occasions.length)
      assert.equal(others.book.seatings.length, words.book.seatings.length)
      assert.equal(others.inquire.occasions.length, words.inquire.occasions.length)
      assert.equal(others.inquire.styles.length, words.inquire.styles.length)
    })
  }

  it('by when canceling is free, and on which day a card goes, is said as each language says it', () => {
    const { moment } = wordsIn('it').book
    const { cardFree, depositFree } = wordsIn('it').secure
    assert.match(
      cardFree(moment('19:00', 'giovedì 8 ottobre'), '€ 25'),
      /entro le 19:00 di giovedì 8 ottobre/,
    )
    assert.match(depositFree('€ 25', moment('19:00', 'giovedì 8 ottobre')), /entro le 19:00 di giovedì/)
    const { day } = formatsFor('pt', { country: 'PT', timezone: 'Europe/Lisbon' })
    const goes = (date: string) => wordsIn('pt').secure.cardUntil(day(date))
    assert.equal(goes('2026-10-09'), 'O seu cartão é eliminado na sexta-feira, 9 de outubro.')
    assert.equal(goes('2026-10-10'), 'O seu cartão é eliminado no sábado, 10 de outubro.')
  })

  it('dates, times and the zone are as each language writes them', () => {
    const at = (language: (typeof guestLanguages)[number], country: string, timezone: string) => {
      const { day, time, zone } = formatsFor(language, { country, timezone })
      return [day('2026-10-09'), time('19:30'), zone].map((one) => one.replaceAll(/\s/g, ' '))
    }
    assert.deepEqual(at('en', 'US', 'America/New_York'), ['Friday, October 9', '7:30 PM', 'New York time'])
    assert.deepEqual(at('fr', 'FR', 'Europe/Paris'), [
      'vendredi 9 octobre',
      '19:30',
      'heure d’Europe centrale',
    ])
    assert.deepEqual(at('de', 'DE', 'Europe/Berlin'), [
      'Freitag, 9. Oktober',
      '19:30',
      'Mitteleuropäische Zeit',
    ])
    assert.deepEqual(at('it', 'IT', 'Europe/Rome'), [
      'venerdì 9 ottobre',
      '19:30',
      'ora dell’Europa centrale',
    ])
    assert.deepEqual(at('pt', 'BR', 'America/Sao_Paulo').slice(0, 2), ['sexta-feira, 9 de outubro', '19:30'])
    assert.deepEqual(at('nl', 'NL', 'Europe/Amsterdam'), [
      'vrijdag 9 oktober',
      '19:30',
      'Midden-Europese tijd',
    ])
    assert.deepEqual(at('ja', 'JP', 'Asia/Tokyo'), ['10月9日金曜日', '19:30', '日本標準時'])
  })
})
