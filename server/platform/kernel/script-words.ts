import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * The words a script was started with. Words it does not take end it with a sentence, the usage line and 2, as the shells'
 * own commands do, and `--help` with the usage line alone; nothing was done then.
 */
export const scriptWords = <Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> => {
  if (process.argv.includes('--help')) {
    process.stdout.write(`Usage: ${usage}\n`)
    process.exit(0)
  }
  try {
    return parseArgs(config)
  } catch (error) {
    return misused(usage, sentenceOf(error as Error))
  }
}

/** For a script that takes no words. */
export const noWords = (usage: string): void => void scriptWords(usage, {})

/** Ends a script that was started with the wrong words. */
export const misused: (usage: string, sentence: string) => never = (usage, sentence) => {
  process.stderr.write(`${sentence}\nUsage: ${usage}\n`)
  process.exit(2)
}

/** The first sentence of what `parseArgs` says; the next ones are for programmers. */
const sentenceOf = ({ message }: Error): string =>
  `${(message.split(/\. |\n/, 1)[0] as string).replace(/\.$/, '')}.`
