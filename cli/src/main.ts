#!/usr/bin/env node
import module from 'node:module'

// A program that is started for every line has to start at once: what was compiled is kept, where this Node can.
module.enableCompileCache?.()
const { main } = await import('./program.ts')
await main()
