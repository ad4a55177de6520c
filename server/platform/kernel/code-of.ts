/**
 * The code an error carries, such as ENOENT or a SQLSTATE. It may be logged, while the message may quote data.
 */
export const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
