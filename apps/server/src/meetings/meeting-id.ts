import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'

/** An id that cannot be one is answered like one that is nobody's. @throws meeting_not_found */
export function requireMeetingId(text: string): string {
  if (!isUuid(text)) throw problem('meeting_not_found')
  return text
}
