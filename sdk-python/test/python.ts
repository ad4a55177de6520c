import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/* The Python in which the tests of this package run. */

/** Debian's own Python, since its packages belong to that one. */
export const python = '/usr/bin/python3'

/** Why nothing of Python can be run here; undefined when it can. */
export const whyNoPython = (...modules: readonly string[]): string | undefined => {
  try {
    execFileSync(python, ['-c', `import httpx, ${['sys', ...modules].join(', ')}`], { stdio: 'ignore' })
    return undefined
  } catch {
    const missing = ['httpx', ...modules].map((name) => `python3-${name.replaceAll('_', '-')}`).join(', ')
    return `Python lacks some of the Debian packages ${missing}`
  }
}

export const packageFolder = join(import.meta.dirname, '..')

/** What a program needs to find this package as it lies in the repository, and to leave nothing behind. */
export const withPackage: Readonly<Record<string, string>> = {
  PATH: '/usr/bin:/bin',
  PYTHONPATH: join(packageFolder, 'src'),
  PYTHONDONTWRITEBYTECODE: '1',
}

const run = promisify(execFile)

/** Runs a program with this package as it lies in the repository, or as `path` has it; answers with what it prints. */
export const runPython = async (
  given: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  path = join(packageFolder, 'src'),
): Promise<string> => {
  const { stdout } = await run(python, [...given], {
    maxBuffer: 2 ** 26,
    env: { ...withPackage, PYTHONPATH: path, PYTHONWARNINGS: 'error::ResourceWarning', ...environment },
  })
  return stdout
}
