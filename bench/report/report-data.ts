import { secureRandom } from '../../apps/server/src/platform/random.ts'
import {
  type BenchClient,
  insertAccessTokens,
  insertCodes,
  insertConnectedApp,
  insertRefreshTokens,
  vacuumTokens,
} from '../oauth/oauth-data.ts'
import { idsOf, insertMeetings, type Person, signUp, vacuumMeetings } from '../prepared-data.ts'
import { accessTokens, invitations, meetings, meetingsRead, people, refreshFamilies } from './data-description.ts'
import type { ReportFixture } from './fixture.ts'

const codesPerBatch = 20_000

export type ReportData = {
  /** A host with many meetings. */
  host: Person
  guest: Person
  /** Ids of the host's meetings, scattered over the table. */
  meetingIds: readonly string[]
  creators: readonly Person[]
  signers: readonly { email: string; password: string }[]
  client: BenchClient
  accessTokens: readonly string[]
  /** The current refresh token of each family, unless a request is using it. */
  refreshTokens: TokenRing
}

export async function prepareReportData(fixture: ReportFixture): Promise<ReportData> {
  const host = await signUp(fixture, 'host')
  const guest = await signUp(fixture, 'guest')
  const creators: Person[] = []
  const signers: { email: string; password: string }[] = []
  for (let count = 0; count < people; count++) {
    creators.push(await signUp(fixture, `creator-${count}`))
    const password = secureRandom.bytes(12).toString('hex')
    const { email } = await signUp(fixture, `signer-${count}`, password)
    signers.push({ email, password })
  }
  // All hosts are also invited by others. With only two addresses in the whole table, the planner would expect half of
  // all invitations for each address, and would scan the table for a list.
  const invited = [host, ...creators].map(({ email }) => email)
  const neighbour = await signUp(fixture, 'neighbour')
  await insertMeetings(fixture, { host: neighbour, count: invitations, firstCode: 1_000_000_000, guests: invited })
  const guests = [guest.email, 'somebody@example.com']
  await insertMeetings(fixture, { host, count: meetings, firstCode: 3_000_000_000, guests })
  const client = await insertConnectedApp(fixture, await signUp(fixture, 'developer'))
  const data = {
    host,
    guest,
    creators,
    signers,
    client,
    meetingIds: await idsOf(fixture, host, meetingsRead),
    accessTokens: await insertAccessTokens(fixture, client, accessTokens),
    refreshTokens: new TokenRing(await insertRefreshTokens(fixture, client, refreshFamilies)),
  }
  await vacuumAll(fixture)
  return data
}

/** Vacuum and checkpoint all tables, so that work on new rows does not fall into the measurement. */
export async function vacuumAll(fixture: ReportFixture): Promise<void> {
  await vacuumTokens(fixture)
  await vacuumMeetings(fixture)
}

/** First in, first out: a rotation takes the token that has waited longest, and adds its successor. */
export class TokenRing {
  readonly #tokens: string[]
  #taken = 0
  #added: number

  constructor(tokens: readonly string[]) {
    this.#tokens = [...tokens]
    this.#added = tokens.length
  }

  take(): string | undefined {
    return this.#taken === this.#added ? undefined : this.#tokens[this.#taken++ % this.#tokens.length]
  }

  /** @throws Error when more tokens are added than were taken */
  add(token: string) {
    if (this.#added - this.#taken === this.#tokens.length) throw new Error('The ring is full')
    this.#tokens[this.#added++ % this.#tokens.length] = token
  }
}

/** Unused authorization codes. All have the same length, so that a buffer can hold millions of them. */
export class CodeSupply {
  readonly #batches: Buffer[] = []
  #codeLength = 0
  #used = 0
  #count = 0

  async insert(fixture: ReportFixture, client: BenchClient, count: number): Promise<void> {
    for (let left = count; left > 0; left -= codesPerBatch) {
      const codes = await insertCodes(fixture, client, codesPerBatch)
      this.#codeLength = codes[0]?.length ?? 0
      this.#batches.push(Buffer.from(codes.join(''), 'latin1'))
      this.#count += codes.length
    }
  }

  get remaining(): number {
    return this.#count - this.#used
  }

  take(): string | undefined {
    const batch = this.#batches[Math.floor(this.#used / codesPerBatch)]
    if (batch === undefined) return undefined
    const start = (this.#used % codesPerBatch) * this.#codeLength
    this.#used += 1
    return batch.toString('latin1', start, start + this.#codeLength)
  }
}
