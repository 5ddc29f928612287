import { type Argon2Parameters, argon2, timingSafeEqual } from 'node:crypto'
import { isDeepStrictEqual, promisify } from 'node:util'
import { maxPasswordLength, normalPassword } from '@parley/rules/text/password'
import { networkOf, siteOf } from '../access/network.ts'
import { createFairLimit, type GroupPath } from '../platform/fair-limit.ts'
import type { Random } from '../platform/random.ts'

/** OWASP's first choice of Argon2id parameters that fit a small machine; 27 ms on one core when measured. */
export const defaultPasswordCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }

/** Each uses one of Node's four pool threads and 19 MiB: two leave threads for files and DNS. */
const maxConcurrent = 2
/** Two seconds of work: later clients have given up, and a flood must not hold memory. */
const maxWaitingHashes = 128

/** Attempts to sign in: two whose passwords are hashed, and two whose queries keep the hashing busy. */
const maxConcurrentAttempts = 4
/**
 * With those in progress well below the least that the service works on at a time (overload.ts): attempts that
 * wait for their turn must not make it refuse other people's.
 */
const maxWaitingAttempts = 96

const saltLength = 16
const hashLength = 32

/** `outdated`: the hash has another cost and should be renewed. */
type Verification = { right: boolean; outdated: boolean }

/** Parameters of Argon2id (RFC 9106, 3.1); `memory` in KiB. */
export type PasswordCost = { memory: number; passes: number; parallelism: number }

/** The parties among which hashing is shared: sites, networks and accounts (docs/decisions/0006). */
export type HashRequester = {
  /** The network address of the request. */
  address: string
  /** The address key of the account, whether or not it exists. */
  addressKey: string
}

export type PasswordHasher = {
  /**
   * Run an attempt to sign in when it is its requester's turn, before it costs a query: connections to the database are
   * given in order of arrival, so that an attempt would wait there behind all of a flood.
   * @throws unavailable when too many attempts wait
   */
  attempt<Result>(requester: HashRequester, work: () => Promise<Result>): Promise<Result>
  /** Hash a password into a PHC string. @throws unavailable when too many tasks wait */
  hash(password: string, requester: HashRequester): Promise<string>
  /**
   * Compare with each PHC string; `undefined` takes the same time and never matches.
   * @throws unavailable
   */
  verify(
    password: string,
    phcs: readonly (string | undefined)[],
    requester: HashRequester,
  ): Promise<readonly Verification[]>
}

const deriveKey = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

/**
 * Hash with Argon2id (RFC 9106), with limited and fair concurrency: tasks are delayed mainly by others of the same
 * account and network. Hashes of another cost than `cost` are outdated.
 */
export function createPasswordHasher(random: Random, cost = defaultPasswordCost): PasswordHasher {
  const { run } = createFairLimit({ maxInProgress: maxConcurrent, maxWaiting: maxWaitingHashes })
  const attempts = createFairLimit({ maxInProgress: maxConcurrentAttempts, maxWaiting: maxWaitingAttempts })

  async function verifyOne(password: string, phc: string | undefined): Promise<Verification> {
    const storedHash = phc === undefined ? undefined : readPhc(phc)
    const salt = storedHash?.salt ?? random.bytes(saltLength)
    const hash = await compute(password, salt, storedHash?.cost ?? cost, storedHash?.hash.length ?? hashLength)
    const right = storedHash !== undefined && timingSafeEqual(hash, storedHash.hash)
    return { right, outdated: storedHash !== undefined && !isDeepStrictEqual(storedHash.cost, cost) }
  }

  return {
    attempt: (requester, work) => attempts.run({ paths: pathsOf(requester) }, work),
    async hash(password, requester) {
      const salt = random.bytes(saltLength)
      return writePhc(
        cost,
        salt,
        await run({ paths: pathsOf(requester) }, () => compute(password, salt, cost, hashLength)),
      )
    },
    async verify(password, phcs, requester) {
      // No stored password is as long; NFKC expands a character to at most 18.
      if (password.length > maxPasswordLength * 18) return phcs.map(() => ({ right: false, outdated: false }))
      return run({ paths: pathsOf(requester) }, async () => {
        const verifications: Verification[] = []
        for (const phc of phcs) verifications.push(await verifyOne(password, phc))
        return verifications
      })
    },
  }
}

/**
 * A site is shared by its networks, a network by its accounts, such as an office behind one address; and accounts take
 * turns among each other, wherever the attempts come from. A flood from many networks to one account, and one from one
 * network to many accounts, each leave the other half of the turns to other people.
 */
const pathsOf = ({ address, addressKey }: HashRequester): [GroupPath, GroupPath] => [
  [siteOf(address), networkOf(address), addressKey],
  [addressKey, siteOf(address)],
]

const compute = (password: string, salt: Buffer, { memory, passes, parallelism }: PasswordCost, tagLength: number) =>
  deriveKey('argon2id', { message: normalPassword(password), nonce: salt, memory, passes, parallelism, tagLength })

const writePhc = ({ memory, passes, parallelism }: PasswordCost, salt: Buffer, hash: Buffer) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${inBase64(salt)}$${inBase64(hash)}`

const inBase64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

function readPhc(text: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(text)
  if (parts === null) throw new Error('A password hash is not in the form that this version writes')
  const [, memory, passes, parallelism, salt = '', hash = ''] = parts
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}
