/**
 * Rows page by page, however many there are: `read` gets the last row of the page before, and asks for those after it. It ends
 * with a page of fewer than `full` rows.
 */
export const pages = async function* <Row>(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
  full = 1,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined
  for (;;) {
    const rows = await read(last)
    if (rows.length > 0) yield rows
    if (rows.length < full) return
    last = rows.at(-1)
  }
}
