import { callsText } from './calls.ts'
import { operationsText } from './operations.ts'
import { recordsText } from './records.ts'

/** What of the SDK comes from the contract, by its path in the repository. */
export const sdkFiles = (): readonly (readonly [path: string, text: string])[] => [
  ['sdk/src/generated/records.ts', recordsText()],
  ['sdk/src/generated/calls.ts', callsText()],
  ['sdk/src/generated/operations.ts', operationsText()],
]
