import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as contract from '@parley/contract'
import { writeTarball } from './write-tarball.ts'

/**
 * npm run pack-client [FOLDER]: write `parley-client-VERSION.tgz`, the client as npm installs it elsewhere: JavaScript
 * and declarations, with the contract and the command line in it (docs/client.md).
 */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))
const client = join(root, 'packages/client')

/** What the client's sources are compiled for: any current browser, and Node 20. */
const library = { target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'] }
const oldestNode = '>=20'

/** Functions of the contract that need none of its schemas, by file. The rest of the contract becomes plain data. */
const contractFunctions = {
  endpoint: ['mediaTypesOf', 'scopesOf'],
  scopes: ['isPersonalScope', 'isReadOnly', 'isScope'],
}

/** The package's imports, and the file of each in `dist`. */
const entryPoints = {
  '.': 'index',
  './background-blur': 'background-blur',
  './embed': 'embed',
  './join': 'join/join',
  './contract': 'contract',
}

/** @returns the path of the tarball in `folder` */
export async function packClient(folder: string): Promise<string> {
  const staging = await mkdtemp(join(tmpdir(), 'parley-client-'))
  try {
    await compile(staging)
    await writeContract(join(staging, 'dist'))
    await removeInnerDeclarations(join(staging, 'dist'))
    const manifest = await clientManifest()
    const files = [
      { path: 'package/package.json', bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
      { path: 'package/README.md', bytes: await readFile(join(client, 'README.md')) },
      { path: 'package/LICENSE', bytes: await readFile(join(root, 'LICENSE')) },
    ]
    for (const file of await filesIn(join(staging, 'dist'), '.js', '.d.ts'))
      files.push({ path: `package/dist/${file}`, bytes: await readFile(join(staging, 'dist', file)) })
    files.push(...(await commandLineFiles()))
    await mkdir(folder, { recursive: true })
    const path = join(resolve(folder), `parley-client-${manifest.version}.tgz`)
    await writeFile(path, writeTarball(files))
    return path
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Compile to `dist` what the entry points reach: the client at its root, the contract in a folder of it. */
async function compile(staging: string) {
  const config = {
    compilerOptions: {
      ...library,
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
      declaration: true,
      skipLibCheck: true,
      rootDir: join(root, 'packages'),
      outDir: join(staging, 'compiled'),
      // Found through node_modules, the contract would count as compiled already.
      paths: {
        '@parley/contract': [join(root, 'packages/contract/src/index.ts')],
        '@parley/texts/*': [join(root, 'packages/texts/src/*.ts')],
      },
    },
    files: ['index.ts', 'embed.ts', 'join/join.ts'].map((file) => join(client, 'src', file)),
  }
  await writeFile(join(staging, 'tsconfig.json'), JSON.stringify(config))
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', staging])
  const dist = join(staging, 'dist')
  await rename(join(staging, 'compiled/client/src'), dist)
  await rename(join(staging, 'compiled/contract/src'), join(dist, 'contract'))
  for (const file of await filesIn(dist, '.js', '.d.ts')) await adaptImports(dist, file)
}

/** Let imports name the files of the package: declarations keep `.ts`, and the contract is a file beside. */
async function adaptImports(dist: string, file: string) {
  const path = join(dist, file)
  const contractFile = `${posix.relative(dirname(file), '.') || '.'}/contract.js`
  const text = await readFile(path, 'utf8')
  const adapted = text
    .replaceAll(/(\bfrom |\bimport\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2')
    .replaceAll(/(\bfrom |\bimport\()(['"])@parley\/contract\2/g, `$1$2${contractFile}$2`)
  await writeFile(path, adapted)
}

/**
 * Write the contract's values as plain data, so that a bundler keeps those that are imported, and never TypeBox: its
 * declarations need TypeBox, its JavaScript does not.
 */
async function writeContract(dist: string) {
  const kept = Object.keys(contractFunctions).map((name) => join('contract', `${name}.js`))
  const compiled = (await filesIn(dist, '.js')).filter((file) => file.startsWith('contract/'))
  for (const file of compiled) if (!kept.includes(file)) await rm(join(dist, file))
  const values = Object.entries(contract).filter(([name, value]) => name !== 'endpoints' && typeof value !== 'function')
  const functions = Object.entries(contractFunctions).map(
    ([file, names]) => `export { ${names.join(', ')} } from './contract/${file}.js'\n`,
  )
  const data = values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
  const list = `export const endpoints = [${contract.endpoints.map(({ name }) => name).join(', ')}]\n`
  await writeFile(join(dist, 'contract.js'), [...functions, ...data, list].join(''))
  const names = [...values.map(([name]) => name), 'endpoints', ...Object.values(contractFunctions).flat()]
  await writeFile(
    join(dist, 'contract.d.ts'),
    `export type * from './contract/index.js'\nexport { ${names.toSorted().join(', ')} } from './contract/index.js'\n`,
  )
}

/**
 * Keep the declarations that an entry point leads to. Those of inner files name types of livekit-client, whose own
 * declarations do not compile without `skipLibCheck`.
 */
async function removeInnerDeclarations(dist: string) {
  const kept = new Set(Object.values(entryPoints).map((file) => `${file}.d.ts`))
  for (const file of kept) {
    const text = await readFile(join(dist, file), 'utf8')
    for (const [, imported = ''] of text.matchAll(/(?:\bfrom |\bimport\()['"](\.[^'"]+)\.js['"]/g))
      kept.add(join(dirname(file), `${imported}.d.ts`))
  }
  for (const file of await filesIn(dist, '.d.ts')) if (!kept.has(file)) await rm(join(dist, file))
}

/** The command line, whose JavaScript is its source without the types: no one imports it. */
async function commandLineFiles() {
  const { transformWithOxc } = await import('vite')
  const folder = join(root, 'packages/command-line/src')
  const sources = (await filesIn(folder, '.ts')).filter((file) => !file.endsWith('.test.ts'))
  return Promise.all(
    sources.map(async (file) => {
      const source = await readFile(join(folder, file), 'utf8')
      const { code } = await transformWithOxc(source, file, { target: library.target, sourcemap: false })
      const script = code
        .replaceAll(/\bfrom (['"])(\.[^'"]*)\.ts\1/g, 'from $1$2.js$1')
        .replaceAll(/\bfrom (['"])@parley\/client\1/g, 'from $1../dist/index.js$1')
        .replaceAll(/\bfrom (['"])@parley\/contract\1/g, 'from $1../dist/contract.js$1')
      return { path: `package/command-line/${file.replace(/\.ts$/, '.js')}`, bytes: Buffer.from(script) }
    }),
  )
}

async function filesIn(folder: string, ...endings: readonly string[]): Promise<string[]> {
  const files = await readdir(folder, { recursive: true })
  return files.filter((file) => endings.some((ending) => file.endsWith(ending)))
}

/** What only some programs need, each for one entry point: npm installs it where the program asks for it. */
const optionalPackages = ['livekit-client']

/** The package.json of the package. */
export async function clientManifest() {
  const read = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'))
  const { name, version, license, type, dependencies } = await read('packages/client/package.json')
  const all = { ...dependencies, ...(await read('packages/contract/package.json')).dependencies }
  const isOptional = ([one]: readonly [string, unknown]) => optionalPackages.includes(one)
  // Packages of this repository are packed, not installed.
  const packages = Object.entries<string>(all).filter(([one]) => !one.startsWith('@parley/'))
  const exports = Object.entries(entryPoints).map(([path, file]) => [
    path,
    { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` },
  ])
  return {
    name,
    version,
    description: 'The typed client of Parley: its API, meetings in your own page, and the command line',
    // npm refuses to publish it; packing and installing it are allowed.
    private: true,
    license,
    type,
    engines: { node: oldestNode },
    sideEffects: false,
    bin: { parley: './command-line/main.js' },
    exports: { ...Object.fromEntries(exports), './package.json': './package.json' },
    dependencies: Object.fromEntries(packages.filter((one) => !isOptional(one))),
    peerDependencies: Object.fromEntries(packages.filter(isOptional).map(([one, version]) => [one, `^${version}`])),
    peerDependenciesMeta: Object.fromEntries(optionalPackages.map((one) => [one, { optional: true }])),
  }
}

if (import.meta.main) {
  const [folder = root] = process.argv.slice(2)
  console.log(relative(process.cwd(), await packClient(folder)))
}
