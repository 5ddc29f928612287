import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type ArchivedFile, writeTarball } from './write-tarball.ts'

/**
 * npm run release -- VERSION [--date YYYY-MM-DD]: write the version, the date of its changes and its clients (for the
 * tests of later versions) into the source, and everything that is published into `release/VERSION`. Nothing is committed. The same source gives the same files: run it
 * on the commit of a release, and compare `SHA256SUMS`.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => readFile(join(root, path), 'utf8')
const write = (path: string, text: string) => writeFile(join(root, path), text)
const git = (...words: string[]) =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

/** Semantic Versioning 2.0.0, without build metadata. */
const versionForm = /^\d+\.\d+\.\d+(-[\da-z]+(\.[\da-z]+)*)?$/
const dateForm = /^\d{4}-\d{2}-\d{2}$/

/** Files that name the version of this release. Others may name one that they are about. */
const versioned = [
  'docs/client.md',
  'docs/operations.md',
  'docs/accessibility.openacr.yaml',
  'examples/kubernetes/*.yaml',
  'examples/helm/{Chart,values}.yaml',
  'packages/contract/src/service-endpoints.ts',
  'test/api/{openapi.json,openapi.test.ts,openapi-document.ts}',
]

/** Later versions are tested with the clients of each release. */
const releasedClients = 'test/released-clients'

/** What an operator does not need: tests, stories and benchmarks, and what they share. */
const isLeftOut = (path: string) =>
  /^(test|e2e|bench|\.ci)\/|^apps\/server\/test\/|\.(test|story|interop|run)\.tsx?$/.test(path)

async function writeVersion(version: string): Promise<void> {
  const former: string = JSON.parse(await read('package.json')).version
  if (former === version) return
  const manifests = ['package.json', ...globSync('{apps,packages}/*/package.json', { cwd: root })]
  for (const path of manifests) await writeJson(path, (manifest) => withVersion(manifest, version))
  await writeJson('package-lock.json', (lock) => {
    lock.version = version
    for (const [path, entry] of Object.entries<Manifest>(lock.packages))
      if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) withVersion(entry, version)
  })
  for (const path of globSync(versioned, { cwd: root }))
    await write(path, (await read(path)).replaceAll(former, version))
}

type Manifest = { version?: string; dependencies?: Record<string, string> }

function withVersion(manifest: Manifest, version: string): void {
  manifest.version = version
  const { dependencies = {} } = manifest
  for (const name of Object.keys(dependencies)) if (name.startsWith('@parley/')) dependencies[name] = version
}

// biome-ignore lint/suspicious/noExplicitAny: the manifest and the lock file of npm
async function writeJson(path: string, change: (value: any) => void): Promise<void> {
  const value = JSON.parse(await read(path))
  change(value)
  await write(path, `${JSON.stringify(value, null, 2)}\n`)
}

/** Date the section of the changes that are not released yet, unless it has its date. */
async function dateChanges(version: string, date: string): Promise<void> {
  const changes = await read('CHANGELOG.md')
  if (changes.includes(`\n## ${version} (${date})\n`)) return
  const open = /^## \S+ \(unreleased\)$/m
  if (!open.test(changes))
    throw new Error(`CHANGELOG.md has neither an unreleased section nor one of ${version} (${date}).`)
  await write('CHANGELOG.md', changes.replace(open, `## ${version} (${date})`))
}

/** The date that the section of a version has already. */
async function findDate(version: string): Promise<string | undefined> {
  const section = (await read('CHANGELOG.md')).split('\n').find((line) => line.startsWith(`## ${version} (`))
  const [, date] = /\((\d{4}-\d{2}-\d{2})\)$/.exec(section ?? '') ?? []
  return date
}

/** The source without tests, and the built pages: what an operator unpacks starts without a build. */
async function writeArchive(version: string, folder: string, built: string): Promise<void> {
  const listed = git('ls-files', '-z').split('\0').filter(Boolean)
  const pages = globSync('**/*', { cwd: built, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  const files: ArchivedFile[] = []
  for (const path of [...listed.filter((one) => !isLeftOut(one)), ...pages]) {
    const isExecutable = ((await stat(join(root, path))).mode & 0o100) !== 0
    files.push({ path: `parley-${version}/${path}`, bytes: await readFile(join(root, path)), isExecutable })
  }
  await writeFile(join(folder, `parley-${version}.tar.gz`), writeTarball(files))
}

async function writeChecksums(folder: string): Promise<void> {
  const lines: string[] = []
  for (const name of (await readdir(folder)).toSorted()) {
    const sum = createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex')
    lines.push(`${sum}  ${name}\n`)
  }
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''))
}

async function release(version: string, date: string): Promise<string> {
  if (git('status', '--porcelain') !== '') throw new Error('The working tree has changes: commit them first.')
  await writeVersion(version)
  await dateChanges(version, date)
  // These read the version, which has just been written.
  const { buildWebWhenStale, builtPages } = await import('./build-web.ts')
  const { writeSbom } = await import('./write-sbom.ts')
  const { readAssessment, toCsaf, toOpenvex } = await import('./write-advisories.ts')
  const { openapiDocument } = await import('@parley/contract/openapi')
  await buildWebWhenStale()
  const folder = join(root, 'release', version)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeSbom(folder)
  for (const path of globSync('packages/*.tgz', { cwd: builtPages }))
    for (const target of [folder, join(root, releasedClients)])
      await copyFile(join(builtPages, path), join(target, basename(path)))
  const advised = { version, ...(await readAssessment()) }
  const documents = {
    openvex: toOpenvex(advised),
    csaf: toCsaf(advised),
    openapi: openapiDocument({ baseUrl: 'https://meet.example.org', version }),
  }
  for (const [name, document] of Object.entries(documents))
    await writeFile(join(folder, `parley-${version}.${name}.json`), `${JSON.stringify(document, null, 2)}\n`)
  await writeArchive(version, folder, builtPages)
  await writeChecksums(folder)
  return folder
}

const { positionals, values } = parseArgs({ options: { date: { type: 'string' } }, allowPositionals: true })
const [version = '', ...others] = positionals
if (!versionForm.test(version) || others.length > 0 || (values.date !== undefined && !dateForm.test(values.date))) {
  console.error('npm run release -- VERSION [--date YYYY-MM-DD], such as npm run release -- 1.0.0')
  process.exitCode = 2
} else {
  const date = values.date ?? (await findDate(version)) ?? new Date().toISOString().slice(0, 10)
  const folder = await release(version, date)
  console.log(
    `${relative(process.cwd(), folder)} holds ${version} (${date}), and ${releasedClients} its clients. ` +
      `Then: git add --all && git commit -m 'Release ${version}' and a tag.`,
  )
}
