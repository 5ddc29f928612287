import { sql } from 'kysely'
import type { EncryptedState } from './meeting-state.ts'

/** The row `s` of `meeting_state`, if there is one. */
export const stateJson = sql`case when s.meeting_id is not null then json_build_object('meetingId', s.meeting_id,
  'sequence', s.sequence, 'encryptedContent', encode(s.sealed_content, 'base64')) end`

/** As stored in JSON. */
export type StateJson = Omit<EncryptedState, 'encryptedContent'> & { encryptedContent: string }

export const readStateJson = (state: StateJson | null): EncryptedState | null =>
  state && { ...state, encryptedContent: Buffer.from(state.encryptedContent, 'base64') }
