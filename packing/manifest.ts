/** The fields of a package.json used here. */
export type Manifest = {
  readonly name: string
  readonly version: string
  /** In the repository, one TypeScript file per entry; in the published package, its compiled files. */
  readonly exports?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly [other: string]: unknown
}

/**
 * The package.json of a packed file: it names compiled files, and nothing that only this repository needs. The packages
 * of this repository that it needs come in the file, since no registry has them.
 */
export const publishedManifest = (manifest: Manifest): object => {
  const { devDependencies: _, scripts: _scripts, private: _private, exports, bin, ...rest } = manifest
  const bundled = neighborsOf(manifest).map((name) => scope + name)
  return {
    ...rest,
    ...(bundled.length > 0 && { bundleDependencies: bundled }),
    ...(exports && { exports: mapValues(exports, entry) }),
    ...(bin && { bin: mapValues(bin, (path) => compiled(path, '.js')) }),
    files: ['dist', 'CHANGELOG.md'],
  }
}

/** The packages of this repository that a package needs, by the names of their folders. */
export const neighborsOf = ({ dependencies = {} }: Manifest): string[] =>
  Object.keys(dependencies)
    .filter((name) => name.startsWith(scope))
    .map((name) => name.slice(scope.length))

/** The third-party packages that a package needs. */
export const foreignersOf = ({ dependencies = {} }: Manifest): string[] =>
  Object.keys(dependencies).filter((name) => !name.startsWith(scope))

const scope = '@venue-data/'

const entry = (path: string): unknown =>
  path.endsWith('.ts') ? { types: compiled(path, '.d.ts'), default: compiled(path, '.js') } : path

const compiled = (path: string, ending: string): string => {
  const [, name] = /^\.\/src\/(.+)\.ts$/.exec(path) ?? []
  if (name === undefined) throw new Error(`${path} is not a TypeScript file in ./src.`)
  return `./dist/${name}${ending}`
}

const mapValues = <Value>(
  record: Readonly<Record<string, string>>,
  to: (value: string) => Value,
): Record<string, Value> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))
