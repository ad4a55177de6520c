import type { Command } from './command.ts'
import { calledBy } from './read-command-line.ts'

/*
 * The operator's commands (docs/operator.md). Scripts rely on them: names, flags and JSON fields are only ever added.
 * Loading the code of all of them takes longer than most of them run, so each comes with its first word only.
 */
const byFirstWord: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  venue: async () => (await import('./venue.ts')).venueCommands,
  rules: async () => (await import('./rules.ts')).rulesCommands,
  pages: async () => [(await import('./pages.ts')).pagesCommand],
  tables: async () => (await import('./tables.ts')).tableCommands,
  access: async () => (await import('./access.ts')).accessCommands,
  key: async () => (await import('./key.ts')).keyCommands,
  app: async () => (await import('./app.ts')).appCommands,
  staff: async () => (await import('./staff.ts')).staffCommands,
  bounces: async () => (await import('./bounces.ts')).bounceCommands,
  backup: async () => [(await import('./backup.ts')).backupCommand],
  restore: async () => [(await import('./backup.ts')).restoreCommand],
  resume: async () => [(await import('./resume.ts')).resumeCommand],
  feed: async () => (await import('./feed.ts')).feedCommands,
  reports: async () => (await import('./reports.ts')).reportCommands,
  listen: async () => [(await import('./listen.ts')).listenCommand],
  trigger: async () => [(await import('./trigger.ts')).triggerCommand],
  clock: async () => (await import('./clock.ts')).clockCommands,
  payments: async () => (await import('./payments.ts')).paymentCommands,
  practice: async () => (await import('./practice.ts')).practiceCommands,
  demo: async () => (await import('./demo.ts')).demoCommands,
}

export const allCommands = async (): Promise<readonly Command[]> =>
  (await Promise.all(Object.values(byFirstWord).map((load) => load()))).flat()

/** The commands that a command line may mean; all of them if it names none, so that they can be listed. */
export const commandsFor = async (args: readonly string[]): Promise<readonly Command[]> => {
  const word = args.find((arg) => arg !== '--json') ?? ''
  const found = Object.hasOwn(byFirstWord, word) ? await byFirstWord[word]?.() : undefined
  return found && calledBy(args, found) ? found : allCommands()
}
