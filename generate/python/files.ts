import { callsText } from './calls.ts'
import { operationsText } from './operations.ts'
import { recordsText } from './records.ts'

/** What of the Python SDK comes from the contract, by its path in the repository. */
export const pythonFiles = (): readonly (readonly [path: string, text: string])[] => [
  [`${folder}/records.py`, recordsText()],
  [`${folder}/calls.py`, callsText('sync')],
  [`${folder}/async_calls.py`, callsText('async')],
  [`${folder}/operations.py`, operationsText()],
]

const folder = 'sdk-python/src/venue_data/_generated'
