/**
 * The code an error carries, such as ENOENT or a SQLSTATE: what it was, in a word that may be logged, while its message may quote data.
 */
export const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
