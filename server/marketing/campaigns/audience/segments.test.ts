import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '@venue-data/contract/limits.ts'
import { Segment, segments, segmentTypes } from '@venue-data/contract/records/segment.ts'
import fc from 'fast-check'
import { Check, Errors } from 'typebox/value'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { peopleOf } from './people.ts'
import { readSegment } from './segments.ts'
import type { Sources } from './sources.ts'

const refused = (json: unknown): string => {
  try {
    readSegment(json)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.status, 400)
    return error.message
  }
  throw new Error(`${JSON.stringify(json)} was read`)
}

describe('segments', () => {
  it('are read as they are written, and read again as they are kept', () => {
    for (const written of [
      { type: 'all' },
      { type: 'tag', anyOf: ['Wine'], allOf: ['VIP', 'Local'], noneOf: ['Press'] },
      { type: 'birthday', month: 12 },
      { type: 'birthday' },
      { type: 'visited', withinDays: 90, minVisits: 3 },
      { type: 'visited' },
      { type: 'lapsed', notSinceDays: 180, minVisits: 2 },
      { type: 'ticketBuyers', eventId: 7 },
      {
        type: 'and',
        of: [
          { type: 'tag', anyOf: ['Wine'] },
          { type: 'visited', minVisits: 2 },
        ],
      },
      {
        type: 'all',
        exclude: { ticketHoldersOf: 7, tags: ['Press'], mailedWithinDays: 7, campaigns: [3, 4] },
      },
      { type: 'ticketBuyers', eventId: 7, exclude: { ticketHoldersOf: false } },
      { type: 'all', exclude: { ticketHoldersOf: true } },
    ]) {
      assert.deepEqual(readSegment(written), written)
    }
  })

  describe('as they are published', () => {
    const tag = fc.string({ minLength: 1, maxLength: limits.tagCharacters }).filter((text) => /\S/.test(text))
    const tags = fc.array(tag, { minLength: 1, maxLength: 5 })
    const upTo = (max: number) => fc.integer({ min: 1, max })
    const id = upTo(Number.MAX_SAFE_INTEGER)
    const days = upTo(limits.segmentDays)
    const minVisits = upTo(limits.segmentVisits)
    const part = fc.oneof(
      fc.record({ type: fc.constant('all') }),
      fc
        .record(
          { type: fc.constant('tag'), anyOf: tags, allOf: tags, noneOf: tags },
          { requiredKeys: ['type'] },
        )
        .filter((one) => Object.keys(one).length > 1),
      fc.record({ type: fc.constant('birthday'), month: upTo(12) }, { requiredKeys: ['type'] }),
      fc.record({ type: fc.constant('visited'), withinDays: days, minVisits }, { requiredKeys: ['type'] }),
      fc.record(
        { type: fc.constant('lapsed'), notSinceDays: days, minVisits },
        { requiredKeys: ['type', 'notSinceDays'] },
      ),
      fc.record({ type: fc.constant('ticketBuyers'), eventId: id }),
    )
    const and = fc.record({
      type: fc.constant('and'),
      of: fc.array(part, { minLength: 1, maxLength: limits.segmentParts }),
    })
    const exclude = fc.record(
      {
        ticketHoldersOf: fc.oneof(id, fc.boolean()),
        tags,
        mailedWithinDays: days,
        campaigns: fc.array(id, { minLength: 1, maxLength: 5 }),
      },
      { requiredKeys: [] },
    )
    const segment = fc
      .tuple(fc.oneof(part, and), fc.option(exclude, { nil: undefined }))
      .map(([described, out]) => (out === undefined ? described : { ...described, exclude: out }))

    it('are seven types, each identified by its name', () => {
      assert.deepEqual(segmentTypes, ['all', 'tag', 'birthday', 'visited', 'lapsed', 'ticketBuyers', 'and'])
    })

    it('are taken, and what is kept and shown of them has the published shape', () => {
      fc.assert(
        fc.property(segment, (written) => {
          assert.ok(Check(Segment, written), JSON.stringify(Errors(Segment, written)))
          const kept = readSegment(written)
          assert.ok(Check(Segment, kept), JSON.stringify(kept))
          assert.deepEqual(Object.keys(kept).toSorted(), Object.keys(written).toSorted())
        }),
      )
    })

    it('are refused or stored in the published shape', () => {
      const spoiled = fc.tuple(segment, fc.nat(5), fc.jsonValue()).map(([one, place, value]) => {
        const fields = Object.keys(one)
        return { ...one, [fields[place % fields.length] ?? 'type']: value }
      })
      fc.assert(
        fc.property(spoiled, (written) => {
          let kept: unknown
          try {
            kept = readSegment(written)
          } catch (error) {
            assert.ok(error instanceof Refusal)
            return
          }
          assert.ok(Check(Segment, kept), JSON.stringify(kept))
        }),
      )
    })

    it('have a sample each, which is taken', () => {
      for (const { examples } of segments as readonly { examples?: object[] }[]) {
        assert.equal(examples?.length, 1)
        for (const sample of examples ?? []) assert.deepEqual(readSegment(sample), sample)
      }
    })
  })

  it('drop what nobody knows, and take null and "" as absent', () => {
    assert.deepEqual(readSegment({ type: 'all', colour: 'red', exclude: null }), { type: 'all' })
    assert.deepEqual(readSegment({ type: 'visited', minVisits: null, withinDays: '' }), { type: 'visited' })
  })

  it('inside others mean the same as side by side', () => {
    const nested = {
      type: 'and',
      of: [{ type: 'all' }, { type: 'and', of: [{ type: 'birthday', month: 1 }] }],
    }
    assert.deepEqual(readSegment(nested), {
      type: 'and',
      of: [{ type: 'all' }, { type: 'birthday', month: 1 }],
    })
  })

  it('that cannot be read are refused with a sentence that names the field', () => {
    for (const [json, sentence] of [
      [[], 'segment must be an object.'],
      ['all', 'segment must be an object.'],
      [{}, 'segment.type is required.'],
      [{ type: 'everyone' }, /^segment\.type must be one of all, tag, /],
      [{ type: 5 }, /^segment\.type must be one of/],
      [{ type: 'toString' }, /^segment\.type must be one of/],
      [{ type: 'tag' }, 'segment must say anyOf, allOf or noneOf.'],
      [{ type: 'tag', anyOf: [] }, 'segment.anyOf must be a list of 1 to 50 entries.'],
      [{ type: 'tag', anyOf: 'Wine' }, 'segment.anyOf must be a list of 1 to 50 entries.'],
      [{ type: 'tag', anyOf: [7] }, 'segment.anyOf[0] must be the name of a tag, 1 to 60 characters.'],
      [{ type: 'tag', noneOf: ['ok', ' '] }, /^segment\.noneOf\[1\] must be the name of a tag/],
      [{ type: 'birthday', month: 13 }, 'segment.month must be a whole number from 1 to 12.'],
      [{ type: 'birthday', month: '5' }, 'segment.month must be a whole number from 1 to 12.'],
      [{ type: 'visited', withinDays: 1.5 }, /^segment\.withinDays must be a whole number from 1 to/],
      [{ type: 'lapsed' }, 'segment.notSinceDays is required.'],
      [{ type: 'ticketBuyers' }, 'segment.eventId is required.'],
      [{ type: 'and' }, 'segment.of must be a list of 1 to 50 entries.'],
      [{ type: 'and', of: [{ type: 'x' }] }, /^segment\.of\[0\]\.type must be one of/],
      [
        { type: 'and', of: Array.from({ length: 9 }, () => ({ type: 'all' })) },
        /^segment\.of must have at most 8 segments/,
      ],
      [{ type: 'and', of: [{ type: 'all', exclude: {} }] }, /^segment\.of\[0\]\.exclude is not possible/],
      [{ type: 'all', exclude: [] }, 'segment.exclude must be an object.'],
      [
        { type: 'all', exclude: { tag: ['Press'] } },
        'segment.exclude can only hold ticketHoldersOf, tags, mailedWithinDays, campaigns.',
      ],
      [
        { type: 'all', exclude: { ticketHoldersOf: '7' } },
        /^segment\.exclude\.ticketHoldersOf must be the id/,
      ],
      [
        { type: 'all', exclude: { campaigns: [0] } },
        /^segment\.exclude\.campaigns\[0\] must be a whole number/,
      ],
    ] as const) {
      if (typeof sentence === 'string') assert.equal(refused(json), sentence)
      else assert.match(refused(json), sentence)
    }
  })

  it('of any shape at all are read or refused, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom('all', 'tag', 'and', 'visited'),
        (json, type) => {
          for (const one of [
            json,
            { type, ...(json as object) },
            { type: 'all', exclude: json },
            { type, of: [json] },
          ]) {
            try {
              readSegment(one)
            } catch (error) {
              assert.ok(error instanceof Refusal, String(error))
            }
          }
        },
      ),
    )
  })

  it('never write what they say into a statement', () => {
    const evil = fc.constantFrom("'; drop table guest; --", '$1', '$$', '{1,2}', '\\', '"', ')', '}')
    const sources: Sources = {
      tagIds: new Map(),
      excludedTags: [],
      holdersOf: [],
      exceptCampaigns: [],
      recentCampaigns: [],
      mailedSince: null,
      isMatchedKnown: true,
      isWhole: true,
      unknownTags: 0,
    }
    const wall = { today: '2026-10-06', month: 10 }
    const number = fc.integer({ min: 1, max: 3_650 })
    const part = fc.oneof(
      fc.record({ type: fc.constant('tag' as const), anyOf: fc.array(evil, { minLength: 1, maxLength: 3 }) }),
      fc.record({ type: fc.constant('visited' as const), withinDays: number, minVisits: number }),
      fc.record({ type: fc.constant('lapsed' as const), notSinceDays: number }),
      fc.record({ type: fc.constant('ticketBuyers' as const), eventId: number }),
    )
    const texts = new Set<string>()
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 2 }), (of) => {
        const people = peopleOf(1 as VenueId, { type: 'and', of }, sources, wall)
        assert.ok(!/drop table|\$\$|\\|"/.test(people.fragment))
        texts.add(people.fragment)
      }),
      { numRuns: 500 },
    )
    // Any two conditions out of four kinds.
    assert.ok(texts.size <= 4 + 10, `${texts.size} texts`)
  })
})
