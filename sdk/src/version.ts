/** The version of this package, as `User-Agent` names it. */
export const version = '0.1.0'
