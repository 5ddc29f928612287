import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { buildWebWhenStale, builtPages } from '../build-web.ts'

/**
 * npm run deb [FOLDER]: write `parley_VERSION_ARCHITECTURE.deb` into a folder (`release/VERSION`), for Debian 12, Ubuntu
 * 22.04 and newer: the server with Node, a private PostgreSQL and its packages from npm, a unit of systemd, and the
 * command `parley-admin`. Needs dpkg-deb, and installs the packages anew from the lock file.
 */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const templates = join(root, 'scripts/debian')

/** Where the program is, and where docs/operations.md has it in a checkout. */
const programFolder = '/usr/lib/parley'
const documentedFolder = '/opt/parley'
const settings = '/etc/parley/parley.env'
const documentedSettings = '/etc/parley/environment'

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The source that the service runs, as the Dockerfile copies it. */
const served = ['package.json', 'packages/{contract,rules,texts}/**', 'apps/server/**', 'docs/*.md', 'CHANGELOG.md']
const isLeftOut = (path: string) =>
  /^apps\/server\/test\/|\.(test|story|interop)\.ts$|\/node_modules\/|\/(?:schema|README)\.(?:sql|md)$/.test(path)

/** Headers and manuals of Node: 70 MB that no one reads here. */
const unusedByNode = ['include', 'share', 'README.md', 'CHANGELOG.md']

/** @returns the path of the package in `folder` */
export async function writeDeb(folder: string): Promise<string> {
  const architecture = architectures[process.arch]
  if (process.platform !== 'linux' || architecture === undefined)
    throw new Error('The package is written on Linux, for the machine’s own kind of processor: x64 or arm64.')
  const { version, description } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await buildWebWhenStale()
  const staging = await mkdtemp(join(tmpdir(), 'parley-deb-'))
  try {
    const program = join(staging, programFolder)
    await copyProgram(program)
    await installPackages(program)
    await copyTemplates(staging)
    await writeControl(staging, { version: toDebianVersion(version), architecture, description })
    await writeChangelog(staging, toDebianVersion(version))
    await removeGroupWriting(staging)
    await mkdir(folder, { recursive: true })
    const path = join(folder, `parley_${toDebianVersion(version)}_${architecture}.deb`)
    const { stdout: committed } = await run('git', ['log', '-1', '--format=%ct'], { cwd: root })
    // dpkg-deb gives no file a later time than this: the same commit gives the same bytes.
    const env = { ...process.env, SOURCE_DATE_EPOCH: committed.trim() }
    await run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', staging, path], { env })
    return path
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** A tilde sorts before everything: 1.0.0~rc.1 is older than 1.0.0. */
export const toDebianVersion = (version: string): string => version.replace('-', '~')

async function copyProgram(program: string) {
  const { stdout } = await run('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const tracked = new Set(stdout.split('\0'))
  const files = globSync(served, { cwd: root }).filter((path) => tracked.has(path) && !isLeftOut(path))
  for (const path of files) {
    await mkdir(dirname(join(program, path)), { recursive: true })
    await copyFile(join(root, path), join(program, path))
  }
  await cp(builtPages, join(program, relative(root, builtPages)), { recursive: true })
}

/** The packages of the server alone, as the Dockerfile installs them. */
async function installPackages(program: string) {
  const manifests = ['package-lock.json', '.npmrc', ...globSync('{apps,packages}/*/package.json', { cwd: root })]
  const added: string[] = []
  for (const path of manifests.filter((one) => !existsSync(join(program, one)))) {
    await mkdir(dirname(join(program, path)), { recursive: true })
    await copyFile(join(root, path), join(program, path))
    added.push(path)
  }
  const words = [
    'ci',
    '--omit=dev',
    '--workspace',
    '@parley/server',
    '--include-workspace-root',
    '--no-audit',
    '--no-fund',
  ]
  await run('npm', words, { cwd: program, maxBuffer: 64 * 1024 * 1024 })
  for (const path of added) await rm(join(program, path))
  const [node = ''] = globSync('node_modules/node-linux-*', { cwd: program })
  const unused = [
    ...unusedByNode.map((name) => join(node, name)),
    ...globSync('**/node_modules/**/*.{map,d.ts,d.mts,d.cts}', { cwd: program }),
    // Workspaces of which only the manifest was needed.
    ...['client', 'command-line', 'web'].map((name) => join('node_modules/@parley', name)),
    ...['packages/client', 'packages/command-line'],
  ]
  for (const path of unused) await rm(join(program, path), { recursive: true, force: true })
  await rm(join(program, 'node_modules/.package-lock.json'), { force: true })
}

async function copyTemplates(staging: string) {
  const put = async (target: string, text: string, mode = 0o644) => {
    await mkdir(dirname(join(staging, target)), { recursive: true })
    await writeFile(join(staging, target), text)
    await chmod(join(staging, target), mode)
  }
  const template = (name: string) => readFile(join(templates, name), 'utf8')
  for (const name of ['postinst', 'prerm', 'postrm']) await put(`DEBIAN/${name}`, await template(name), 0o755)
  await put('DEBIAN/conffiles', `${settings}\n`)
  await put('/usr/sbin/parley-admin', await template('parley-admin'), 0o755)
  await put('/usr/share/lintian/overrides/parley', await template('lintian-overrides'))
  await put('/usr/share/doc/parley/copyright', await copyright())
  for (const name of ['parley.service', 'parley-backup.service', 'parley-backup.timer']) {
    const unit = await readFile(join(root, 'examples/systemd', name), 'utf8')
    await put(`/usr/lib/systemd/system/${name}`, toPackaged(unit))
  }
  await put(settings, toSettings(await readFile(join(root, '.env.example'), 'utf8')))
}

/** The unit of the documentation with the places of the package. */
export const toPackaged = (unit: string): string =>
  unit
    .replace(/^# \/etc\/systemd\/system\/[^\n]*\n/, '')
    .replaceAll(documentedFolder, programFolder)
    .replaceAll(documentedSettings, settings)

/** Every setting as a comment, with its default: what is set here wins over the unit. */
export function toSettings(example: string): string {
  const blocks = example.split(/\n{2,}/).filter((block) => !/^DATA_DIR=/m.test(block))
  const [head = '', ...rest] = blocks.map((block) => block.trim().replaceAll(/^([A-Z_]+=)/gm, '#$1'))
  const restart = '# After a change: systemctl restart parley. The data is in /var/lib/parley.'
  return `${[`${head}\n${restart}`, ...rest].join('\n\n')}\n`
}

async function copyright(): Promise<string> {
  const license = await readFile(join(root, 'LICENSE'), 'utf8')
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: Parley',
    '',
    'Files: *',
    'Copyright: The authors of Parley',
    'License: Apache-2.0',
    '',
    'License: Apache-2.0',
    ' On Debian systems, the full text is in /usr/share/common-licenses/Apache-2.0.',
    ' .',
    ' The packages in /usr/lib/parley/node_modules have licences of their own beside them.',
    ` The first line of Parley's own licence file is: ${license.trim().split('\n')[0]?.trim()}`,
    '',
  ].join('\n')
}

/** Debian's form of a changelog (Debian Policy, 4.4 and 12.7), which leads to ours. */
async function writeChangelog(staging: string, version: string) {
  const { stdout: date } = await run('git', ['log', '-1', '--format=%cD'], { cwd: root })
  const lines = [
    `parley (${version}) unstable; urgency=medium`,
    '',
    `  * See ${programFolder}/CHANGELOG.md.`,
    '',
    ` -- The authors of Parley <parley@example.org>  ${date.trim()}`,
    '',
  ]
  const path = join(staging, '/usr/share/doc/parley/changelog.gz')
  await writeFile(path, gzipSync(lines.join('\n'), { level: 9 }))
}

type Control = { version: string; architecture: string; description: string }

async function writeControl(staging: string, { version, architecture, description }: Control) {
  const kilobytes = Math.ceil((await sizeOf(staging)) / 1024)
  const fields = [
    'Package: parley',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Maintainer: The authors of Parley <parley@example.org>',
    `Installed-Size: ${kilobytes}`,
    'Depends: adduser, init-system-helpers (>= 1.54), libatomic1, libc6 (>= 2.28), libstdc++6 (>= 11)',
    'Recommends: ca-certificates, caddy | nginx | httpd',
    'Section: net',
    'Priority: optional',
    `Description: ${description.replace(/^self-hosted/i, 'self-hosted')}`,
    ' Parley runs as one service with a private PostgreSQL and a media engine of its',
    ' own. Settings are in /etc/parley/parley.env, data in /var/lib/parley.',
    ' .',
    ' The package brings the Node.js, the PostgreSQL and the packages of npm with',
    ' which Parley is tested.',
    '',
  ]
  await writeFile(join(staging, 'DEBIAN/control'), fields.join('\n'))
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}

/** In the packages of npm, files keep the modes that they had at their author; Debian has 0755 and 0644. */
async function removeGroupWriting(staging: string) {
  for (const entry of await readdir(staging, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink() || path === join(staging, 'DEBIAN')) continue
    const { mode } = await stat(path)
    await chmod(path, entry.isDirectory() || (mode & 0o100) !== 0 ? 0o755 : 0o644)
  }
  await chmod(staging, 0o755)
}

if (import.meta.main) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const [folder = join(root, 'release', version)] = process.argv.slice(2)
  const path = await writeDeb(folder)
  const megabytes = Math.round((await stat(path)).size / 1_000_000)
  console.log(`${relative(process.cwd(), path)} (${megabytes} MB). Install it: apt install ./${relative(folder, path)}`)
}
