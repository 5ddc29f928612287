import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * npm run sbom [FOLDER]: write `parley-VERSION.cdx.json`, a CycloneDX list of the production packages that
 * package-lock.json pins. Needs neither the network nor installed packages.
 */
const root = fileURLToPath(new URL('../', import.meta.url))

type Component = { 'bom-ref': string; name: string; version: string; purl: string }
type Bom = {
  serialNumber: string
  metadata: { timestamp?: string; component: Component }
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** Several hundred packages take half a megabyte. */
const maxBuffer = 64 * 1024 * 1024

const words = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--package-lock-only']

/** Write the same list for the same lock file. @returns its path in `folder` */
export async function writeSbom(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', words, { cwd: root, maxBuffer })
  const bom = JSON.parse(stdout) as Bom
  const { version } = JSON.parse(await readFile(`${root}apps/server/package.json`, 'utf8')) as { version: string }
  const { component } = bom.metadata
  const former = component['bom-ref']
  const reference = `parley@${version}`
  // npm names the component after the folder of the checkout.
  Object.assign(component, { 'bom-ref': reference, name: 'parley', version, purl: `pkg:npm/${reference}` })
  for (const dependency of bom.dependencies) if (dependency.ref === former) dependency.ref = reference
  // npm adds the hour and a random number.
  delete bom.metadata.timestamp
  bom.serialNumber = `urn:uuid:${toUuid(hash('sha256', await readFile(`${root}package-lock.json`)))}`
  const path = join(folder, `parley-${version}.cdx.json`)
  await writeFile(path, `${JSON.stringify(bom, null, 2)}\n`)
  return path
}

/** Write a hash as a UUID of version 8 (RFC 9562, 5.8). */
const toUuid = (hex: string) => hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')

if (import.meta.main) {
  const [folder = root] = process.argv.slice(2)
  console.log(await writeSbom(folder))
}
