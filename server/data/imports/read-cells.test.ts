import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dateCell, dayAndRest, languageCell, namedDay, timeCell } from './read-cells.ts'

describe('cells as other programs write them', () => {
  it('days with named months in eight languages are read, with what is behind them', () => {
    for (const text of [
      ...['Oct 5, 2026', 'October 5 2026', '5 Oct 2026', '5-Oct-26', '05-Oct-2026', 'Mon, Oct 5, 2026'],
      ...['5. Oktober 2026', 'Mo., 5. Okt. 2026', '5 de octubre de 2026', 'lunes, 5 de octubre de 2026'],
      ...['5 octobre 2026', 'lun. 5 oct. 2026', '5 ottobre 2026', '5 oktober 2026', '5 de outubro de 2026'],
      ...['segunda-feira, 5 de out. de 2026', '2026年10月5日', 'Monday, October 5th, 2026'],
    ])
      assert.equal(dateCell('The date', text, 'month-first'), '2026-10-05', text)
    for (const [text, day] of [
      ['1er août 2026', '2026-08-01'],
      ['1 févr. 2026', '2026-02-01'],
      ['3. März 2026', '2026-03-03'],
      ['9 mrt 2026', '2026-03-09'],
      ['9 mag 2026', '2026-05-09'],
      ['9 ene 2026', '2026-01-09'],
    ] as const)
      assert.equal(dateCell('The date', text, 'month-first'), day, text)
    assert.deepEqual(dayAndRest('Oct 5, 2026 at 7:30 PM'), { day: '2026-10-05', rest: '7:30 pm' })
    assert.deepEqual(dayAndRest('10/5/2026 7:30 PM'), { day: '10/5/2026', rest: '7:30 PM' })
    for (const text of ['Jui 5, 2026', 'Smarch 5, 2026', '31 Feb 2026', 'Oct 5', '5 Oct 19:30'])
      assert.throws(
        () => dateCell('The date', text, 'month-first'),
        { message: 'The date must be a real date, such as 10/25/2026.' },
        text,
      )
    assert.equal(namedDay('12 avril')?.month, 4)
  })

  it('12-hour times with seconds and spaces, and languages by code or name', () => {
    assert.equal(timeCell('7:30:00 PM'), '7:30pm')
    assert.equal(timeCell('7:30 p. m.'), '7:30pm')
    assert.equal(timeCell('19:30:00'), '19:30:00')
    for (const text of ['fr', 'fr-FR', 'French', 'Français', 'fr_CA'])
      assert.equal(languageCell(text), 'fr', text)
    for (const text of ['', 'sw', 'Klingon']) assert.equal(languageCell(text), undefined, text)
  })
})
