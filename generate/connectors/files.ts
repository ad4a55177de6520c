import { brunoCollection } from './bruno.ts'
import { n8nFiles } from './n8n.ts'
import { postmanCollection } from './postman.ts'
import { zapierFiles } from './zapier.ts'

/** The files of connectors/ that are made from the contract, by their path within it. */
export const connectorFiles = (): Record<string, string> => ({
  'postman/venue-data.postman_collection.json': `${JSON.stringify(postmanCollection(), null, 2)}\n`,
  ...Object.fromEntries(Object.entries(brunoCollection()).map(([path, text]) => [`bruno/${path}`, text])),
  ...Object.fromEntries(
    Object.entries(n8nFiles()).map(([path, text]) => [`n8n/nodes/VenueData/generated/${path}`, text]),
  ),
  ...Object.fromEntries(
    Object.entries(zapierFiles()).map(([path, text]) => [`zapier/generated/${path}`, text]),
  ),
})
