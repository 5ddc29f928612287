import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { killAll } from '../../apps/server/test/processes/process-tree.ts'
import { runParley } from '../../apps/server/test/processes/run-parley.ts'
import { dataFolderOf, runService, type ServiceProcess } from '../../apps/server/test/processes/run-service.ts'
import { connectClients, openParleyDatabase, type ParleyDatabase } from './clients.ts'
import { type Cluster, type Node, startCluster } from './cluster.ts'
import { type Clients, maxGapMs, type Recorded, startLoad } from './load.ts'
import { findLosses } from './losses.ts'
import { lease } from './settings.ts'

/**
 * `npm run failover`: two Parleys on a cluster under Patroni, one through HAProxy and one with the list of servers,
 * under load while one component after the other fails. No acknowledged write may be lost, no code redeemed twice, no
 * refresh chain ended and no Parley restarted, and writes must succeed again within fifteen seconds.
 * With asynchronous replication the same comparison has to find losses, or it proves nothing.
 */

const maxMsWithoutWrites = 15_000
const limit = { timeout: 200_000 }
const parleys = 2

let cluster: Cluster
let database: ParleyDatabase
let services: ServiceProcess[]
let clients: () => Promise<Clients>

before(async () => {
  cluster = await startCluster(parleys)
  await cluster.untilWell()
})
after(async () => {
  await database?.end()
  await cluster?.stop()
})

const urls = () => [cluster.urls.proxy, cluster.urls.hosts]

async function startParley(t: TestContext, at: number): Promise<ServiceProcess> {
  return runService(t, {
    environment: {
      DATABASE_URL: urls()[at] ?? '',
      DATA_DIR: await dataFolderOf(t),
      SECRET_KEY: '5e'.repeat(32),
      PORT: String(cluster.parleyPorts[at]),
      RATE_LIMITS: 'off',
    },
  })
}

type Failure = {
  name: string
  /** Break a component. Resolves when writes should succeed again. */
  strike(leader: Node): Promise<void>
  /** Repair it, as an operator or a restarted machine would. */
  heal?(leader: Node): Promise<void>
  /** Exceptions for this fault. */
  maxMs?: number
}

const killNode = async (node: Node) => killAll(await node.processes())

const failures: Failure[] = [
  {
    name: 'kill -9 of the postmaster',
    strike: async (leader) => killAll([await leader.postmaster()]),
  },
  { name: 'the primary’s whole node killed', strike: killNode, heal: async (leader) => leader.start() },
  {
    // Without a watchdog, the thawed node becomes primary again with Patroni 3.0.2, and writes acknowledged meanwhile
    // are lost.
    name: 'the primary’s whole node frozen for 20 s, and reset by its watchdog as it thaws',
    strike: async (leader) => {
      const frozen = await leader.processes()
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
      await sleep(20_000)
      killAll(frozen)
    },
    heal: async (leader) => leader.start(),
  },
  {
    name: 'PostgreSQL alone frozen, and the node reset by its watchdog after the lease',
    strike: async (leader) => {
      const patroni = leader.pid()
      for (const pid of await leader.processes()) if (pid !== patroni) process.kill(pid, 'SIGSTOP')
      await sleep(lease.ttl * 1_000)
      await killNode(leader)
    },
    heal: async (leader) => leader.start(),
    maxMs: lease.ttl * 1_000 + maxMsWithoutWrites,
  },
  {
    name: 'a planned switchover',
    strike: async (leader) => {
      const body = JSON.stringify({ leader: leader.name })
      const answer = await fetch(`${leader.restUrl}/switchover`, { method: 'POST', body })
      assert.ok(answer.ok, await answer.text())
    },
  },
  {
    name: 'etcd without a quorum for 12 s',
    strike: async () => {
      for (const each of cluster.etcd.slice(1)) each.signal('SIGSTOP')
      await sleep(12_000)
      for (const each of cluster.etcd.slice(1)) each.signal('SIGCONT')
    },
    maxMs: 12_000 + maxMsWithoutWrites,
  },
  {
    name: 'HAProxy killed, back after a second',
    strike: async () => {
      cluster.proxy.signal('SIGKILL')
      await sleep(1_000)
      cluster.proxy.start()
    },
  },
]

test('two Parleys on a cluster, one fault after the other', { timeout: 1_200_000 }, async (t) => {
  services = []
  for (let at = 0; at < parleys; at++) services.push(await startParley(t, at))
  database = openParleyDatabase(cluster.urls.hosts)
  clients = await connectClients(String(services[0]?.base), cluster.front, database)

  for (const failure of failures) {
    await t.test(failure.name, limit, async (t) => {
      const { recorded, gapMs } = await undergo(t, failure)
      await assertNothingLost(recorded)
      assert.ok(gapMs <= (failure.maxMs ?? maxMsWithoutWrites), `${Math.round(gapMs)} ms without writes`)
      for (const service of services) process.kill(service.pid, 0)
    })
  }

  await t.test('one Parley killed', limit, async (inner) => {
    const strike = async () => void process.kill(services[1]?.pid ?? 0, 'SIGKILL')
    const { recorded, gapMs } = await undergo(inner, { name: 'one Parley killed', strike })
    await assertNothingLost(recorded)
    assert.ok(gapMs <= maxMsWithoutWrites)
    services[1] = await startParley(t, 1)
  })

  await t.test('a standby can be backed up, but is refused as the service’s database', limit, async (inner) => {
    const leader = await cluster.leader()
    const [, standby = ''] = /@([^/]*)\//.exec(cluster.urls.hosts) ?? []
    const others = standby.split(',').filter((_, at) => cluster.nodes[at]?.name !== leader.name)
    const environment = {
      DATABASE_URL: cluster.urls.hosts.replace(standby, others[0] ?? '').replace(/\?.*/, ''),
      DATA_DIR: await dataFolderOf(inner),
      SECRET_KEY: '5e'.repeat(32),
    }
    const saved = await runParley(inner, environment, 'backup', `${environment.DATA_DIR}/standby.backup`)
    assert.equal(saved.code, 0, saved.output)
    assert.match((await runParley(inner, environment, 'doctor')).output, /^failure database: .*it is a replica/m)
  })

  await t.test('control: asynchronous replication loses acknowledged writes', limit, async (inner) => {
    await cluster.configure({ synchronous_mode: null })
    await cluster.untilWell(false)
    const strike = async (leader: Node) => {
      const senders = await database.findWalSenders()
      for (const pid of senders) process.kill(pid, 'SIGSTOP')
      await sleep(2_000)
      await killNode(leader)
    }
    const { recorded } = await undergo(inner, { name: 'asynchronous', strike, heal: async (leader) => leader.start() })
    const { lost } = await findLosses(database, recorded)
    assert.ok(lost.length > 0, 'a check that cannot fail proves nothing')
    inner.diagnostic(`${lost.length} of ${recorded.meetings.size} acknowledged meetings were lost or older`)
  })
})

/** Start the load, break a component, wait until writes succeed again, and stop the load. */
async function undergo(
  t: TestContext,
  { name, strike, heal }: Failure,
): Promise<{ recorded: Recorded; gapMs: number }> {
  const load = startLoad(await clients(), name)
  await sleep(3_000)
  const leader = await cluster.leader()
  const struckAt = performance.now()
  await strike(leader)
  const returnedAt = performance.now()
  const writesSince = () => load.recorded.acknowledgedAt.filter((at) => at > returnedAt).length
  while (writesSince() < 50 && performance.now() - returnedAt < 60_000) await sleep(100)
  await sleep(2_000)
  await heal?.(leader)
  await cluster.untilWell(name !== 'asynchronous')
  const recorded = await load.stop()
  const gapMs = maxGapMs(recorded, struckAt)
  const statuses = [...recorded.statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`)
  t.diagnostic(
    `${(gapMs / 1_000).toFixed(1)} s without writes, ${recorded.meetings.size} meetings acknowledged, answers ` +
      `${statuses.join(', ')}, the slowest after ${(recorded.slowestMs / 1_000).toFixed(1)} s`,
  )
  return { recorded, gapMs }
}

async function assertNothingLost(recorded: Recorded) {
  const { lost, twice } = await findLosses(database, recorded)
  assert.deepEqual({ lost, twice }, { lost: [], twice: [] })
  assert.deepEqual([recorded.redeemedTwice, recorded.brokenChains], [0, []])
  assert.equal(recorded.statuses.get(500), undefined, 'a failure of the database is 503')
  assert.ok(recorded.meetings.size > 50)
}
