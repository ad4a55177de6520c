import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Zippable, zipSync } from 'fflate'
import { parse } from 'smol-toml'
import { type Packing, put } from './pack.ts'
import { pageOf } from './pages.ts'

/*
 * A wheel of a package that is all Python is a ZIP file of its sources, with what its pyproject.toml says in three more
 * files. Made here, it needs neither Python nor a build tool from a registry; a test compares it with what the build tool
 * that pyproject.toml names makes.
 */

type Project = {
  readonly name: string
  readonly description: string
  readonly license: string
  readonly 'requires-python': string
  readonly keywords: readonly string[]
  readonly classifiers: readonly string[]
  readonly dependencies: readonly string[]
  readonly 'optional-dependencies': Readonly<Record<string, readonly string[]>>
}

/** Makes a Python package's wheel, which pip installs; returns its path. */
export const packPython = async ({ root, name, to }: Packing): Promise<string> => {
  const described = parse(await readFile(join(root, name, 'pyproject.toml'), 'utf8'))
  const project = described['project'] as unknown as Project
  const version = await versionOf(root, name, project)
  const readme = await pageOf(root, name, 'README.md')
  const folder = `${moduleOf(project)}-${version}.dist-info`
  const files = new Map(await sourcesOf(join(root, name, 'src')))
  files.set(`${folder}/METADATA`, bytes(metadataOf(project, version, readme)))
  files.set(`${folder}/WHEEL`, bytes(wheelText))
  files.set(`${folder}/licenses/LICENSE`, await readFile(join(root, 'LICENSE')))
  const record = `${folder}/RECORD`
  files.set(record, bytes([...recordOf(files), `${record},,`, ''].join('\n')))
  return put(zipped(files), join(to, `${moduleOf(project)}-${version}-py3-none-any.whl`))
}

const moduleOf = ({ name }: Project): string => name.replaceAll('-', '_')

const versionOf = async (root: string, name: string, project: Project): Promise<string> => {
  const file = join(name, 'src', moduleOf(project), '_version.py')
  const [, version] = /^version = "([^"]+)"$/m.exec(await readFile(join(root, file), 'utf8')) ?? []
  if (version === undefined) throw new Error(`${file} names no version.`)
  return version
}

/** Every file of the package by its path in the wheel, in the same order each time. */
const sourcesOf = async (folder: string): Promise<[string, Uint8Array][]> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.includes('__pycache__'))
  return Promise.all(
    paths.toSorted().map(async (path) => [path, await readFile(join(folder, path))] as [string, Uint8Array]),
  )
}

const metadataOf = (project: Project, version: string, readme: string): string =>
  [
    'Metadata-Version: 2.4',
    `Name: ${project.name}`,
    `Version: ${version}`,
    `Summary: ${project.description}`,
    `Keywords: ${project.keywords.join(',')}`,
    `License-Expression: ${project.license}`,
    'License-File: LICENSE',
    ...project.classifiers.map((classifier) => `Classifier: ${classifier}`),
    `Requires-Python: ${project['requires-python']}`,
    ...project.dependencies.map((needed) => `Requires-Dist: ${needed}`),
    ...Object.entries(project['optional-dependencies']).flatMap(([extra, needed]) => [
      `Provides-Extra: ${extra}`,
      ...needed.map((one) => `Requires-Dist: ${one}; extra == '${extra}'`),
    ]),
    'Description-Content-Type: text/markdown',
    '',
    readme,
  ].join('\n')

const wheelText = 'Wheel-Version: 1.0\nGenerator: venue-data\nRoot-Is-Purelib: true\nTag: py3-none-any\n'

const recordOf = (files: ReadonlyMap<string, Uint8Array>): string[] =>
  [...files].map(
    ([path, content]) =>
      `${path},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}`,
  )

/** The same bytes for the same files: every file has the earliest date that a ZIP file can name. */
const zipped = (files: ReadonlyMap<string, Uint8Array>): Uint8Array => {
  const dated: Zippable = {}
  for (const [path, content] of files) dated[path] = [content, { mtime: '1980-01-01T00:00:00' }]
  return zipSync(dated, { level: 9 })
}

const bytes = (text: string): Uint8Array => Buffer.from(text)
