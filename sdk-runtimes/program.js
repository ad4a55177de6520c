import process from 'node:process'
import { smoke } from './smoke.js'

console.log(JSON.stringify(await smoke(JSON.parse(process.argv.at(-1)))))
