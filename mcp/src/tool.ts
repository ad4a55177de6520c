import { z } from 'zod'
import type { Scope } from '@venue-data/sdk'
import type { Session } from './session.ts'
import type { View } from './views.ts'

/** A tool offered by this server. */
export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The scopes the key needs for the tool to be offered. */
  readonly needs: readonly Scope[]
  /** Whether one of `needs` is enough. */
  readonly anyOfThem?: boolean
  /** The scope that `--allow` must name; absent: it only reads. */
  readonly writes?: Scope
  /** Whether it overwrites data that is then lost. */
  readonly destructive?: boolean
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly run: (args: never, session: Session) => Promise<object>
}

/** Infers the types of a tool's arguments from its input shape. */
export const tool = <Input extends z.ZodObject>(
  given: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input
    readonly run: (args: z.output<Input>, session: Session) => Promise<object>
  },
): Tool => given

/* Inputs shared by several tools. */

/** A tool's arguments; an unknown one is refused. */
export const input = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape)

export const recordId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)

export const date = z.iso.date().describe('YYYY-MM-DD, at the venue.')

export const email = z.string().min(3).max(254).optional().describe('Email address, ignoring letter case.')

export const phone = z.string().min(7).max(50).optional().describe('Phone number with at least 7 digits.')

export const cursor = z.string().min(1).max(500).optional()

export const limitUpTo = (most: number, otherwise: number) =>
  z.number().int().min(1).max(most).default(otherwise).describe('How many at most.')

export const includes = {
  includeContact: z
    .boolean()
    .default(false)
    .describe('Also email addresses and phone numbers. Ask only if you need them.'),
  includeNotes: z.boolean().default(false).describe('Also what guests wrote. Ask only if you need it.'),
}
export const includeContact = { includeContact: includes.includeContact }

/* And their answers. */

export const listOf = (view: View) => z.array(view.shape)

/** Whether there is more than an answer shows, and how to continue. */
export const pageShape = {
  more: z.boolean().describe('Whether there is more than this.'),
  next: z.string().nullable().describe('The `after` of the next page; null on the last one.'),
}

export const pageOf = (next: string | undefined) => ({ more: next !== undefined, next: next ?? null })
