import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { secureRandom } from '../../apps/server/src/platform/random.ts'
import { printTable, quantile, rankSum } from '../figures.ts'
import { signUp } from '../prepared-data.ts'
import type { Stage } from '../stage.ts'
import { insertConnectedApp } from './oauth-data.ts'

const refusals = 20_000

/** Both must take as long, else client ids could be found out by the clock (issue 3). */
export async function benchRefusals(stage: Stage) {
  const { clientId, clientSecret } = await insertConnectedApp(stage, await signUp(stage, 'refused'))
  const other = (text: string) => `${text.slice(0, -8)}${secureRandom.bytes(4).toString('hex')}`
  const [unknown = [], wrong = []] = await refusalsInTurns(stage.parley.port, refusals, [
    () => [other(clientId), clientSecret],
    () => [clientId, other(clientSecret)],
  ])
  const { chance, z } = rankSum(unknown, wrong)
  printTable(`Refused clients, ${refusals} of each, one at a time in turns`, [
    ['', 'p10', 'p50', 'p90'],
    ...[
      { name: 'unknown client', of: unknown },
      { name: 'wrong secret', of: wrong },
    ].map(({ name, of }) => [name, ...[0.1, 0.5, 0.9].map((part) => `${(quantile(of, part) * 1000).toFixed(1)} µs`)]),
  ])
  console.log(
    `  An unknown client took longer than a wrong secret in ${(chance * 100).toFixed(2)} % of all pairs, ` +
      `z = ${z.toFixed(2)} (Mann-Whitney; beyond 1.96 there is a difference)`,
  )
}

type Credentials = readonly [clientId: string, secret: string]

/**
 * How long it takes to refuse clients of several kinds, in milliseconds: one request at a time on one connection, the
 * kinds in turns and now the one, now the other first, so that what disturbs one disturbs all.
 * @throws when somebody is not refused with 401
 */
async function refusalsInTurns(
  port: number,
  turns: number,
  kinds: readonly (() => Credentials)[],
): Promise<number[][]> {
  using agent = new Connection(port)
  for (let turn = 0; turn < 300; turn++) for (const kind of kinds) await agent.refusal(kind())
  const latenciesMs: number[][] = kinds.map(() => [])
  for (let turn = 0; turn < turns; turn++) {
    for (let place = 0; place < kinds.length; place++) {
      const at = (place + turn) % kinds.length
      const credentials = kinds[at]?.()
      if (credentials !== undefined) latenciesMs[at]?.push(await agent.refusal(credentials))
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

  refusal([clientId, secret]: Credentials): Promise<number> {
    const form = 'grant_type=refresh_token&refresh_token=ort_none'
    return new Promise((resolve, reject) => {
      const askedMs = performance.now()
      const asking = request(
        {
          ...{ agent: this.#agent, host: '127.0.0.1', port: this.#port, method: 'POST', path: '/api/oauth2/v2/token' },
          headers: {
            authorization: `Basic ${btoa(`${clientId}:${secret}`)}`,
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': form.length,
          },
        },
        (answer) => {
          answer.resume().once('end', () => {
            if (answer.statusCode === 401) resolve(performance.now() - askedMs)
            else reject(new Error(`Answered ${answer.statusCode} instead of 401`))
          })
        },
      )
      asking.once('error', reject)
      asking.end(form)
    })
  }

  [Symbol.dispose]() {
    this.#agent.destroy()
  }
}
