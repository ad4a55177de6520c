import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { emailKey } from '../../platform/kernel/email.ts'
import { phoneKey, samePhone } from '../../platform/kernel/phone/phone.ts'
import {
  appendNotes,
  chooseMatch,
  conflictLine,
  fillIn,
  guestFields,
  type GuestDetails,
  type GuestField,
  type GuestKeys,
} from './rules.ts'

const aGuest = (id: number, email: string | null, phone: string | null): GuestKeys => ({
  id,
  emailKey: email === null ? null : emailKey(email),
  phone: phone === null ? null : (phoneKey(phone) ?? null),
})

const chosen = (candidates: GuestKeys[], email: string | undefined, phone: string | undefined) =>
  chooseMatch(candidates, {
    emailKey: email === undefined ? undefined : emailKey(email),
    phone: phone === undefined ? undefined : phoneKey(phone),
  })?.id

const emails = fc.constantFrom(null, 'maya@example.com', 'Maya@Example.com', 'ben@example.com')
const phones = fc.constantFrom(
  null,
  '212 555 0100',
  '+1 212 555 0100',
  '555-0100',
  '(646) 555-0100',
  '12',
  'none',
)
const names = fc.constantFrom(null, '', ' ', 'Maya Okafor', 'maya  OKAFOR', 'Ben Stone')
const guests = fc
  .uniqueArray(fc.tuple(fc.nat(30), emails, phones), { selector: ([id]) => id, maxLength: 8 })
  .map((rows) => rows.map((row) => aGuest(...row)))
const details: fc.Arbitrary<GuestDetails> = fc.record(
  { name: names, email: emails, phone: phones },
  { requiredKeys: [] },
)

/** What "differing" means for the values above, independently of the code under test. */
const differs = (field: GuestField, a: string, b: string): boolean => {
  const [one, other] = field === 'phone' ? [phoneKey(a), phoneKey(b)] : []
  if (one !== undefined && other !== undefined) return !samePhone(one, other)
  return a.toLowerCase().replace('  ', ' ') !== b.toLowerCase().replace('  ', ' ')
}

describe('guest rules', () => {
  describe('the match', () => {
    it('is the exact email before any phone', () => {
      const candidates = [aGuest(1, null, '2125550100'), aGuest(2, 'maya@example.com', null)]
      assert.equal(chosen(candidates, 'MAYA@example.com', '2125550100'), 2)
    })
    it('is the lowest id when an email is there twice', () => {
      assert.equal(chosen([aGuest(9, 'a@b.co', null), aGuest(4, 'a@b.co', null)], 'a@b.co', undefined), 4)
    })
    it('is an equal phone before one with the same ending, even if that guest has another email', () => {
      const candidates = [aGuest(1, null, '555-0100'), aGuest(2, 'ben@example.com', '212 555 0100')]
      assert.equal(chosen(candidates, 'maya@example.com', '212 555 0100'), 2)
    })
    it('is a guest without an email before one with another', () => {
      const candidates = [aGuest(1, 'ben@example.com', '2125550100'), aGuest(2, null, '2125550100')]
      assert.equal(chosen(candidates, 'maya@example.com', '2125550100'), 2)
      assert.equal(chosen(candidates, undefined, '2125550100'), 2)
    })
    it('is the lowest id among equals: a family that shares a phone', () => {
      assert.equal(
        chosen([aGuest(10, null, '2125550100'), aGuest(9, null, '2125550100')], undefined, '2125550100'),
        9,
      )
    })
    it('is the phone when nobody has the email', () => {
      assert.equal(chosen([aGuest(1, 'ben@example.com', '2125550100')], 'maya@example.com', '2125550100'), 1)
    })
    it('is nobody without a key that matches', () => {
      const candidates = [aGuest(1, 'ben@example.com', '(646) 555-0100'), aGuest(2, null, null)]
      assert.equal(chosen(candidates, 'maya@example.com', '(212) 555-0100'), undefined)
      assert.equal(chosen(candidates, undefined, undefined), undefined)
      assert.equal(chosen([aGuest(1, '', null)], '', undefined), undefined)
    })
    it('does not depend on the order of the candidates, or on those that match neither', () => {
      fc.assert(
        fc.property(guests, emails, phones, (candidates, email, phone) => {
          const found = chosen(candidates, email ?? undefined, phone ?? undefined)
          assert.equal(chosen(candidates.toReversed(), email ?? undefined, phone ?? undefined), found)
          const bystander = aGuest(0, 'nobody@example.com', '7005559999')
          assert.equal(chosen([bystander, ...candidates], email ?? undefined, phone ?? undefined), found)
        }),
      )
    })
    it('matches by one of the two keys, and is found whenever one does', () => {
      fc.assert(
        fc.property(guests, emails, phones, (candidates, email, phone) => {
          const key = phone === null ? undefined : phoneKey(phone)
          const matching = candidates.filter(
            (guest) =>
              (email !== null && guest.emailKey === emailKey(email)) ||
              (key !== undefined && guest.phone !== null && samePhone(guest.phone, key)),
          )
          const found = chosen(candidates, email ?? undefined, phone ?? undefined)
          assert.ok(matching.length === 0 ? found === undefined : matching.some(({ id }) => id === found))
        }),
      )
    })
  })

  describe('filling in', () => {
    it('fills only what is empty, as it was sent, the email trimmed', () => {
      assert.deepEqual(
        fillIn(
          { name: null, email: null, phone: ' ' },
          { name: '  Maya\n', email: ' maya@example.com ', phone: ' 212 555 0100' },
        ),
        { fill: { name: '  Maya\n', email: 'maya@example.com', phone: ' 212 555 0100' }, conflicting: {} },
      )
    })
    it('returns what differs exactly as supplied', () => {
      assert.deepEqual(
        fillIn(
          { name: 'Maya', email: 'maya@example.com', phone: '(212) 555-0100' },
          { name: 'Ben', email: 'ben@example.com ', phone: '(646) 555-0100' },
        ).conflicting,
        { name: 'Ben', email: 'ben@example.com ', phone: '(646) 555-0100' },
      )
    })
    it('sees no conflict in different spellings of the same value', () => {
      assert.deepEqual(
        fillIn(
          { name: 'Jos\u00e9 Stra\u00dfe', email: 'maya@example.com', phone: '+1 212 555 0100 x3' },
          { name: ' JOSE\u0301 \u00a0STRASSE', email: 'Maya@Example.COM', phone: '(212) 555-0100' },
        ),
        { fill: {}, conflicting: {} },
      )
    })
    it('keeps an unusable phone as typed, and distinguishes it from a usable one', () => {
      assert.deepEqual(fillIn({ phone: null }, { phone: 'at the desk' }).fill, { phone: 'at the desk' })
      assert.deepEqual(fillIn({ phone: 'at the desk' }, { phone: 'At the  desk' }).conflicting, {})
      assert.deepEqual(fillIn({ phone: 'at the desk' }, { phone: '2125550100' }).conflicting, {
        phone: '2125550100',
      })
      assert.deepEqual(fillIn({ phone: '2125550100' }, { phone: '12' }).conflicting, { phone: '12' })
    })
    it('takes null, blank and absent as not supplied', () => {
      assert.deepEqual(fillIn({ name: 'Maya' }, { name: null, email: '', phone: '  ' }), {
        fill: {},
        conflicting: {},
      })
    })
    it('never overwrites a filled field and never loses a differing value', () => {
      fc.assert(
        fc.property(details, details, (existing, supplied) => {
          const { fill, conflicting } = fillIn(existing, supplied)
          for (const field of guestFields) {
            const [kept, given] = [existing[field]?.trim() ?? '', supplied[field]?.trim() ?? '']
            const asKept = field === 'email' ? given : supplied[field]
            assert.equal(fill[field], kept === '' && given !== '' ? asKept : undefined)
            const lost = kept !== '' && given !== '' && differs(field, kept, given)
            assert.equal(conflicting[field], lost ? supplied[field] : undefined)
          }
        }),
      )
    })
    it('done twice changes nothing more and finds the same conflicts', () => {
      fc.assert(
        fc.property(details, details, (existing, supplied) => {
          const once = fillIn(existing, supplied)
          assert.deepEqual(fillIn({ ...existing, ...once.fill }, supplied), {
            fill: {},
            conflicting: once.conflicting,
          })
        }),
      )
    })
  })

  describe('the staff notes', () => {
    const line = conflictLine({
      date: '2026-10-05',
      source: 'automation',
      field: 'phone',
      value: '(646) 555-0100',
    })
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r') })

    it('name date, source, field and value', () => {
      assert.equal(line, '2026-10-05 automation: another phone was given: (646) 555-0100')
    })
    it('keep a conflict on one line for any value', () => {
      const value = 'Ben\r\n2026-01-01 staff:\u2028 VIP\u0085'
      const written = conflictLine({ date: '2026-10-05', source: 'public', field: 'name', value })
      assert.equal(written, '2026-10-05 public: another name was given: Ben 2026-01-01 staff: VIP')
    })
    it('grow below what staff wrote', () => {
      assert.equal(appendNotes('Likes the window.', [line]), `Likes the window.\n${line}`)
      assert.equal(appendNotes('Likes the window.\n', ['a', 'b']), 'Likes the window.\na\nb')
      assert.equal(appendNotes(null, [line]), line)
      assert.equal(appendNotes('', [line]), line)
    })
    it('stay as they are when there is nothing to add', () => {
      for (const notes of [null, '', 'x\r\n']) assert.equal(appendNotes(notes, ['', ' \n']), notes)
    })
    it('skip a line that is already there, but not one that is part of another', () => {
      assert.equal(appendNotes(`a\r\n${line}\r\nb`, [line]), `a\r\n${line}\r\nb`)
      assert.equal(appendNotes(`${line}1`, [line]), `${line}1\n${line}`)
    })
    it('accept a multi-line text once', () => {
      const twice = appendNotes(appendNotes('a', ['b\r\nc']), ['b\nc\n'])
      assert.equal(twice, 'a\nb\nc')
    })
    it('always begin with what was there, contain every line, and add nothing twice', () => {
      fc.assert(
        fc.property(fc.option(texts), fc.array(texts, { maxLength: 4 }), (notes, lines) => {
          const once = appendNotes(notes, lines)
          assert.ok((once ?? '').startsWith(notes ?? ''))
          assert.equal(appendNotes(once, lines), once)
          for (const added of lines) {
            const text = added.replaceAll(/\r\n?/g, '\n').trim()
            assert.ok(text === '' || `\n${once?.replaceAll(/\r\n?/g, '\n')}\n`.includes(`\n${text}\n`))
          }
        }),
      )
    })
  })
})
