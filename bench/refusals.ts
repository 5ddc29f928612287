import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'

type Credentials = readonly [clientId: string, secret: string]

/**
 * How long it takes to refuse clients of several kinds, in milliseconds: one request at a time on one connection, the
 * kinds in turns and now the one, now the other first, so that what disturbs one disturbs all.
 * @throws when somebody is not refused with 401
 */
export async function refusalsInTurns(
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
