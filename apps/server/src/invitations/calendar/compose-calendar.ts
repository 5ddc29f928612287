export type { CalendarInput } from './calendar-input.ts'
