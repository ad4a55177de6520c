import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers they know
type Any = any

/** A tool's answer: `data` is the structured answer, `sentence` an error's text. */
export type ToolAnswer = {
  readonly data: Any
  readonly sentence: string
  readonly isError: boolean
  readonly text: string
}

/** The official client with a shorter interface. */
export type TestClient = {
  readonly client: Client
  readonly tools: () => Promise<string[]>
  readonly call: (name: string, args?: object) => Promise<ToolAnswer>
  /** Both calls of a write. */
  readonly write: (name: string, args: object) => Promise<ToolAnswer>
  readonly close: () => Promise<void>
}

/** The newest revision that the official client speaks. */
export const newest = '2026-07-28'

export const connect = async (transport: Transport): Promise<TestClient> => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: newest } } },
  )
  await client.connect(transport)
  const call: TestClient['call'] = async (name, args = {}) => {
    const answer = await client.callTool({ name, arguments: args as Any })
    const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    const isError = answer.isError === true
    // Clients without structured answers find the same in the text.
    if (!isError) assert.deepEqual(JSON.parse(text), answer.structuredContent)
    return { data: answer.structuredContent, sentence: isError ? text : '', isError, text }
  }
  return {
    client,
    call,
    write: async (name, args) => {
      const first = await call(name, args)
      assert.equal(first.data?.status, 'needs-confirmation', first.text)
      return call(name, { ...args, confirm: first.data.confirm })
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  }
}

export const connectHttp = (
  url: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<TestClient> =>
  connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { 'x-service-key': key, ...headers } },
    }),
  )
