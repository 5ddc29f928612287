import { useDebouncedValue } from '@mantine/hooks'
import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { type MeetingDraft, toMeetingRequest } from './meeting-draft.ts'
import { askAfterMs, previewQuery } from './preview-query.ts'

/** The preview of a draft, delayed after a change; `isCurrent` tells whether it matches the current draft. */
export function useDatesPreview(draft: MeetingDraft, zoneId: string, was: SingleMeetingReply | undefined) {
  // Serialized, so that an equal draft does not restart the delay.
  const request = JSON.stringify(toMeetingRequest(draft, zoneId, was))
  const [debouncedRequest] = useDebouncedValue(request, askAfterMs)
  const { data, error } = useQuery(previewQuery(JSON.parse(debouncedRequest), was))
  return { data, error, isCurrent: debouncedRequest === request }
}
