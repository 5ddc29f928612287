import { profileSettingDefaults } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import type { Language } from '@parley/texts/languages'
import { sql } from 'kysely'
import { audit } from '../../access/audit.ts'
import type { Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Platform } from '../../platform/platform.ts'
import { newRoomCode } from './access-codes.ts'
import { encryptAccountSecrets, newAccountSecrets } from './account-secrets.ts'
import { type AccountRow, hasAccounts, insertAccount } from './account-store.ts'
import { findOrCreateTenant, isMapped } from './tenant-store.ts'

/** With a million accounts, one attempt in a thousand hits a taken code. */
const maxCodeAttempts = 8

/** The key of the advisory lock for the first account: an arbitrary number that no other lock uses. */
const firstAccountLock = 34_778

export type NewPerson = {
  accountId: string
  email: string
  /** Null for a person who signs in with the organisation's provider. */
  passwordHash: string | null
  name: string
  lname: string
  timeZone: string
  /** The language of emails; empty when unknown. */
  language: Language | ''
  /** When the address was verified; null where verification is not required. */
  emailVerifiedAt: Date | null
}

type CreateAccountOptions = {
  now: Date
  /** The network address of the request. */
  address: string
  /** Sign-up is closed except for the first account. */
  onlyAsFirst: boolean
  /** The caller may create the first account (accounts/set-up.ts). */
  mayBeFirst: boolean
  /** Created by the operator's command, not by the person. */
  byOperator?: boolean
}

/**
 * Create an account in the tenant of its address. The first account of a database is administrator and reviewer, with
 * OAuth enabled; of several concurrent creations, exactly one is the first.
 * @throws sign_up_closed, set_up_code_required; PostgreSQL's 23505 when the address is taken (`isAddressTaken`)
 */
export async function createAccount(
  tx: Tx,
  { random, encryption, config }: Pick<Platform, 'random' | 'encryption' | 'config'>,
  person: NewPerson,
  { now, address, onlyAsFirst, mayBeFirst, byOperator = false }: CreateAccountOptions,
): Promise<AccountRow> {
  const first = await isFirst(tx)
  if (onlyAsFirst && !first) throw problem('sign_up_closed')
  if (first && !mayBeFirst) throw problem('set_up_code_required')
  const tenantId = await findOrCreateTenant(tx, person.email, { tenants: config.tenants, random, now })
  const secrets = newAccountSecrets(random)
  const draft = draftAccount(person, now)
  const row = {
    ...draft,
    settings: JSON.stringify({ ...draft.settings, suggestedToColleagues: isMapped(person.email, config.tenants) }),
    schoolData: JSON.stringify(draft.schoolData),
    meetingDefaults: JSON.stringify(draft.meetingDefaults),
    emailKey: addressKey(person.email),
    tenantId,
    roomId: random.uuid(now),
    sealedSecrets: encryptAccountSecrets(encryption, person.accountId, secrets),
    chatId: random.uuid(now),
    chatUserId: random.uuid(now),
    administrator: first,
    reviewer: first,
    oauthEnabled: first,
    disabledAt: null,
    modifiedAt: now,
  }
  for (let attempt = 0; attempt < maxCodeAttempts; attempt++) {
    const account = await insertAccount(tx, { ...row, roomCode: newRoomCode(random) })
    if (account === undefined) continue
    const detail = { administrator: first, ...(byOperator && { by: 'operator' }) }
    const actorId = byOperator ? null : account.id
    await audit(tx, random, now, {
      tenantId,
      actorId,
      subjectId: account.id,
      action: 'account.created',
      detail,
      address,
    })
    return account
  }
  throw problem('unavailable')
}

export const noSchoolData = { tnc_purpose: false, tnc_service: false, tnc_privacy: false, tnc_authorized: false }

/** The person's own fields and the defaults. */
export const draftAccount = ({ accountId, ...person }: NewPerson, now: Date) => ({
  ...person,
  id: accountId,
  phoneNo: '',
  department: '',
  location: '',
  hourCycle: '',
  firstDayOfWeek: '',
  meetingDefaults: {},
  avatar: 0,
  photo: null,
  settings: profileSettingDefaults,
  schoolData: noSchoolData,
  administrator: false,
  reviewer: false,
  oauthEnabled: false,
  passwordChangedAt: null,
  createdAt: now,
})

/** Whether this is the first account. Take a lock, so that concurrent creations wait for one another. */
async function isFirst(tx: Tx): Promise<boolean> {
  if (await hasAccounts(tx)) return false
  await sql`select pg_advisory_xact_lock(${firstAccountLock})`.execute(tx)
  return !(await hasAccounts(tx))
}
