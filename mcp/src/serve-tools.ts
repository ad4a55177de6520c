import type { CallToolResult, McpServer, Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { readArguments } from './read-arguments.ts'
import { sentenceOf } from './refusals.ts'
import type { Session } from './session.ts'
import type { Tool } from './tool.ts'

/**
 * Serves the list of the tools and their calls. Not by `registerTool`: a model pays for every word of the list, and the
 * SDK repeats bounds and patterns there that say nothing, and answers a wrong argument with a list of codes.
 */
export const serveTools = (
  server: McpServer,
  tools: readonly Tool[],
  session: Session,
  key: string,
): void => {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  server.server.setRequestHandler('tools/list', () => ({ tools: tools.map(listingOf) }))
  server.server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = byName.get(params.name)
    return tool ? answerOf(tool, params.arguments ?? {}, session, key) : refusal(notFound)
  })
}

/** As each tool is listed: the same for every key that may use it, so it is made once. */
const listings = new WeakMap<Tool, ListedTool>()
const listingOf = (tool: Tool): ListedTool => {
  const listing = listings.get(tool) ?? listed(tool)
  listings.set(tool, listing)
  return listing
}

const notFound =
  'Tool not found: no tool has that name, the key may not use it, or this server was started without it.'

const answerOf = async (
  { input, run }: Tool,
  given: Readonly<Record<string, unknown>>,
  session: Session,
  key: string,
): Promise<CallToolResult> => {
  try {
    const structuredContent = { ...(await run(readArguments(input, given) as never, session)) }
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
  } catch (error) {
    // The last safeguard: no sentence contains a key, no matter what it was made from.
    return refusal(sentenceOf(error).replaceAll(key, '[key]'))
  }
}

const refusal = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })

const listed = ({ name, title, description, input, writes, destructive = false }: Tool): ListedTool => ({
  name,
  title,
  description,
  inputSchema: schemaOf(input),
  annotations:
    writes === undefined
      ? { readOnlyHint: true, openWorldHint: false }
      : // A confirmation works once, so repeating a call does nothing more.
        { readOnlyHint: false, destructiveHint: destructive, idempotentHint: true, openWorldHint: false },
})

/** The arguments in JSON Schema 2020-12, which is what the protocol takes a schema for that names none. */
const schemaOf = (input: z.ZodObject): ListedTool['inputSchema'] => {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      // A format says the same.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      const [value, none] = (jsonSchema.anyOf ?? []) as { type?: unknown }[]
      if (typeof value?.type === 'string' && none?.type === 'null') {
        delete jsonSchema.anyOf
        Object.assign(jsonSchema, value, { type: [value.type, 'null'] })
      }
    },
  })
  return schema as ListedTool['inputSchema']
}
