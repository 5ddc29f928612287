import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { writeDeb } from '../../scripts/debian/write-deb.ts'
import { freePorts } from '../helpers/free-port.ts'

/**
 * Install, run, upgrade, remove and purge the package for Debian on a copy of this machine's files: an overlay in a mount
 * namespace of its own, without systemd. Needs root, dpkg and overlayfs.
 */

const run = promisify(execFile)
const place = await mkdtemp(join(tmpdir(), 'parley-debian-'))
const machine = join(place, 'machine')
const built = process.env.PARLEY_DEB ?? (await writeDeb(join(place, 'built')))

const script = [
  `mkdir -p ${machine}`,
  `mount -t tmpfs tmpfs ${machine}`,
  `mkdir ${machine}/upper ${machine}/work ${machine}/root`,
  `mount -t overlay overlay -o lowerdir=/,upperdir=${machine}/upper,workdir=${machine}/work ${machine}/root`,
  `mount -t proc proc ${machine}/root/proc`,
  `mount --rbind /dev ${machine}/root/dev`,
  `cp ${built} ${machine}/root/root/parley.deb`,
  'echo ready',
  'exec sleep infinity',
].join(' && ')
/** The namespace lives as long as this process. */
const holder = spawn('unshare', ['--mount', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] })
await new Promise<void>((resolve, reject) => {
  holder.stdout.once('data', () => resolve())
  holder.once('exit', () => reject(new Error('No mount namespace could be made: this needs root and overlayfs')))
})
after(async () => {
  const ended = new Promise((resolve) => holder.once('close', resolve))
  holder.kill('SIGKILL')
  await ended
  await rm(place, { recursive: true, force: true })
})

const wordsOf = (command: string) => {
  const root = join(machine, 'root')
  return ['--target', String(holder.pid), '--mount', 'chroot', root, 'sh', '-euc', command]
}

/** Run a command on that machine. @returns what it prints */
async function sh(command: string): Promise<string> {
  const { stdout, stderr } = await run('nsenter', wordsOf(command), { maxBuffer: 2 ** 26 })
  return `${stdout}${stderr}`.trim()
}

/** Start the service as its unit does; its process id is the first that it prints. */
function startService(port: number) {
  const settings = `set -a; . /etc/parley/parley.env; DATA_DIR=/var/lib/parley; PORT=${port}; MEDIA_UDP_PORT=0`
  const program = 'sed -n s/^ExecStart=//p /usr/lib/systemd/system/parley.service'
  const command = `${settings}; cd /usr/lib/parley; echo "pid $$"; exec $(${program})`
  const words = wordsOf(`exec runuser -u parley -- sh -euc '${command}'`)
  const child = spawn('nsenter', words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let logged = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      logged += chunk
    })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const pid = () => Number(/^pid (\d+)$/m.exec(logged)?.[1])
  const stop = async () => {
    if (child.exitCode !== null) return
    process.kill(pid(), 'SIGTERM')
    await ended
  }
  after(stop)
  return {
    async untilReady() {
      while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) {
        assert.equal(child.exitCode, null, logged)
        await sleep(200)
      }
      return logged
    },
    user: () => sh(`ps -o user= -p ${pid()}`),
    stop,
  }
}

const [port = 0] = await freePorts(1)

test('the package has its fields, its settings and no tests', async () => {
  const fields = await sh('dpkg-deb --field /root/parley.deb Package Version Architecture | cut -d" " -f2 | xargs')
  assert.match(fields, /^parley \d+\.\d+\.\d+(?:~\S+)? (?:amd64|arm64)$/)
  const contents = await sh('dpkg-deb --contents /root/parley.deb')
  assert.match(contents, /-rwxr-xr-x root\/root .* \.\/usr\/sbin\/parley-admin$/m)
  assert.deepEqual(contents.match(/\S+\/(?:apps|packages)\/\S+\.(?:test|story|interop)\.ts$/gm) ?? [], [])
  assert.doesNotMatch(contents, / (?!root\/root)\S+\/\S+ +\d+ /)
})

test('an installed service starts as its own user, and parley-admin uses its settings', async () => {
  await sh('DEBIAN_FRONTEND=noninteractive dpkg --install /root/parley.deb')
  assert.equal(
    await sh("stat -c '%U:%G %a' /var/lib/parley /etc/parley/parley.env"),
    'parley:parley 700\nroot:parley 640',
  )
  assert.equal(await sh('systemd-analyze verify --man=no /usr/lib/systemd/system/parley*'), '')
  const security = 'systemd-analyze security --offline=true --threshold=20 /usr/lib/systemd/system/parley.service'
  assert.match(await sh(security), /Overall exposure level for parley\.service: [01]\.\d OK/)

  const service = startService(port)
  assert.match(await service.untilReady(), /^- set-up: +\S+ is the code/m)
  assert.equal(await service.user(), 'parley')
  const page = await fetch(`http://127.0.0.1:${port}/`)
  assert.match(await page.text(), /<script type="module"/, 'The pages are built')
  assert.match(await sh('parley-admin config'), /^DATA_DIR=\/var\/lib\/parley$/m)
  await sh("echo 'MAIL_FROM=Parley <parley@example.org>' >> /etc/parley/parley.env")
  assert.match(await sh('parley-admin config'), /^MAIL_FROM=Parley <parley@example\.org>$/m)
  assert.match(await sh('parley-admin admin create olga@example.org'), /is an administrator and reviewer/)
  await service.stop()
})

test('an upgrade keeps the settings and the data, and removing keeps both', async () => {
  await sh("echo 'SIGN_UP=invite' >> /etc/parley/parley.env && chmod 0600 /etc/parley/parley.env")
  await sh('DEBIAN_FRONTEND=noninteractive dpkg --install /root/parley.deb')
  assert.equal(await sh('tail -1 /etc/parley/parley.env; stat -c %a /etc/parley/parley.env'), 'SIGN_UP=invite\n600')
  await sh('chgrp parley /etc/parley/parley.env && chmod 0640 /etc/parley/parley.env')
  assert.match(await sh('parley-admin account list'), /olga@example\.org/)
  await sh('dpkg --remove parley')
  await assert.rejects(sh('test -e /usr/lib/parley'))
  await sh('test -f /etc/parley/parley.env && test -d /var/lib/parley/postgres')
})

test('purging deletes the settings, and says how the data is deleted', async () => {
  assert.match(await sh('dpkg --purge parley'), /rm -r \/var\/lib\/parley/)
  await assert.rejects(sh('test -e /etc/parley'))
  await sh('test -f /var/lib/parley/secret-key')
})
