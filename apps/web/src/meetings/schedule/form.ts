import type { UseFormReturnType } from '@mantine/form'
import type { MeetingDraft } from './meeting-draft.ts'

/** The form of a meeting, as its fields receive it. */
export type MeetingForm = UseFormReturnType<MeetingDraft>
