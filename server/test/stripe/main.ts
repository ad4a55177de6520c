import { startStripeStandIn } from './stand-in.ts'

/** Plays Stripe by itself, for a practice instance on this machine (docs/practice.md). */
const key = 'rk_test_standinforpractice'
const standIn = await startStripeStandIn({ key, port: 9_200 })
process.stdout.write(`Plays Stripe at ${standIn.url}. Key: ${key}\n`)
process.on('SIGINT', () => void standIn.stop())
process.on('SIGTERM', () => void standIn.stop())
