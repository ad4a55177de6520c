import { type FigureName, figureNames } from '@venue-data/contract/records/figures.ts'

/** What owners ask of two things at once, and closer looks: counted for the page alone, next to the figures that programs ask for. */
export const crossedNames = [
  'refused_by_weekday',
  'no_shows_by_source_and_size',
  'stays_by_size',
  'guests_by_first_source',
  'came_back',
  'days_ahead',
  'stay_quarters',
  'tables_known',
  'guests_by_table',
  'code_discounts',
] as const

export type CountedFigure = FigureName | (typeof crossedNames)[number]

export const countedFigures: readonly CountedFigure[] = [...figureNames, ...crossedNames]
