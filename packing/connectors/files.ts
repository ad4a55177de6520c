import { brunoCollection } from './bruno.ts'
import { n8nFiles } from './n8n.ts'
import { postmanCollection } from './postman.ts'
import { zapierFiles } from './zapier.ts'

/** What is ready to be opened, by its path within the folder of the packages. */
export const collectionFiles = (): Record<string, string> => ({
  'venue-data.postman_collection.json': `${JSON.stringify(postmanCollection(), null, 2)}\n`,
  ...under('bruno', brunoCollection()),
})

/** What the tools of n8n and Zapier build together with what is written by hand, by its path within connectors/. */
export const connectorSources = (): Record<string, string> => ({
  ...under('n8n/nodes/VenueData/generated', n8nFiles()),
  ...under('zapier/generated', zapierFiles()),
})

const under = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
