import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { area, date, email, fieldsOf, line, phone, required, word } from './fields.ts'

const fields = fieldsOf({
  contact_name: required(line('name', 'Name', { most: 5 })),
  contact_email: email('email', 'Email'),
  contact_phone: phone('phone', 'Phone'),
  due: date('due', 'Due date'),
  priority: word('priority', 'Priority', ['High', 'Low'], 'Low'),
  notes: area('notes', 'Room or brand', { freeText: true }),
})

const formOf = (sent: Readonly<Record<string, string>>) => ({
  has: (name: string) => name in sent,
  text: (name: string) => sent[name] ?? '',
})

describe('the fields that people type of a record', () => {
  it('are read into its columns, with what is usual where a word was not chosen', () => {
    assert.deepEqual(fields.read({ name: ' Maya ', email: 'm@example.com', phone: null, notes: 'a\r\nb' }), {
      contact_name: 'Maya',
      contact_email: 'm@example.com',
      contact_phone: null,
      due: null,
      priority: 'Low',
      notes: 'a\nb',
    })
  })

  for (const [typed, sentence] of [
    [{ name: ' ' }, 'The name is missing.'],
    [{}, 'The name is missing.'],
    [{ name: 'Maya O.' }, 'The name must have at most 5 characters.'],
    [{ name: 'Maya', phone: '1'.repeat(51) }, 'The phone must have at most 50 characters.'],
    [{ name: 'Maya', due: 'soon' }, 'The due date must be a real date, YYYY-MM-DD.'],
    [{ name: 'Maya', priority: '' }, 'The priority must be one of High, Low.'],
    [{ name: 'Maya', notes: '\0' }, 'The room or brand must not hold control characters.'],
  ] as const) {
    it(`are refused by their label: ${sentence}`, () => {
      assert.throws(() => fields.read(typed), { message: sentence })
    })
  }

  it('change what was typed; a field left out stays, null or blank empties it', () => {
    const before = {
      id: 7,
      ...fields.read({ name: 'Maya', email: 'm@example.com', phone: '1', notes: 'a', priority: 'High' }),
    }
    assert.deepEqual(fields.changed(before, { email: null, notes: ' ', due: '2026-10-08' }), {
      ...before,
      contact_email: null,
      notes: null,
      due: '2026-10-08',
    })
    assert.throws(() => fields.changed(before, { name: null }), { message: 'The name is missing.' })
  })

  it('show in a form as the record has them, and in a blank form with the usual values', () => {
    const blank = { name: '', email: '', phone: '', due: '', priority: 'Low', notes: '' }
    assert.deepEqual(fields.typed({}), blank)
    assert.deepEqual(fields.typed({ contact_name: 'Maya', contact_phone: null, priority: 'High' }), {
      ...blank,
      name: 'Maya',
      priority: 'High',
    })
  })

  it('are taken from a form as far as it has them', () => {
    assert.deepEqual(fields.in(formOf({ name: 'Maya', notes: '', version: '1' })), {
      name: 'Maya',
      notes: '',
    })
  })

  it('say in which columns somebody may be mentioned', () => {
    assert.deepEqual(fields.freeTexts, ['notes'])
  })
})
