import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { eventually } from '../eventually.ts'

/*
 * A machine with little memory: a group of processes to which Linux gives no more than so much, page cache and shared
 * memory included, and no swap. Whatever a process of the group starts is in it, too.
 */

export type MemoryGroup = {
  /** A shell's command that puts the shell, and what it becomes, into the group. */
  readonly enter: string
  /** Processes of the group that the kernel ended because there was no memory left. */
  readonly killed: () => Promise<number>
  /** The most that the group had at once, in MB. */
  readonly most: () => Promise<number>
  /** Once all of its processes have ended. */
  readonly remove: () => Promise<void>
}

/** Both generations of Linux's control groups: where they are, and what their files are called. */
const generations = [
  {
    top: '/sys/fs/cgroup/memory',
    // Of kernels that count swap; without that file there is a limit for memory alone.
    limits: ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes'],
    noSwap: ['memory.swappiness'],
    most: 'memory.max_usage_in_bytes',
    events: 'memory.oom_control',
  },
  {
    top: '/sys/fs/cgroup',
    limits: ['memory.max'],
    noSwap: ['memory.swap.max'],
    most: 'memory.peak',
    events: 'memory.events',
  },
] as const

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** A group with so many MB, or the sentence why there can be none here. */
export const openMemoryGroup = async (megabytes: number): Promise<MemoryGroup | string> => {
  const folder = `venue-data-${process.pid}-${crypto.randomUUID().slice(0, 8)}`
  for (const { top, limits, noSwap, most, events } of generations) {
    if (!(await exists(join(top, 'cgroup.procs')))) continue
    const group = join(top, folder)
    const file = (name: string): string => join(group, name)
    try {
      await mkdir(group)
    } catch (error) {
      return `This user may make no group of processes in ${top} (${codeOf(error)}).`
    }
    const remove = (): Promise<void> => eventually(() => rmdir(group).then(() => true)).then(() => undefined)
    const [limit, ...further] = limits
    // A group of the second generation has it only if the groups above hand it down.
    if (!(await exists(file(limit)))) {
      await remove()
      return `Groups of processes in ${top} have no limit of memory.`
    }
    await writeFile(file(limit), `${megabytes * 2 ** 20}`)
    for (const name of further)
      if (await exists(file(name))) await writeFile(file(name), `${megabytes * 2 ** 20}`)
    for (const name of noSwap) if (await exists(file(name))) await writeFile(file(name), '0')
    return {
      enter: `echo $$ > ${file('cgroup.procs')}`,
      killed: async () => Number(/^oom_kill (\d+)$/m.exec(await readFile(file(events), 'utf8'))?.[1]),
      most: async () => Math.round(Number(await readFile(file(most), 'utf8').catch(() => 'NaN')) / 2 ** 20),
      remove,
    }
  }
  return 'This system has no groups of processes with a limit of memory.'
}
