import { type ReplyOf, readService } from '@parley/contract'
import { type Violation, violationAt } from '@parley/rules/text/violation'
import type { Access } from '../access/access.ts'
import type { AttemptLimits } from '../access/attempt-limits.ts'
import { networkOf } from '../access/network.ts'
import type { Database } from '../platform/database/database.ts'
import type { Encryption } from '../platform/encryption.ts'
import { problem } from '../platform/http/problem.ts'
import type { Platform } from '../platform/platform.ts'
import { isSameSecret } from '../platform/sha256.ts'
import { hasAccounts } from './account/account-store.ts'
import { findServiceBrand, viewLook } from './organisation-store.ts'

type ServiceDependencies = Pick<Platform, 'config'> & { firstAccount: FirstAccount }

/** What the start page needs before a sign-in. */
export function registerReadService(dependencies: Pick<Access, 'serve'> & ServiceDependencies) {
  dependencies.serve(readService, { handle: ({ database }) => viewService(database, dependencies) })
}

/** Public facts about the service, for its pages. */
export async function viewService(
  database: Database,
  { config, firstAccount }: ServiceDependencies,
): Promise<ReplyOf<typeof readService>> {
  const { signUp, provider, reminderMinutes, mailIsSent, linksAreLocal, supportContact = null } = config
  return {
    firstRun: !(await hasAccounts(database)),
    setUpCodeRequired: (await firstAccount.findCode(database)) !== undefined,
    signUp,
    providerName: provider?.name ?? null,
    reminderMinutes,
    mailIsSent,
    linksAreLocal,
    supportContact,
    organisation: viewLook(await findServiceBrand(database)),
  }
}

/**
 * Who may create the first account, which becomes the administrator. `protected`: a person with the set-up code, which
 * the service prints at its start; `anyone`: for tests. The code is needed on the machine itself as well, because a
 * proxy on it connects every stranger from a loopback address.
 */
export type FirstAccountPolicy = 'protected' | 'anyone'

export type FirstAccount = {
  /** Find the code that the first account needs; undefined once there is an account, and in tests. */
  findCode(database: Database): Promise<string | undefined>
  /**
   * Check the code of a sign-up. Return false once there is an account.
   * @throws set_up_code_required, wrong_set_up_code, too_many_requests
   */
  permit(database: Database, sent: { address: string; setUpCode: string | undefined }): Promise<boolean>
}

type FirstAccountOptions = {
  policy: FirstAccountPolicy
  encryption: Encryption
  attemptLimits: AttemptLimits
}

export function createFirstAccount({ policy, encryption, attemptLimits }: FirstAccountOptions): FirstAccount {
  const code = setUpCodeOf(encryption)
  return {
    findCode: async (database) => (policy === 'anyone' || (await hasAccounts(database)) ? undefined : code),
    async permit(database, { address, setUpCode }) {
      if (policy === 'anyone') return true
      if (await hasAccounts(database)) return false
      if (setUpCode === undefined || setUpCode.trim() === '') throw refusal('set_up_code_required', 'required')
      const network = networkOf(address)
      await attemptLimits.require('wrongSetUpCodesOfNetwork', network)
      if (isSetUpCode(setUpCode, code)) return true
      await attemptLimits.countOrRefuse('wrongSetUpCodesOfNetwork', network)
      throw refusal('wrong_set_up_code', 'wrong_set_up_code')
    },
  }
}

function refusal(code: 'set_up_code_required' | 'wrong_set_up_code', violation: Violation['code']) {
  const message = 'must be the set-up code that the service has printed when it was started'
  return problem(code, { violations: [violationAt('/setUpCode', { code: violation, message })] })
}

/** Crockford's base 32, without characters that are easily confused. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 80 bits: cannot be guessed, and short enough to type. */
const codeLength = 16
const groupLength = 4

/**
 * Derive the code for the first account, as printed: `7K3M-…`. The code is derived from SECRET_KEY, so that all
 * instances print and accept the same code, also after a restart, and nothing is stored.
 */
export function setUpCodeOf(encryption: Encryption): string {
  const characters = Array.from(
    encryption.mac('set-up code', 'first account').subarray(0, codeLength),
    characterOf,
  ).join('')
  return characters.match(new RegExp(`.{${groupLength}}`, 'g'))?.join('-') ?? characters
}

const characterOf = (byte: number) => alphabet[byte % alphabet.length]

/** Compare a typed code, ignoring letter case and separators. */
const isSetUpCode = (sent: string, code: string): boolean => isSameSecret(plain(sent), plain(code))

const plain = (code: string) =>
  code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
