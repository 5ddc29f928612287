import type { PoolConfig } from 'pg'

/** How to connect to the database: one server, or the hosts of a cluster with one primary. */
export type DatabaseConnection = PoolConfig & {
  /** One URL for each host, in the order of DATABASE_URL; absent for a single host. */
  hosts?: readonly string[]
  /** Whether a connection to a read-only server is closed at once. */
  requiresPrimary?: boolean
}

/**
 * https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS: `scheme://user@host:port,host:port/db?…`
 */
const form = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^/?#@]*)([^#]*)$/

/** Each additional host may delay a failover by a connection timeout. */
const maxHosts = 8

/** The supported values: Parley writes with almost every request. */
const writableSessions = ['read-write', 'primary']

/**
 * Read DATABASE_URL. Several hosts mean a cluster, and `target_session_attrs=read-write` (or `primary`) means that only
 * a writable server is used, which is the default for several hosts. Return a sentence for an invalid URL, without any
 * part of it, because it contains the password.
 */
export function readDatabaseUrl(
  text: string,
): { kind: 'read'; connection: DatabaseConnection } | { kind: 'refused'; problem: string } {
  const [, scheme, user = '', hostList = '', rest = ''] = form.exec(text) ?? []
  if (scheme === undefined) return refused('is not an address that begins with postgres:// or postgresql://.')
  const hosts = hostList.split(',')
  if (hosts.length > maxHosts) return refused(`names more than ${maxHosts} hosts.`)
  if (hosts.length > 1 && hosts.includes('')) return refused('names an empty host: hosts are separated by one comma.')
  const addresses = hosts.map((host) => `${scheme}${user}${host}${rest}`)
  // Like pg's own parser, for a Unix socket without a host: `postgres://user@/db?host=/folder`.
  const isValid = addresses.every((address) => URL.canParse(address.replace('@/', '@localhost/')))
  if (!isValid) {
    return refused(
      hosts.length === 1
        ? 'is not an address that begins with postgres:// or postgresql://.'
        : 'names several hosts, and one of them is not of the form host:port.',
    )
  }
  const target = targetOf(rest)
  if (target !== undefined && !writableSessions.includes(target)) {
    return refused('asks for target_session_attrs other than read-write or primary: Parley writes.')
  }
  const requiresPrimary = hosts.length > 1 || target !== undefined
  return {
    kind: 'read',
    connection: {
      connectionString: withoutTarget(addresses[0] ?? ''),
      ...(hosts.length > 1 && { hosts: addresses.map(withoutTarget) }),
      ...(requiresPrimary && { requiresPrimary }),
    },
  }
}

/** The connection for a URL that `readDatabaseUrl` has accepted. @throws TypeError for another one */
export function connectionTo(databaseUrl: string): DatabaseConnection {
  const read = readDatabaseUrl(databaseUrl)
  if (read.kind === 'refused') throw new TypeError(`DATABASE_URL ${read.problem}`)
  return read.connection
}

const refused = (problem: string) => ({ kind: 'refused', problem }) as const

const targetOf = (rest: string) => /[?&]target_session_attrs=([^&]*)/.exec(rest)?.[1]

/** The driver does not support this parameter. */
const withoutTarget = (address: string) =>
  address.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '')
