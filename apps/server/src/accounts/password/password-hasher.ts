import { type Argon2Parameters, argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { maxPasswordLength, normalPassword } from '@parley/rules/text/password'
import { networkOf, siteOf } from '../../access/network.ts'
import type { Random } from '../../platform/random.ts'
import { createFairConcurrencyLimit, type GroupPath } from './fair-concurrency-limit.ts'

/** OWASP's first choice of Argon2id parameters that fit a small machine; 27 ms on one core where this was written. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }

/** Each takes a thread of Node's four and 19 MiB: two leave room for files and names to be looked up. */
const maxConcurrent = 2
/** Two seconds' worth: beyond that, whoever waits has given up, and a flood must not hold memory. */
const maxWaiting = 128

const saltLength = 16
const hashLength = 32

/** `outdated`: the string was made at another cost and should be made anew. */
export type Verification = { right: boolean; outdated: boolean }

type Cost = { memory: number; passes: number; parallelism: number }

/** For whom a hash is computed: turns are shared among sites, networks and accounts (decision 0006). */
export type HashRequester = {
  /** The network address of the request. */
  address: string
  /** The email address, as accounts are found by it, whether it has one or not. */
  addressKey: string
}

export type PasswordHasher = {
  /** The hash as a PHC string. @throws unavailable when too many wait. */
  hash(password: string, requester: HashRequester): Promise<string>
  /**
   * Compare with each of these PHC strings, or, in the same time, with nothing at all: `undefined` is never right.
   * @throws unavailable
   */
  verify(
    password: string,
    phcs: readonly (string | undefined)[],
    requester: HashRequester,
  ): Promise<readonly Verification[]>
}

const deriveKey = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

/** Argon2id (RFC 9106), a few at a time, in fair turns: nobody keeps others waiting but those who share their account. */
export function createPasswordHasher(random: Random): PasswordHasher {
  const runFairly = createFairConcurrencyLimit({ maxConcurrent, maxWaiting })

  async function verifyOne(password: string, phc: string | undefined): Promise<Verification> {
    const kept = phc === undefined ? undefined : readPhc(phc)
    const salt = kept?.salt ?? random.bytes(saltLength)
    const hash = await compute(password, salt, kept?.cost ?? cost, kept?.hash.length ?? hashLength)
    const right = kept !== undefined && timingSafeEqual(hash, kept.hash)
    return { right, outdated: kept !== undefined && !isPresent(kept.cost) }
  }

  return {
    async hash(password, requester) {
      const salt = random.bytes(saltLength)
      return writePhc(salt, await runFairly(pathOf(requester), () => compute(password, salt, cost, hashLength)))
    },
    async verify(password, phcs, requester) {
      // No kept password is as long; NFKC makes at most 18 characters of one.
      if (password.length > maxPasswordLength * 18) return phcs.map(() => ({ right: false, outdated: false }))
      return runFairly(pathOf(requester), async () => {
        const verifications: Verification[] = []
        for (const phc of phcs) verifications.push(await verifyOne(password, phc))
        return verifications
      })
    },
  }
}

/** A site is shared by its networks, a network by the accounts that are used there: an office behind one address. */
const pathOf = ({ address, addressKey }: HashRequester): GroupPath => [siteOf(address), networkOf(address), addressKey]

const compute = (password: string, salt: Buffer, { memory, passes, parallelism }: Cost, tagLength: number) =>
  deriveKey('argon2id', { message: normalPassword(password), nonce: salt, memory, passes, parallelism, tagLength })

const isPresent = ({ memory, passes, parallelism }: Cost) =>
  memory === cost.memory && passes === cost.passes && parallelism === cost.parallelism

const writePhc = (salt: Buffer, hash: Buffer) =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${inBase64(salt)}$${inBase64(hash)}`

const inBase64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

function readPhc(text: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(text)
  if (parts === null) throw new Error('A password hash is not in the form that this version writes')
  const [, memory, passes, parallelism, salt = '', hash = ''] = parts
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}
