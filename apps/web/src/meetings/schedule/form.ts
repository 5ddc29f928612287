import type { UseFormReturnType } from '@mantine/form'
import type { MeetingDraft } from './meeting-draft.ts'

/** The form of a meeting, as its parts are handed it. */
export type MeetingForm = UseFormReturnType<MeetingDraft>
