import { referenceText } from './reference.ts'
import { writesText } from './writes.ts'

/** What of the MCP server comes from the contract, by its path in the repository. */
export const mcpFiles = (): readonly (readonly [path: string, text: string])[] => [
  ['mcp/src/generated/writes.ts', writesText()],
  ['mcp/src/generated/reference.ts', referenceText()],
]
