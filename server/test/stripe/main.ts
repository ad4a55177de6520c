import { standInKey } from '../../core/money/stand-in-key.ts'
import { followClock } from './follow-clock.ts'
import { startStripeStandIn } from './stand-in.ts'

/** Where it listens, unless PORT says another. */
const usualPort = 9_200

/** Plays Stripe by itself, for a practice instance on this machine (docs/practice.md). */
const play = async (instance: string): Promise<void> => {
  const standIn = await startStripeStandIn({
    key: standInKey,
    port: Number(process.env['PORT'] ?? usualPort),
  })
  followClock(standIn, instance)
  process.stdout.write(
    `Plays Stripe at ${standIn.url}, by the clock of ${instance}. Key: ${standInKey}\nOpen ${standIn.url} for refunds, disputes and cards that are declined.\n`,
  )
  process.on('SIGINT', () => void standIn.stop())
  process.on('SIGTERM', () => void standIn.stop())
}

const [instance = 'http://127.0.0.1:8080', ...more] = process.argv.slice(2)
if (/^https?:\/\//.test(instance) && URL.canParse(instance) && more.length === 0) await play(instance)
else {
  process.stderr.write(
    `The stand-in takes one word, the address of a practice instance such as http://127.0.0.1:8080; not “${[instance, ...more].join(' ')}”.\n`,
  )
  process.exitCode = 1
}
