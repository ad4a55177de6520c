import { z } from 'zod'
import type { Scope } from '@venue-data/sdk'
import type { Session } from './session.ts'

/** Whose work a tool is for, to offer fewer to an assistant that has one job. */
export const jobs = ['service', 'marketing'] as const
export type Job = (typeof jobs)[number]

/** A tool offered by this server. */
export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The scopes the key needs for the tool to be offered. */
  readonly needs: readonly Scope[]
  /** Whether one of `needs` is enough. */
  readonly anyOfThem?: boolean
  /** Absent: for every job. */
  readonly job?: Job | undefined
  /** The scope that `--allow` must name; absent: it only reads. */
  readonly writes?: Scope
  /** Whether it overwrites or ends something. */
  readonly destructive?: boolean
  readonly input: z.ZodObject
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

export const partySize = z.number().int().min(1).max(10_000).describe('Number of guests.')

export const date = z.iso.date().describe('YYYY-MM-DD, at the venue.')

export const cursor = z.string().min(1).max(500).optional()

export const limitUpTo = (most: number, otherwise: number) =>
  z.number().int().min(1).max(most).default(otherwise)

export const includes = {
  includeContact: z.boolean().default(false).describe('Also emails and phones, if you need them.'),
  includeNotes: z.boolean().default(false).describe('Also what guests wrote, if you need it.'),
}

/** Whether there is more than an answer shows, and the `after` of the next page. */
export const pageOf = (next: string | undefined) => ({ more: next !== undefined, next: next ?? null })
