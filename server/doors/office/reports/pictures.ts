import type { Picture, Shown } from './picture.ts'
import { arrivalsPicture } from './pictures/arrivals.ts'
import { coversPicture } from './pictures/covers.ts'

/** The pictures of a report, in the order in which they are asked about. */
export const picturesOf = (shown: Shown): readonly Picture[] => [coversPicture(shown), arrivalsPicture(shown)]
