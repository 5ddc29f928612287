import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { secureRandom } from '../../apps/server/src/platform/random.ts'
import { printTable, quantile, rankSum } from '../figures.ts'
import type { BenchFixture } from '../fixture.ts'
import { signUp } from '../prepared-data.ts'
import { insertConnectedApp } from './oauth-data.ts'

const requestsPerKind = 20_000

/** Compare the time of refusals for an unknown client and for a wrong secret: a difference would reveal client ids. */
export async function benchClientAuthTiming(fixture: BenchFixture) {
  const { clientId, clientSecret } = await insertConnectedApp(fixture, await signUp(fixture, 'refused'))
  const alter = (text: string) => `${text.slice(0, -8)}${secureRandom.bytes(4).toString('hex')}`
  const [unknown = [], wrong = []] = await measureRefusals(fixture.parley.port, requestsPerKind, [
    () => [alter(clientId), clientSecret],
    () => [clientId, alter(clientSecret)],
  ])
  const { probability, z } = rankSum(unknown, wrong)
  printTable(`Refused clients, ${requestsPerKind} of each, one at a time in turns`, [
    ['', 'p10', 'p50', 'p90'],
    ...[
      { name: 'unknown client', of: unknown },
      { name: 'wrong secret', of: wrong },
    ].map(({ name, of }) => [name, ...[0.1, 0.5, 0.9].map((part) => `${(quantile(of, part) * 1000).toFixed(1)} µs`)]),
  ])
  console.log(
    `  An unknown client took longer than a wrong secret in ${(probability * 100).toFixed(2)} % of all pairs, ` +
      `z = ${z.toFixed(2)} (Mann-Whitney; beyond 1.96 there is a difference)`,
  )
}

type Credentials = readonly [clientId: string, secret: string]

/**
 * Send one request at a time on one connection, the kinds in turns and each kind first equally often, so that
 * disturbances affect all kinds alike.
 * @returns milliseconds of each refusal, by kind
 * @throws when a reply is not 401
 */
async function measureRefusals(
  port: number,
  turns: number,
  kinds: readonly (() => Credentials)[],
): Promise<number[][]> {
  using connection = new Connection(port)
  for (let turn = 0; turn < 300; turn++) for (const kind of kinds) await connection.measureRefusal(kind())
  const latenciesMs: number[][] = kinds.map(() => [])
  for (let turn = 0; turn < turns; turn++) {
    for (let offset = 0; offset < kinds.length; offset++) {
      const at = (offset + turn) % kinds.length
      const credentials = kinds[at]?.()
      if (credentials !== undefined) latenciesMs[at]?.push(await connection.measureRefusal(credentials))
    }
  }
  return latenciesMs
}

class Connection implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #port: number

  constructor(port: number) {
    this.#port = port
  }

  measureRefusal([clientId, secret]: Credentials): Promise<number> {
    const form = 'grant_type=refresh_token&refresh_token=ort_none'
    return new Promise((resolve, reject) => {
      const sentMs = performance.now()
      const outgoing = request(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port: this.#port,
          method: 'POST',
          path: '/api/oauth2/v2/token',
          headers: {
            authorization: `Basic ${btoa(`${clientId}:${secret}`)}`,
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': form.length,
          },
        },
        (response) => {
          response.resume().once('end', () => {
            if (response.statusCode === 401) resolve(performance.now() - sentMs)
            else reject(new Error(`Answered ${response.statusCode} instead of 401`))
          })
        },
      )
      outgoing.once('error', reject)
      outgoing.end(form)
    })
  }

  [Symbol.dispose]() {
    this.#agent.destroy()
  }
}
