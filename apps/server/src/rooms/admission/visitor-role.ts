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
 * Determine a visitor's role in a meeting. A role that the room key, the host PIN or a host inside has given
 * (`granted`) also counts as an invitation.
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
    // A meeting that was only added to the caller's list is no invitation.
    invited: hosts || row.invited === true || row.cohost === true,
    colleague: caller?.tenantId === row.host.tenantId,
    hosts,
    owns,
  }
}

function roleOf(row: MeetingForEntry, caller: Caller): VisitorRole['role'] {
  const people = row.cohost === null ? [] : [{ addressKey: caller.addressKey, cohost: row.cohost }]
  // Administrators are not hosts of other people's meetings.
  const viewer = { ...caller, administrator: false }
  const role = (caller.credential.kind === 'oauth' ? findMeetingRoleForApp : findMeetingRole)(viewer, {
    host: row.host,
    people,
  })
  return role === 'host' || role === 'cohost' ? role : 'participant'
}
