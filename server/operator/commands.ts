import { accessCommands } from './access.ts'
import { backupCommands } from './backup.ts'
import { bounceCommands } from './bounces.ts'
import { clockCommands } from './clock.ts'
import type { Command } from './command.ts'
import { demoCommands } from './demo.ts'
import { feedCommands } from './feed.ts'
import { keyCommands } from './key.ts'
import { listenCommand } from './listen.ts'
import { resumeCommand } from './resume.ts'
import { practiceCommands } from './practice.ts'
import { rulesCommands } from './rules.ts'
import { staffCommands } from './staff.ts'
import { triggerCommand } from './trigger.ts'
import { venueCommands } from './venue.ts'

/** The operator's commands (docs/operator.md). Scripts rely on them: names, flags and JSON fields are only ever added. */
export const commands: readonly Command[] = [
  ...venueCommands,
  ...rulesCommands,
  ...accessCommands,
  ...keyCommands,
  ...staffCommands,
  ...bounceCommands,
  ...backupCommands,
  resumeCommand,
  ...feedCommands,
  listenCommand,
  triggerCommand,
  ...clockCommands,
  ...practiceCommands,
  ...demoCommands,
]
