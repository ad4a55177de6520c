import { execFile } from 'node:child_process'
import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** For Node 20 and equally recent runtimes; a package that runs elsewhere uses only what its runtimes have. */
const compilerOptions = {
  target: 'es2022',
  // Only what Node 20 has, so that a newer function is found here and not by who runs it.
  lib: ['es2023'],
  module: 'nodenext',
  types: ['node'],
  rootDir: 'src',
  outDir: 'dist',
  declaration: true,
  rewriteRelativeImportExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  resolveJsonModule: true,
  skipLibCheck: true,
}

/** Compiles a folder's `src` into `dist` next to it, and copies files that are not TypeScript. */
export const compile = async (root: string, folder: string): Promise<void> => {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [compiler, '-p', '.'], { cwd: folder })
  } catch (cause) {
    const { signal, stdout } = cause as { signal?: string | null; stdout?: string }
    if (signal)
      throw new Error(`The compiler was ended by ${signal}, as systems do that run out of memory.`, { cause })
    throw new Error(`It does not compile:\n${stdout}`, { cause })
  }
  const isOther = (path: string): boolean => !path.endsWith('.ts')
  await cp(join(folder, 'src'), join(folder, 'dist'), { recursive: true, filter: isOther })
  await nameDeclarations(join(folder, 'dist'))
  await rm(join(folder, 'src'), { recursive: true })
}

/** In declarations the compiler keeps the endings of imports as written, and not every reader of them accepts `.ts`. */
const nameDeclarations = async (dist: string): Promise<void> => {
  for (const file of await readdir(dist, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue
    const path = join(dist, file)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replaceAll(/(from '|from "|import\(")(\.[^'"]+)\.ts(['"])/g, '$1$2.js$3'))
  }
}
