import {
  type MeetingPeople,
  type MeetingRights,
  rightsOver,
  tieBetween,
  tieThroughApp,
} from '@parley/rules/meeting-rights'
import type { Caller } from '../access/caller.ts'
import type { Config } from '../platform/config.ts'

/** A caller as the statements of this room ask for them. */
export type Looker = {
  accountId: string
  tenantId: string
  administrator: boolean
  /** Null while the address is not confirmed. */
  addressKey: string | null
  /** EMAIL_VERIFICATION=off: everybody's address counts as confirmed (meetings.md 8.3). */
  everyAddressConfirmed: boolean
}

export const lookerOf = (caller: Caller, config: Config): Looker => ({
  accountId: caller.accountId,
  tenantId: caller.tenantId,
  administrator: caller.administrator && !isThroughApp(caller),
  addressKey: confirmedAddress(caller),
  everyAddressConfirmed: config.emailVerification === 'off',
})

export const rightsOf = (row: MeetingPeople, caller: Caller): MeetingRights => {
  const tieOf = isThroughApp(caller) ? tieThroughApp : tieBetween
  return rightsOver(tieOf({ ...caller, addressKey: confirmedAddress(caller) }, row))
}

/** The app that acts for the caller; null for a person and their scripts, which belong to no app. */
export const appOf = ({ credential }: Caller): string | null => (credential.kind === 'oauth' ? credential.appId : null)

const isThroughApp = (caller: Caller) => appOf(caller) !== null

const confirmedAddress = (caller: Caller) => (caller.addressVerified ? caller.addressKey : null)
