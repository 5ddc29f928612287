import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * npm run sbom [FOLDER]: write `parley-VERSION.cdx.json`, a CycloneDX list of the production packages that
 * package-lock.json pins. Needs neither the network nor installed packages.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const [folder = root] = process.argv.slice(2)

type Component = { 'bom-ref': string; name: string; version: string; purl: string }
type Bom = { metadata: { component: Component }; dependencies: { ref: string; dependsOn: string[] }[] }

/** Several hundred packages take half a megabyte. */
const maxBuffer = 64 * 1024 * 1024

const words = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--package-lock-only']
const { stdout } = await promisify(execFile)('npm', words, { cwd: root, maxBuffer })
const bom = JSON.parse(stdout) as Bom
const { version } = JSON.parse(await readFile(`${root}apps/server/package.json`, 'utf8')) as { version: string }
const { component } = bom.metadata
const former = component['bom-ref']
const reference = `parley@${version}`
// npm names the component after the folder of the checkout.
Object.assign(component, { 'bom-ref': reference, name: 'parley', version, purl: `pkg:npm/${reference}` })
for (const dependency of bom.dependencies) if (dependency.ref === former) dependency.ref = reference
const path = `${folder.replace(/\/?$/, '/')}parley-${version}.cdx.json`
await writeFile(path, `${JSON.stringify(bom, null, 2)}\n`)
console.log(path)
