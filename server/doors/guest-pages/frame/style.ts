import { assetOf } from './asset.ts'

/** The one stylesheet of the guests' pages. */
export const guestStyle = assetOf('guest.css', 'text/css')
