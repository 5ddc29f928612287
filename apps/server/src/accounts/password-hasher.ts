import { type Argon2Parameters, argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { longestPassword, normalPassword } from '@parley/rules/password'
import type { Random } from '../platform/random.ts'
import { createTurns } from './turns.ts'

/** OWASP's first choice of Argon2id parameters that fit a small machine; 27 ms on one core where this was written. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }

/** Each takes a thread of Node's four and 19 MiB: two leave room for files and names to be looked up. */
const mostAtOnce = 2
/** Two seconds' worth: beyond that, whoever waits has given up, and a flood must not hold memory. */
const mostWaiting = 128

const saltLength = 16
const hashLength = 32

type Cost = { memory: number; passes: number; parallelism: number }

export type PasswordHasher = {
  /** The hash as a PHC string. @throws unavailable when too many wait. */
  hash(password: string): Promise<string>
  /**
   * Compares with a PHC string, or, in the same time, with nothing at all: `undefined` is never right.
   * `outdated` says that the string was made at another cost and should be made anew. @throws unavailable
   */
  verify(password: string, phc: string | undefined): Promise<{ right: boolean; outdated: boolean }>
}

const deriveKey = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

/** Argon2id (RFC 9106), a few at a time. */
export function createPasswordHasher(random: Random): PasswordHasher {
  const inTurn = createTurns({ mostAtOnce, mostWaiting })
  const compute = (password: string, salt: Buffer, { memory, passes, parallelism }: Cost, tagLength: number) =>
    inTurn(() =>
      deriveKey('argon2id', {
        message: normalPassword(password),
        nonce: salt,
        memory,
        passes,
        parallelism,
        tagLength,
      }),
    )

  return {
    async hash(password) {
      const salt = random.bytes(saltLength)
      return writePhc(salt, await compute(password, salt, cost, hashLength))
    },
    async verify(password, phc) {
      // No kept password is as long; NFKC makes at most 18 characters of one.
      if (password.length > longestPassword * 18) return { right: false, outdated: false }
      const kept = phc === undefined ? undefined : readPhc(phc)
      const salt = kept?.salt ?? random.bytes(saltLength)
      const hash = await compute(password, salt, kept?.cost ?? cost, kept?.hash.length ?? hashLength)
      const right = kept !== undefined && timingSafeEqual(hash, kept.hash)
      return { right, outdated: kept !== undefined && !isPresent(kept.cost) }
    },
  }
}

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
