import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { badge } from '../src/reports/badge.ts'
import { htmlReport } from '../src/reports/html.ts'
import { jsonReport } from '../src/reports/json.ts'
import { junitReport } from '../src/reports/junit.ts'
import { lines, summary, withHeading } from '../src/reports/lines.ts'
import type { Result } from '../src/run.ts'

const results: readonly Result[] = [
  {
    ...{ id: 'Lists 1', section: 'Lists', number: '1', says: 'Newest first.' },
    ...{ outcome: 'passed', durationMs: 12 },
  },
  {
    ...{ id: 'Lists 2.1', section: 'Lists', number: '2.1', says: 'limit: at most so many.' },
    ...{ outcome: 'failed', durationMs: 1500 },
    failure: {
      ...{ expected: 'a list of <2>', seen: '"3" & more\u0001' },
      ...{ request: 'GET /api/v1/guests?limit=2', requestId: '0199-a' },
    },
  },
  {
    ...{ id: 'Events 7', section: 'Events', number: '7', says: 'ticket_order.paid.' },
    ...{ outcome: 'not tried', durationMs: 0, because: 'no key can cause this: needs --trigger' },
  },
]

describe('reports', () => {
  it('are lines for a person, with what was expected and seen', () => {
    let text = ''
    const show = withHeading((more) => (text += more))
    for (const result of results) show(result.section, lines(result))
    assert.equal(
      text + summary(results),
      `Lists
  passed     1     Newest first.
  FAILED     2.1   limit: at most so many.
      expected  a list of <2>
      seen      "3" & more\u0001
      after     GET /api/v1/guests?limit=2, request id 0199-a

Events
  not tried  7     ticket_order.paid.
      no key can cause this: needs --trigger

1 passed, 1 failed, 1 not tried
failed: Lists 2.1
`,
    )
  })

  it('are one JSON object', () => {
    const {
      passed,
      failed,
      notTried,
      results: all,
    } = JSON.parse(jsonReport(results, 'http://127.0.0.1:8080'))
    assert.deepEqual([passed, failed, notTried, all], [1, 1, 1, results])
  })

  it('are XML as CI systems read it, with nothing in it that XML forbids', () => {
    const xml = junitReport(results)
    assert.match(
      xml,
      /<testsuites name="Venue Data API" tests="3" failures="1" errors="0" skipped="1" time="1\.512">/,
    )
    assert.match(xml, /<testsuite name="Lists" tests="2" failures="1" errors="0" skipped="0" time="1\.512">/)
    assert.match(xml, /<testcase classname="Lists" name="Lists 1: Newest first\." time="0\.012"\/>/)
    assert.match(
      xml,
      /<failure message="expected a list of &lt;2&gt;">expected: a list of &lt;2&gt;\nseen: &quot;3&quot; &amp; more\n/,
    )
    assert.match(xml, /<skipped message="no key can cause this: needs --trigger"\/>/)
    assert.ok(!xml.includes('\u0001'))
  })

  it('are a page without scripts, in which text is text', () => {
    const html = htmlReport(results, 'http://127.0.0.1:8080/<b>')
    assert.match(html, /<strong>1 passed<\/strong>, 1 failed, 1 not tried/)
    assert.match(html, /a list of &lt;2&gt;/)
    assert.doesNotMatch(html, /<script|<b>/)
  })

  it('are a figure, as SVG or for shields.io', () => {
    assert.match(badge(results, 'badge.svg'), /^<svg [^>]+ aria-label="conformance: 1\/3">/)
    assert.deepEqual(JSON.parse(badge(results, 'badge.json')), {
      ...{ schemaVersion: 1, label: 'conformance', message: '1/3', color: 'red' },
    })
    assert.match(badge(results.slice(0, 1), 'x.json'), /"message":"1\/1","color":"brightgreen"/)
  })
})
