import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import { ownTimeZone } from '../texts/dates.ts'

/** The reader's own zone by its current name, to be shown and sent: V8 answers some zones by a former one. */
export const ownTimeZoneName = (): string => currentTimeZoneName(ownTimeZone())
