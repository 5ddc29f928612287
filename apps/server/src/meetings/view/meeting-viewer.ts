import {
  findMeetingRole,
  findMeetingRoleForApp,
  type MeetingPeople,
  type MeetingRights,
  rightsOver,
} from '@parley/rules/meetings/meeting-rights'
import type { Caller } from '../../access/caller.ts'
import { namesUnverifiedParticipants } from '../../access/trusted-address.ts'
import type { Config } from '../../platform/config/config.ts'

/** A caller as the statements of this module need it. */
export type Viewer = {
  accountId: string
  tenantId: string
  administrator: boolean
  /** Null if the address is not trusted. */
  addressKey: string | null
  /** Whether accounts behind unverified addresses are named (docs/decisions/0024). */
  namesEveryAddress: boolean
}

export const viewerOf = (caller: Caller, config: Config): Viewer => ({
  accountId: caller.accountId,
  tenantId: caller.tenantId,
  administrator: caller.administrator && !isThroughApp(caller),
  addressKey: trustedAddress(caller),
  namesEveryAddress: namesUnverifiedParticipants(config),
})

export const rightsOf = (row: MeetingPeople, caller: Caller): MeetingRights => {
  const findRole = isThroughApp(caller) ? findMeetingRoleForApp : findMeetingRole
  return rightsOver(findRole({ ...caller, addressKey: trustedAddress(caller) }, row))
}

/** The app that acts for the caller; null for a session or a personal token. */
export const appOf = ({ credential }: Caller): string | null => (credential.kind === 'oauth' ? credential.appId : null)

const isThroughApp = (caller: Caller) => appOf(caller) !== null

const trustedAddress = (caller: Caller) => (caller.addressTrusted ? caller.addressKey : null)
