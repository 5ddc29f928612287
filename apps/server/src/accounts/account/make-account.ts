import { profileSettingDefaults } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import type { Language } from '@parley/rules/text/language'
import { sql } from 'kysely'
import { audit } from '../../access/audit.ts'
import type { Service } from '../../access/service.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Tx } from '../../tables/tables.ts'
import { encryptAccountSecrets, newAccountSecrets } from './account-secrets.ts'
import { type AccountRow, hasAccounts, insertAccount } from './account-store.ts'
import { newRoomCode } from './room-code.ts'
import { findOrMakeTenant } from './tenant-store.ts'

/** With a million accounts a code is taken once in a thousand tries. */
const maxCodeTries = 8

/** Any number that nobody else locks: 'first' in the keypad's digits. */
const firstAccountLock = 34_778

export type NewPerson = {
  accountId: string
  email: string
  /** Null for somebody whom the organisation's provider has let in. */
  passwordHash: string | null
  name: string
  lname: string
  timeZone: string
  /** Of mails; empty when it was never said. */
  language: Language | ''
  /** When the address was proven; null where it need not be. */
  emailVerifiedAt: Date | null
}

export type MakeAccountOptions = {
  now: Date
  /** The network address of the request. */
  address: string
  /** The door is closed but for the first account. */
  onlyAsFirst: boolean
  /** Whoever asks may make the first account (set-up/first-account.ts). */
  mayBeFirst: boolean
  /** The operator's command makes it, not the person. */
  byOperator?: boolean
}

/**
 * Makes an account in the tenant of its address. The first of a fresh database is its administrator and reviewer, with
 * OAuth enabled (meetings.md 7); of several that are made at once, exactly one is.
 * @throws sign_up_closed, set_up_code_required; PostgreSQL's 23505 when the address is taken (`isAddressTaken`)
 */
export async function makeAccount(
  tx: Tx,
  { random, encryption, config }: Pick<Service, 'random' | 'encryption' | 'config'>,
  person: NewPerson,
  { now, address, onlyAsFirst, mayBeFirst, byOperator = false }: MakeAccountOptions,
): Promise<AccountRow> {
  const first = await isFirst(tx)
  if (onlyAsFirst && !first) throw problem('sign_up_closed')
  if (first && !mayBeFirst) throw problem('set_up_code_required')
  const tenantId = await findOrMakeTenant(tx, person.email, { tenants: config.tenants, random, now })
  const secrets = newAccountSecrets(random)
  const draft = draftAccount(person, now)
  const row = {
    ...draft,
    settings: JSON.stringify(draft.settings),
    schoolData: JSON.stringify(draft.schoolData),
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
  for (let tries = 0; tries < maxCodeTries; tries++) {
    const account = await insertAccount(tx, { ...row, roomCode: newRoomCode(random) })
    if (account === undefined) continue
    const detail = { administrator: first, ...(byOperator && { by: 'operator' }) }
    const actorId = byOperator ? null : account.id
    await audit(tx, random, now, {
      ...{ tenantId, actorId, subjectId: account.id, action: 'account.created', detail, address },
    })
    return account
  }
  throw problem('unavailable')
}

export const noSchoolData = { tnc_purpose: false, tnc_service: false, tnc_privacy: false, tnc_authorized: false }

/** What a person brings along, and what everybody starts with. */
export const draftAccount = ({ accountId, ...person }: NewPerson, now: Date) => ({
  ...person,
  id: accountId,
  phoneNo: '',
  department: '',
  location: '',
  avatar: 0,
  settings: profileSettingDefaults,
  schoolData: noSchoolData,
  administrator: false,
  reviewer: false,
  oauthEnabled: false,
  passwordChangedAt: null,
  createdAt: now,
})

/** Whoever may be the first waits until another one who may be it has committed. */
async function isFirst(tx: Tx): Promise<boolean> {
  if (await hasAccounts(tx)) return false
  await sql`select pg_advisory_xact_lock(${firstAccountLock})`.execute(tx)
  return !(await hasAccounts(tx))
}
