/**
 * A plain address of the pages that staff use, which may be gone back to; undefined for any other text. Names and
 * figures between single slashes, so that no reader takes it for another site or for a way up (`//`, `..`, `%2f`).
 */
export const ownPath = (text: string): string | undefined =>
  /^\/(?:office|operator)(?:\/[\w-]+)*(?:\?[\w\-=&.~%+:]*)?$/.test(text) ? text : undefined
