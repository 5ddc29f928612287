import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { roomiestFolder } from '../../apps/server/test/postgres/test-database.ts'
import { descendantsOf, killAll } from '../../apps/server/test/processes/process-tree.ts'
import { freePorts } from '../helpers/free-port.ts'
import { haproxySettings, patroniSettings } from './settings.ts'

/**
 * Three PostgreSQL servers under Patroni, three etcd servers, and an HAProxy for them and for the Parleys: Debian's, on
 * 127.0.0.1.
 */
export type Cluster = {
  nodes: readonly Node[]
  etcd: readonly Daemon[]
  proxy: Daemon
  /** Two values of DATABASE_URL: one leads through the proxy, one lists the servers. */
  urls: { proxy: string; hosts: string }
  /** The port to which the Parleys' clients connect, and the ports on which the Parleys listen. */
  front: string
  parleyPorts: readonly number[]
  leader(): Promise<Node>
  /** Wait until a primary has two standbys, one of them synchronous by default. */
  untilWell(synchronous?: boolean): Promise<void>
  configure(change: object): Promise<void>
  stop(): Promise<void>
}

type Daemon = { start(): void; signal(signal: NodeJS.Signals): void; pid(): number }

export type Node = Daemon & {
  name: string
  restUrl: string
  postmaster(): Promise<number>
  /** The processes of Patroni and PostgreSQL with their children, which are lost with a machine. */
  processes(): Promise<number[]>
}

const wellLimitMs = 120_000
/** A killed standby that is ahead of the next primary's timeline cannot follow it; an operator has to copy it again. */
const rejoinLimitMs = 25_000
const installHint =
  'The failover run needs Debian’s patroni, etcd-server and haproxy: scripts/install-interop-tools.sh installs them.'

/** Patroni and PostgreSQL refuse to run as root. */
const asPostgres = process.geteuid?.() === 0 ? ['--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'] : []

export async function startCluster(parleys: number): Promise<Cluster> {
  for (const program of ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy']) {
    if (globSync(program).length === 0) throw new Error(installHint)
  }
  const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
  if (bin === undefined) throw new Error(installHint)
  const folder = await mkdtemp(join(await roomiestFolder(), 'parley-failover-'))
  await chmod(folder, 0o755)
  const ports = await freePorts(6 + 6 + 2 + parleys)
  const [etcdPorts, nodePorts, frontPorts] = [ports.slice(0, 6), ports.slice(6, 12), ports.slice(12)]
  const [pgPort = 0, frontPort = 0, ...parleyPorts] = frontPorts

  const peers = [0, 1, 2].map((at) => `e${at}=http://127.0.0.1:${etcdPorts[at + 3]}`).join(',')
  const etcd = [0, 1, 2].map((at) => {
    const [client, peer] = [`http://127.0.0.1:${etcdPorts[at]}`, `http://127.0.0.1:${etcdPorts[at + 3]}`]
    return daemon(folder, `etcd${at}`, [
      '/usr/bin/etcd',
      '--name',
      `e${at}`,
      '--data-dir',
      join(folder, `etcd${at}`),
      '--unsafe-no-fsync',
      '--listen-client-urls',
      client,
      '--advertise-client-urls',
      client,
      '--listen-peer-urls',
      peer,
      '--initial-advertise-peer-urls',
      peer,
      '--initial-cluster',
      peers,
    ])
  })
  const nodes = await Promise.all(
    [0, 1, 2].map(async (at): Promise<Node> => {
      const [port = 0, restPort = 0] = [nodePorts[at], nodePorts[at + 3]]
      const [name, home] = [`n${at}`, join(folder, `n${at}`)]
      await mkdir(home, { mode: 0o700 })
      const file = join(home, 'patroni.json')
      await writeFile(
        file,
        JSON.stringify(patroniSettings({ name, home, port, restPort, etcdPorts: etcdPorts.slice(0, 3), bin })),
      )
      if (asPostgres.length > 0) {
        const { uid, gid } = await userOf('postgres')
        for (const path of [home, file]) await chown(path, uid, gid)
      }
      const run = daemon(folder, name, ['/usr/bin/patroni', file], asPostgres)
      const postmaster = async () =>
        Number((await readFile(join(home, 'data/postmaster.pid'), 'utf8')).split('\n', 1)[0])
      const processes = async () => {
        const main = await postmaster().catch(() => 0)
        const roots = [run.pid(), main].filter((pid) => pid > 0)
        return [...new Set([...roots, ...(await Promise.all(roots.map(descendantsOf))).flat()])]
      }
      return { ...run, name, restUrl: `http://127.0.0.1:${restPort}`, postmaster, processes }
    }),
  )
  const proxyFile = join(folder, 'haproxy.cfg')
  const servers = nodes.map(({ name }, at) => ({ name, port: nodePorts[at] ?? 0, checkPort: nodePorts[at + 3] ?? 0 }))
  await writeFile(proxyFile, await haproxySettings({ pgPort, frontPort, parleyPorts, servers }))
  const proxy = daemon(folder, 'haproxy', ['/usr/sbin/haproxy', '-db', '-f', proxyFile])

  for (const each of [...etcd, ...nodes, proxy]) each.start()
  const hosts = nodePorts.slice(0, 3).map((port) => `127.0.0.1:${port}`)
  const leader = async () => {
    for (;;) {
      for (const node of nodes) if ((await statusOf(`${node.restUrl}/primary`)) === 200) return node
      await sleep(100)
    }
  }
  return {
    nodes,
    etcd,
    proxy,
    parleyPorts,
    leader,
    front: `http://127.0.0.1:${frontPort}`,
    urls: {
      proxy: `postgres://postgres:secret@127.0.0.1:${pgPort}/postgres`,
      hosts: `postgres://postgres:secret@${hosts.join(',')}/postgres?target_session_attrs=read-write`,
    },
    async untilWell(synchronous = true) {
      let isRebuilt = false
      for (const startedAt = performance.now(); ; await sleep(200)) {
        const members = await membersOf(nodes)
        const roles = members.map(({ role, state }) => `${role} ${state}`).sort()
        const isWell =
          members.length === 3 && members.every(({ state }) => state === 'running' || state === 'streaming')
        const isSynchronous = members.some(({ role }) => role === 'sync_standby')
        if (isWell && members.some(({ role }) => role === 'leader') && isSynchronous === synchronous) return
        if (!isRebuilt && performance.now() - startedAt > rejoinLimitMs) {
          isRebuilt = true
          await rebuildStranded(nodes, members)
        }
        if (performance.now() - startedAt > wellLimitMs) throw new Error(`The cluster is not well: ${roles.join(', ')}`)
      }
    },
    async configure(change) {
      const { restUrl } = await leader()
      const answer = await fetch(`${restUrl}/config`, { method: 'PATCH', body: JSON.stringify(change) })
      if (!answer.ok) throw new Error(await answer.text())
    },
    async stop() {
      const all = await Promise.all(nodes.map((node) => node.processes()))
      killAll([...all.flat(), ...[...etcd, proxy].map((each) => each.pid())].filter((pid) => pid > 0))
      await sleep(200)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Member = { name: string; role: string; state: string }

async function membersOf(nodes: readonly Node[]): Promise<Member[]> {
  for (const { restUrl } of nodes) {
    const answer = await fetch(`${restUrl}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    if (answer?.ok) return ((await answer.json()) as { members?: Member[] }).members ?? []
  }
  return []
}

/** Copy stranded standbys again, as `patronictl reinit` does. */
async function rebuildStranded(nodes: readonly Node[], members: readonly Member[]): Promise<void> {
  const stranded = members.filter(
    ({ role, state }) => role !== 'leader' && state !== 'running' && state !== 'streaming',
  )
  for (const { name } of stranded) {
    const node = nodes.find((each) => each.name === name)
    if (node === undefined) continue
    await fetch(`${node.restUrl}/reinitialize`, { method: 'POST', body: JSON.stringify({ force: true }) }).catch(
      () => {},
    )
  }
}

const statusOf = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ status }) => status,
    () => 0,
  )

/** Start a program that ends with this process. Its output goes to a file with its name, next to its data. */
function daemon(folder: string, name: string, command: readonly string[], as: readonly string[] = []): Daemon {
  let child: ChildProcess | undefined
  return {
    start() {
      const log = join(folder, `${name}.log`)
      const words = [...as, '--pdeathsig', 'KILL', 'sh', '-c', `exec "$@" >> ${log} 2>&1`, 'sh', ...command]
      // PostgreSQL's user cannot write to a folder of root's.
      const own = as.length > 0 ? words.map((word) => word.replace(log, join(folder, name, 'patroni.log'))) : words
      child = spawn('setpriv', own, { stdio: 'ignore', cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } })
    },
    signal: (signal) => void child?.kill(signal),
    pid: () => (child?.exitCode === null && child.signalCode === null ? (child.pid ?? 0) : 0),
  }
}

async function userOf(name: string): Promise<{ uid: number; gid: number }> {
  const [uid = 0, gid = 0] = await Promise.all(
    ['-u', '-g'].map(async (flag) => {
      const child = spawn('id', [flag, name])
      const [text] = await once(child.stdout, 'data')
      return Number(String(text))
    }),
  )
  return { uid, gid }
}
