import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type PatroniNode = {
  name: string
  home: string
  port: number
  restPort: number
  etcdPorts: readonly number[]
  /** The folder of PostgreSQL's programs. */
  bin: string
}

/**
 * A lease of eight seconds: a lost primary is replaced within that and the time of a promotion. Patroni requires
 * loop_wait + 2 × retry_timeout ≤ ttl; from version 4.0 on, its minimum ttl is 20.
 */
export const lease = { ttl: 8, loop_wait: 2, retry_timeout: 3 }

/** As JSON, which is valid YAML, the format that Patroni reads. */
export const patroniSettings = ({ name, home, port, restPort, etcdPorts, bin }: PatroniNode) => ({
  scope: 'parley',
  name,
  restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
  etcd3: { hosts: etcdPorts.map((each) => `127.0.0.1:${each}`).join(',') },
  bootstrap: {
    dcs: {
      ...lease,
      synchronous_mode: true,
      maximum_lag_on_failover: 1_048_576,
      postgresql: { use_pg_rewind: true, parameters: { max_connections: 120, wal_keep_size: '256MB' } },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: join(home, 'data'),
    bin_dir: bin,
    pgpass: join(home, 'pgpass'),
    authentication: {
      superuser: { username: 'postgres', password: 'secret' },
      replication: { username: 'replicator', password: 'secret' },
    },
    pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication replicator 127.0.0.1/32 scram-sha-256'],
    parameters: { unix_socket_directories: home, shared_buffers: '64MB' },
  },
})

export type Proxy = {
  pgPort: number
  frontPort: number
  parleyPorts: readonly number[]
  servers: readonly { name: string; port: number; checkPort: number }[]
}

/** The two examples of docs/scaling.md, with the ports of this run. */
export async function haproxySettings({ pgPort, frontPort, parleyPorts, servers }: Proxy): Promise<string> {
  const guide = await readFile(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  const examples = [...guide.matchAll(/^```haproxy\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  const databaseExample = examples.find((text) => text.startsWith('listen postgres'))
  const parleyExample = examples.find((text) => text.startsWith('backend parley'))
  if (databaseExample === undefined || parleyExample === undefined) throw new Error('The guide has no such examples')
  const withoutServers = (text: string) => text.replace(/^ {2}server .*\n/gm, '').replace(/\n*$/, '\n')
  const database = withoutServers(databaseExample).replace('127.0.0.1:5432', `127.0.0.1:${pgPort}`)
  const databaseServers = servers.map(
    ({ name, port, checkPort }) => `  server ${name} 127.0.0.1:${port} check port ${checkPort}\n`,
  )
  const parleyServers = parleyPorts.map((port, at) => `  server p${at} 127.0.0.1:${port} check\n`)
  return `global
  maxconn 2000
defaults
  mode http
  timeout client 1h
  timeout connect 2s
  timeout server 1h
${database}${databaseServers.join('')}
frontend clients
  bind 127.0.0.1:${frontPort}
  default_backend parley
${withoutServers(parleyExample)}${parleyServers.join('')}`
}
