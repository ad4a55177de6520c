/** Random bytes fetched from the system at a time. */
const spareBytes = 4_096

/** The same random source with fewer system calls: each costs as much as signing a delivery. */
export const spareRandom = (random: (size: number) => Buffer): ((size: number) => Buffer) => {
  let spare: Buffer = Buffer.alloc(0)
  return (size) => {
    if (size > spareBytes) return random(size)
    if (spare.length < size) spare = random(spareBytes)
    // A copy: the caller may write to it.
    const taken = Buffer.from(spare.subarray(0, size))
    spare = spare.subarray(size)
    return taken
  }
}
