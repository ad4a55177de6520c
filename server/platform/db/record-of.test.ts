import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Lead } from '@venue-data/contract/records/lead.ts'
import { recordOf } from './record-of.ts'
import { sql } from './sql.ts'

describe('a record that is described once', () => {
  const lead = recordOf(
    Lead,
    {
      contact_name: 'text?',
      contact_email: 'text?',
      contact_phone: 'text?',
      event_date: 'text?',
      stage: 'text',
      concept: 'text?',
    },
    {
      written: ['contact_name', 'contact_email', 'contact_phone', 'event_date', 'stage', 'concept'],
      contact: ['contact_email', 'contact_phone'],
      called: { date: 'event_date' },
    },
  )
  const row = {
    contact_name: 'Maya',
    contact_email: 'Maya@Example.com',
    contact_phone: null,
    event_date: null,
    stage: 'Inquiry',
    concept: null,
  }

  it('is written with what it is found by, in one order', () => {
    const { text, values } =
      sql()`insert into lead (venue_id, ${lead.names}) values (${7}, ${lead.values(row)})`
    assert.equal(
      text,
      'insert into lead (venue_id, contact_name, contact_email, contact_phone, event_date, stage, concept, email_key, phone_key, phone_international) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    )
    assert.deepEqual(values, [
      7,
      'Maya',
      'Maya@Example.com',
      null,
      null,
      'Inquiry',
      null,
      'maya@example.com',
      null,
      false,
    ])
  })

  it('has the same statement whatever a new row leaves out', () => {
    const insert = (made: Parameters<typeof lead.values>[0]) =>
      sql()`insert into lead (${lead.names}) values (${lead.values(made)})`
    assert.equal(insert({ stage: 'Inquiry' }).name, insert(row).name)
  })

  it('differs only where the API shows a difference', () => {
    assert.equal(
      sql()`select ${lead.differs(row)}`.text,
      'select (contact_name, contact_email, contact_phone, event_date, stage) is distinct from ($1, $2, $3, $4, $5)',
    )
  })

  it('is shown by the names and in the order of the contract, and by nothing else', () => {
    const shown = lead.present({ ...row, id: 1, version: 3 } as never)
    assert.deepEqual(Object.keys(shown), Object.keys(Lead.properties))
    assert.equal(shown.contactName, 'Maya')
    assert.equal(shown.date, null)
  })

  it('takes a body by its columns, without what the body leaves out or the record has not', () => {
    assert.deepEqual(lead.columns({ contactName: 'Maya', date: null, notes: undefined, holdId: 'x' }), {
      contact_name: 'Maya',
      event_date: null,
    })
  })
})
