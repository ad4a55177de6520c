import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { publishedVector } from '@venue-data/contract/webhooks/delivery.ts'
import { sign, verify } from '../../integrations/webhooks/sending/signature.ts'
import { unlessMissing } from './installed.ts'

/*
 * The recipes of docs/webhooks.md, exactly as printed: each is taken out of the page, put into a small program of its
 * language and run. What an integrator copies is what is tested.
 */

const run = promisify(execFile)
const page = await readFile(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')

/** The only block of a language, or the one that holds this text. */
const recipe = (language: string, holds = ''): string => {
  const found = [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].filter(
    ([, named, text = '']) => named === language && text.includes(holds),
  )
  assert.equal(found.length, 1, `blocks of ${language} in docs/webhooks.md`)
  return found[0]?.[2] ?? ''
}

const { secret, t, body, v1 } = publishedVector
const header = `t=${t},v1=${v1}`
const wrong = v1.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))

const signedNow = (text: string) => ({ header: sign(secret, t, Buffer.from(text)), body: text })

type Case = { what: string; header: string; ok: boolean; now?: number; secret?: string; body?: string }
const cases: readonly Case[] = [
  { what: 'the published vector', header, ok: true },
  { what: 'a clock five minutes ahead', header, now: t + 300, ok: true },
  { what: 'a clock five minutes behind', header, now: t - 300, ok: true },
  { what: 'an old delivery', header, now: t + 301, ok: false },
  { what: 'one of the future', header, now: t - 301, ok: false },
  { what: 'a wrong signature', header: `t=${t},v1=${wrong}`, ok: false },
  { what: 'a signature cut short', header: header.slice(0, -2), ok: false },
  { what: 'one that is no hexadecimal', header: `t=${t},v1=${'é'.repeat(64)}`, ok: false },
  { what: 'the signature of another second', header: header.replace(String(t), String(t + 1)), ok: false },
  { what: 'another body', header, body: body.replace('café', 'cafe'), ok: false },
  { what: 'the same JSON with a blank more', header, body: body.replace(',', ', '), ok: false },
  { what: 'another secret', header, secret: `${secret}x`, ok: false },
  { what: 'the secret without its beginning', header, secret: secret.replace('whsec_', ''), ok: false },
  { what: 'no header', header: '', ok: false },
  { what: 'no t', header: `v1=${v1}`, ok: false },
  { what: 'no v1', header: `t=${t}`, ok: false },
  { what: 'an empty v1', header: `t=${t},v1=`, ok: false },
  { what: 'a t that is no number', header: `t=${t}x,v1=${v1}`, ok: false },
  { what: 'a later version with more parts', header: `t=${t}, v0=1, v1=${wrong}, v1=${v1}, v2=x`, ok: true },
  { what: 'a newer secret as well', header: sign(`${secret}x`, t, Buffer.from(body), [secret]), ok: true },
  { what: 'an older secret as well', header: sign(secret, t, Buffer.from(body), [`${secret}x`]), ok: true },
  { what: 'a body of nothing', ...signedNow(''), ok: true },
  {
    what: 'a body with every kind of byte',
    ...signedNow('{"a":"\\u0000 %s $x `y` \'z\' é 🍷\r\n"}\n'),
    ok: true,
  },
]

/** A program that reads `[{secret, header, body, now}]` from the file it is given and prints `[true, false, …]`. */
const programs: readonly {
  name: string
  command: string
  /** What brings the command on Debian. */
  debian: string
  file: string
  text: () => string
}[] = [
  {
    name: 'JavaScript',
    command: process.execPath,
    debian: 'none: it is the Node that runs this',
    file: 'verify.mjs',
    text: () => `${recipe('js')}
import { readFileSync } from 'node:fs'
const cases = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const answers = cases.map((c) => verify(c.secret, c.header, Buffer.from(c.body), c.now))
process.stdout.write(JSON.stringify(answers))
`,
  },
  {
    name: 'Python',
    command: 'python3',
    debian: 'python3',
    file: 'verify.py',
    text: () => `${recipe('python')}
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    cases = json.load(file)
print(json.dumps([verify(c["secret"], c["header"], c["body"].encode(), c["now"]) for c in cases]))
`,
  },
  {
    name: 'PHP',
    command: 'php',
    debian: 'php-cli',
    file: 'verify.php',
    text: () => `<?php
declare(strict_types=1);
${recipe('php')}
$cases = json_decode(file_get_contents($argv[1]), true);
echo json_encode(array_map(fn ($c) => verify($c['secret'], $c['header'], $c['body'], $c['now']), $cases));
`,
  },
]

describe('the recipes of docs/webhooks.md', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-data-recipes-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const input = cases.map((one) => ({ secret, body, now: t, ...one }))

  it('the table of the page is the vector that the service itself is tested on', () => {
    for (const [name, value] of Object.entries(publishedVector)) {
      assert.ok(page.includes(`| ${name} | \`${value}\` |`), name)
    }
  })

  for (const { name, command, debian, file, text } of programs) {
    it(`${name}: believes what is signed and nothing else`, unlessMissing([command, debian]), async () => {
      const [program, given] = [join(folder, file), join(folder, `${file}.json`)]
      await writeFile(program, text())
      await writeFile(given, JSON.stringify(input))
      const { stdout, stderr } = await run(command, [program, given])
      assert.equal(stderr, '')
      const answers: unknown = JSON.parse(stdout)
      assert.deepEqual(
        cases.map(({ what }, i) => [what, (answers as boolean[])[i]]),
        cases.map(({ what, ok }) => [what, ok]),
      )
    })

    it(`${name}: goes by its own clock when it is given none`, unlessMissing([command, debian]), async () => {
      const [program, given] = [join(folder, `own-${file}`), join(folder, `own-${file}.json`)]
      // Left out, as an integrator leaves it out.
      await writeFile(program, text().replace(/, (?:c\.now|c\["now"\]|\$c\['now'\])/, ''))
      const seconds = Math.floor(Temporal.Now.instant().epochMilliseconds / 1000)
      const fresh = { secret, body, header: sign(secret, seconds, Buffer.from(body)) }
      const old = { ...fresh, header: sign(secret, seconds - 400, Buffer.from(body)) }
      await writeFile(given, JSON.stringify([fresh, old]))
      const { stdout } = await run(command, [program, given])
      assert.deepEqual(JSON.parse(stdout), [true, false])
    })
  }

  it(
    'sh and openssl: believes what is signed and nothing else',
    unlessMissing(['openssl', 'openssl']),
    async () => {
      const program = join(folder, 'verify.sh')
      await writeFile(
        program,
        `${recipe('sh', 'verify()')}\nNOW=$4 verify "$1" "$2" "$3" && echo true || echo false\n`,
      )
      for (const [i, one] of input.entries()) {
        const file = join(folder, `body-${i}`)
        await writeFile(file, one.body)
        const { stdout } = await run('sh', [program, one.secret, one.header, file, String(one.now)])
        assert.deepEqual([one.what, stdout.trim()], [one.what, String(one.ok)])
      }
    },
  )

  it(
    'curl and openssl: what it sends is believed by the service’s own verifier',
    unlessMissing(['openssl', 'openssl'], ['curl', 'curl']),
    async () => {
      const received = Promise.withResolvers<{ headers: IncomingHttpHeaders; bytes: Buffer }>()
      const server = createServer((request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => {
          response.writeHead(204).end()
          received.resolve({ headers: request.headers, bytes: Buffer.concat(chunks) })
        })
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      try {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bookings`
        const program = join(folder, 'send.sh')
        await writeFile(
          program,
          `set -eu\nno_proxy='*'\nexport no_proxy\nURL=$1 SECRET=$2 BODY=$3\n${recipe('sh', 'curl -i')}`,
        )
        const { stdout } = await run('sh', [program, url, secret, body])
        assert.match(stdout, /^HTTP\/1\.1 204/)
        const { headers, bytes } = await received.promise
        assert.equal(bytes.toString(), body)
        assert.deepEqual([headers['content-type'], headers['x-service-event']], ['application/json', 'ping'])
        const seconds = Math.floor(Temporal.Now.instant().epochMilliseconds / 1000)
        const signature = headers['x-service-signature'] as string
        assert.equal(verify(secret, signature, bytes, seconds), 'ok')
      } finally {
        server.close()
        server.closeAllConnections()
      }
    },
  )
})
