import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'

/** Require a well-formed id. A malformed one is answered like an unknown one. @throws meeting_not_found */
export function requireMeetingId(text: string): string {
  if (!isUuid(text)) throw problem('meeting_not_found')
  return text
}
