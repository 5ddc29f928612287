import { useDebouncedValue } from '@mantine/hooks'
import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { type MeetingDraft, requestOf } from './meeting-draft.ts'
import { previewQuery } from './preview-query.ts'

/** Whoever types a date asks once. */
const askAfterMs = 300

/** The preview of a draft, a moment after it was changed; `isCurrent` says whether it is of the draft as it is now. */
export function usePreview(draft: MeetingDraft, zoneId: string, was: SingleMeetingReply | undefined) {
  // A text, so that a draft that says the same does not begin the wait anew.
  const request = JSON.stringify(requestOf(draft, zoneId, was))
  const [asked] = useDebouncedValue(request, askAfterMs)
  const { data, error } = useQuery(previewQuery(JSON.parse(asked), was))
  return { data, error, isCurrent: asked === request }
}
