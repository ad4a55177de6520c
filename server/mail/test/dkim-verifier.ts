import { execFileSync, spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'

/* A DKIM verifier that nobody here wrote: dkimpy, as Debian packages it. The key record is handed in, so no name is looked up. */

/** Debian's own Python, since its packages belong to that one. */
const python = '/usr/bin/python3'

/** Why no signature can be verified here; undefined when it can. */
export const whyNoDkimVerifier = (): string | undefined => {
  try {
    execFileSync(python, ['-c', 'import dkim'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'dkimpy is not here (Debian package python3-dkim)'
  }
}

const program = `
import sys, dkim
record = sys.argv[1].encode()
print(dkim.verify(sys.stdin.buffer.read(), dnsfunc=lambda name, timeout=5: record))
`

/** Whether the signature of a whole mail holds under the key of a DNS record. */
export const dkimVerdict = async (mail: Buffer, record: string): Promise<boolean> => {
  const child = spawn(python, ['-c', program, record], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(mail)
  return (await buffer(child.stdout)).toString().trim() === 'True'
}
