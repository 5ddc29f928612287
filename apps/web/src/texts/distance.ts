import { datesIn } from './dates.ts'

/** Former form of `countdown`, for the callers that still have it. */
export const writeDistance = (to: Date | string, from: Date, language: string): string =>
  datesIn(language, 'UTC').countdown(to, from)
