#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Config, readConfig } from './config.ts'
import { help } from './help.ts'
import { sentenceOf } from './refusals.ts'
import { createServer } from './server.ts'
import { version } from './version.ts'

/* Standard output belongs to the protocol: messages for people go to standard error, and never contain a key. */

const serve = async (config: Config): Promise<void> => {
  if (config.transport === 'stdio') {
    serveStdio(await createServer(config))
    return
  }
  // Not loaded for stdio, which starts faster without it.
  const { startHttp } = await import('./http.ts')
  const { url, stop } = await startHttp(config)
  console.error(`Listening at ${url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
}

try {
  const config = readConfig(process.argv.slice(2))
  if (config === 'help') console.log(help)
  else if (config === 'version') console.log(version)
  else await serve(config)
} catch (error) {
  console.error(sentenceOf(error))
  process.exitCode = 1
}
