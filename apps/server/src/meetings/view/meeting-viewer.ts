import {
  findMeetingRole,
  findMeetingRoleForApp,
  type MeetingPeople,
  type MeetingRole,
  type RightsOfPerson,
  rightsOfRole,
} from '@parley/rules/meetings/meeting-rights'
import type { Caller } from '../../access/caller.ts'
import { namesUnverifiedParticipants } from '../../access/trusted-address.ts'
import type { Config } from '../../platform/config/config.ts'

/** A caller as the statements of this module need it. */
export type Viewer = {
  accountId: string
  tenantId: string
  /** Whether meetings are found that only administration opens: see meeting-access.ts, which alone sets it. */
  administrator: boolean
  /** Null if the address is not trusted. */
  addressKey: string | null
  /** Whether accounts behind unverified addresses are named (docs/decisions/0024). */
  namesEveryAddress: boolean
}

export const viewerOf = (caller: Caller, config: Config): Viewer => ({
  accountId: caller.accountId,
  tenantId: caller.tenantId,
  administrator: false,
  addressKey: trustedAddress(caller),
  namesEveryAddress: namesUnverifiedParticipants(config),
})

/** The role that the meeting gives to the caller. */
export const roleOf = (row: MeetingPeople, caller: Caller): Exclude<MeetingRole, 'added'> => {
  const findRole = isThroughApp(caller) ? findMeetingRoleForApp : findMeetingRole
  return findRole({ accountId: caller.accountId, addressKey: trustedAddress(caller) }, row)
}

/** The rights that a meeting gives to the caller for whom `viewerOf` found it. */
export const rightsOf = (row: MeetingPeople, caller: Caller): Pick<RightsOfPerson, 'has'> =>
  rightsOfRole(foundRole(roleOf(row, caller)), false)

/** The rights to show a meeting of a list. In that of another person, an administrator sees it as one that they opened. */
export const rightsInList = ({ onlyOfTenant }: { onlyOfTenant: string | null }, row: MeetingPeople, caller: Caller) =>
  onlyOfTenant === null ? rightsOf(row, caller) : rightsOfRole(roleOf(row, caller), true)

/** What is found without a role is on the caller's list. */
export const foundRole = (role: ReturnType<typeof roleOf>): MeetingRole => (role === 'none' ? 'added' : role)

/** The app that acts for the caller; null for a session or a personal token. */
export const appOf = ({ credential }: Caller): string | null => (credential.kind === 'oauth' ? credential.appId : null)

export const isThroughApp = (caller: Caller) => appOf(caller) !== null

const trustedAddress = (caller: Caller) => (caller.addressTrusted ? caller.addressKey : null)
