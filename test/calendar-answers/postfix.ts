import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DebianProcess, startDebianProcess } from '../helpers/debian-process.ts'
import { freePorts } from '../helpers/free-port.ts'

const program = '/usr/sbin/postfix'

/** What is missing, in a sentence; undefined where Postfix can be run. */
export function missingForPostfix(): string | undefined {
  if (!existsSync(program)) return 'Postfix is not installed: scripts/install-interop-tools.sh installs it'
  return process.getuid?.() === 0 ? undefined : 'Postfix can be started by root only'
}

/** Services of Debian's master.cf that a server without mailboxes needs; none is in a chroot. */
const services = (smtpPort: number) => `127.0.0.1:${smtpPort} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
smtp unix - - n - - smtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`

/** Start Debian's Postfix with a configuration, a queue and a port of its own, and these lines of main.cf. */
export async function startPostfix(lines: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-postfix-'))
  // Postfix' unprivileged processes pass through it.
  await chmod(folder, 0o755)
  const [smtpPort = 0] = await freePorts(1)
  const [config, queue, data] = ['config', 'queue', 'data'].map((name) => join(folder, name))
  if (config === undefined || queue === undefined || data === undefined) throw new Error('There are three folders')
  for (const path of [config, queue, data]) await mkdir(path)
  await promisify(execFile)('chown', ['postfix', data])
  const log = join(folder, 'mail.log')
  await writeFile(
    join(config, 'main.cf'),
    [
      'compatibility_level = 3.6',
      `queue_directory = ${queue}`,
      `data_directory = ${data}`,
      `maillog_file = ${log}`,
      `maillog_file_prefixes = ${folder}`,
      'myhostname = mx.example.org',
      'mydestination =',
      'inet_interfaces = 127.0.0.1',
      'inet_protocols = ipv4',
      'alias_maps =',
      'alias_database =',
      'minimal_backoff_time = 1s',
      'maximal_backoff_time = 1s',
      'queue_run_delay = 1s',
      ...lines,
      '',
    ].join('\n'),
  )
  await writeFile(join(config, 'master.cf'), services(smtpPort))
  const postfix: DebianProcess = await startDebianProcess({
    command: program,
    arguments: ['-c', config, 'start-fg'],
    isReady: () => answersAt(smtpPort),
  })
  return {
    smtpPort,
    log: () => readFile(log, 'utf8'),
    async [Symbol.asyncDispose]() {
      // The process in the foreground is a script; the master is its child.
      await promisify(execFile)(program, ['-c', config, 'stop'])
      await postfix[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const answersAt = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    setTimeout(() => socket.destroy(), 1_000).unref()
  })
