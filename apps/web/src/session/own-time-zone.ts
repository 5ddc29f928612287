import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import { ownTimeZone } from '../texts/dates.ts'

/** The reader's time zone by its current name: V8 reports some zones by a former name. */
export const ownTimeZoneName = (): string => currentTimeZoneName(ownTimeZone())
