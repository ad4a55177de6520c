/**
 * A plain path within the staff pages, safe to redirect back to; undefined for any other text. Only names and digits
 * between single slashes, so that nothing reads it as another site or a parent folder (`//`, `..`, `%2f`).
 */
export const ownPath = (text: string): string | undefined =>
  /^\/(?:office|operator|oauth\/authorize(?=\?|$))(?:\/[\w-]+)*(?:\?[\w\-=&.~%+:]*)?$/.test(text)
    ? text
    : undefined
