import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import {
  createSender,
  type GoAhead,
  type Outcome,
  type Request,
  type Sender,
  type SenderOptions,
  type Vetted,
} from '../sending/sender.ts'
import { anyName } from './any-name.ts'
import { makeAuthority } from './certificate.ts'
import { heldTime } from './held-time.ts'

export const NAME = 'receiver.example.net'
export const authority = makeAuthority()
export const certificate = authority.sign([NAME])
export const headers = {
  'content-type': 'application/json',
  'user-agent': 'Service-Webhooks/1',
  'x-service-event': 'ping',
}
export const body = Buffer.from('{"id":"1","note":"café"}')

/** A practice sender: the real walls, but this machine is reachable. Every name, on any port, resolves to 127.0.0.1. */
export const startSender = (t: TestContext, options: SenderOptions = {}): Sender => {
  const sender = createSender({
    practice: true,
    // Tests that set the practice mode explicitly get the usual rules for the text.
    ...(options.practice === undefined && { judge: anyName }),
    resolve: async () => ['127.0.0.1'],
    ca: authority.cert,
    time: heldTime(),
    ...options,
  })
  t.after(() => sender.close())
  return sender
}
export const request = { body, headers }
export const goesAhead: GoAhead = { holds: () => true, ask: () => Promise.resolve(true) }
/** Both halves of an attempt that is never withdrawn. */
export const send = async (sender: Sender, url: string, sent: Request = request): Promise<Outcome> => {
  const vetted = await sender.vet(url)
  const outcome = vetted.kind === 'vetted' ? await sender.post(vetted, sent, goesAhead) : vetted
  assert.ok(outcome)
  return outcome
}
export const vet = async (sender: Sender, url: string): Promise<Vetted> => {
  const vetted = await sender.vet(url)
  assert.ok(vetted.kind === 'vetted', vetted.kind)
  return vetted
}
export const plain = (port: number, path = '/hook'): string => `http://${NAME}:${port}${path}`
export const secure = (port: number, path = '/hook'): string => `https://${NAME}:${port}${path}`
export const answerOf = (outcome: Outcome): Buffer => {
  assert.equal(outcome.kind, 'answered', JSON.stringify(outcome))
  return outcome.kind === 'answered' ? outcome.body : Buffer.alloc(0)
}

/** Returns the number of sockets that anything in this process opened during the run. */
export const socketsOpenedBy = async (run: () => Promise<unknown>): Promise<number> => {
  let opened = 0
  const count = () => {
    opened += 1
  }
  subscribe('net.client.socket', count)
  subscribe('undici:client:beforeConnect', count)
  await run()
  unsubscribe('net.client.socket', count)
  unsubscribe('undici:client:beforeConnect', count)
  return opened
}

/** Sends `text` repeatedly until the connection is gone, then resolves. */
export const drip = (
  socket: { write: (text: string) => unknown; once: (event: 'close', run: () => void) => unknown },
  text: string,
) => {
  const timer = setInterval(() => socket.write(text), 20)
  return new Promise<void>((resolve) => {
    socket.once('close', () => {
      clearInterval(timer)
      resolve()
    })
  })
}

/** Responds endlessly, as fast as it is read. */
export const endless = (response: ServerResponse): void => {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x'))) {}
  }
  response.on('drain', more)
  more()
}
