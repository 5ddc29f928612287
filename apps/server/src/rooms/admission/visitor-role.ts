import { findMeetingRole, findMeetingRoleForApp } from '@parley/rules/meetings/meeting-rights'
import type { Caller } from '../../access/caller.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'

export type VisitorRole = {
  role: 'host' | 'cohost' | 'participant'
  signedIn: boolean
  invited: boolean
  colleague: boolean
  hosts: boolean
  owns: boolean
}

/**
 * What ties a visitor to a meeting. Whoever brings the host's key or the host's PIN is its host, invited like them, and so
 * is whoever was made one inside (`granted`).
 */
export function visitorRoleIn(
  row: MeetingForEntry,
  caller: Caller | undefined,
  granted: 'host' | 'cohost' | null,
): VisitorRole {
  const signedIn = caller !== undefined
  const own = caller === undefined ? 'participant' : roleOf(row, caller)
  const owns = own === 'host'
  const role = owns || granted === 'host' ? 'host' : (granted ?? own)
  const hosts = role !== 'participant'
  if (granted !== null) return { role, signedIn, invited: true, colleague: true, hosts, owns }
  return {
    role,
    signedIn,
    // Whoever has only added the meeting to their list is not invited to it.
    invited: hosts || row.invited === true || row.cohost === true,
    colleague: caller?.tenantId === row.host.tenantId,
    hosts,
    owns,
  }
}

function roleOf(row: MeetingForEntry, caller: Caller): VisitorRole['role'] {
  const people = row.cohost === null ? [] : [{ addressKey: caller.addressKey, cohost: row.cohost }]
  // An administrator is no host of other people's meetings.
  const reader = { ...caller, administrator: false }
  const role = (caller.credential.kind === 'oauth' ? findMeetingRoleForApp : findMeetingRole)(reader, {
    host: row.host,
    people,
  })
  return role === 'host' || role === 'cohost' ? role : 'participant'
}
