/*
 * A venue whose transactions all wait for one lock must not take up every connection of the process: other venues could
 * not even have their keys checked. So a venue gets a few places at a time and its other writers queue here,
 * where waiting costs nothing, instead of in the database.
 */

export type Gate = <T>(group: number, work: () => Promise<T>) => Promise<T>

export class GateTimeout extends Error {
  constructor() {
    super('waited too long for a place at the gate')
    this.name = 'GateTimeout'
  }
}

/** Runs at most `places` units of work of a group at once; one that has waited for `waitMs` is refused with GateTimeout. */
export const openGate = ({ places, waitMs }: { places: number; waitMs: number }): Gate => {
  const groups = new Map<number, { busy: number; queue: (() => void)[] }>()

  const enter = (group: number): Promise<void> | undefined => {
    let state = groups.get(group)
    if (!state) groups.set(group, (state = { busy: 0, queue: [] }))
    if (state.busy < places) {
      state.busy++
      return undefined
    }
    const { queue } = state
    return new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(go), 1)
        reject(new GateTimeout())
      }, waitMs)
      queue.push(go)
    })
  }

  const leave = (group: number): void => {
    const state = groups.get(group)
    if (!state) return
    const next = state.queue.shift()
    // The place goes straight to the next in line.
    if (next) next()
    else if (--state.busy === 0) groups.delete(group)
  }

  return async (group, work) => {
    await enter(group)
    try {
      return await work()
    } finally {
      leave(group)
    }
  }
}
