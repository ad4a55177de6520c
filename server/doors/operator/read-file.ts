import { readFile } from 'node:fs/promises'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'

/** The text of a file that a flag names. Refuses a file that cannot be read, is larger than `mostBytes` or is not UTF-8; never quotes it. */
export const readTextFile = async (path: string, mostBytes: number): Promise<string> => {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    throw badRequest(`The file ${path} cannot be read (${codeOf(error) ?? 'unknown'}).`)
  }
  if (bytes.length > mostBytes) throw badRequest(`The file ${path} has more than ${mostBytes} bytes.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest(`The file ${path} is not UTF-8 text.`)
  }
}
