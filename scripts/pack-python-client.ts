import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Endpoint, endpoints, mediaTypesOf } from '@parley/contract'
import { writeTarball } from './write-tarball.ts'

/**
 * The client for Python, as pip installs it: `scripts/python-client/client.py` and, below it, a method for each endpoint
 * of the contract. Requests and replies are dictionaries, as /openapi.json describes them.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const sources = join(root, 'scripts/python-client')

/** @returns the path of the archive in `folder` */
export async function packPythonClient(folder: string): Promise<string> {
  const { version, license } = JSON.parse(await readFile(join(root, 'packages/client/package.json'), 'utf8'))
  // PEP 440: `1.0.0rc1`.
  const pythonVersion = version.replace(/-([a-z]+)\.?(\d+)$/, '$1$2')
  const backend = await readFile(join(sources, 'build_backend.py'), 'utf8')
  const runtime = await readFile(join(sources, 'client.py'), 'utf8')
  const metadata = [
    'Metadata-Version: 2.1',
    'Name: parley-client',
    `Version: ${pythonVersion}`,
    'Summary: The API of a Parley service, by the standard library alone',
    `License: ${license}`,
    'Requires-Python: >=3.9',
  ]
  const files = {
    'PKG-INFO': `${metadata.join('\n')}\n`,
    'pyproject.toml': '[build-system]\nrequires = []\nbuild-backend = "build_backend"\nbackend-path = ["."]\n',
    'build_backend.py': backend.replace('@VERSION@', pythonVersion),
    'parley_client/__init__.py': `${runtime}\n\n${classOf(endpoints)}`,
    'parley_client/py.typed': '',
    LICENSE: await readFile(join(root, 'LICENSE'), 'utf8'),
  }
  const archive = writeTarball(
    Object.entries(files).map(([path, text]) => ({
      path: `parley_client-${pythonVersion}/${path}`,
      bytes: Buffer.from(text),
    })),
  )
  await mkdir(folder, { recursive: true })
  const path = join(folder, `parley-client-py-${version}.tgz`)
  await writeFile(path, archive)
  return path
}

/** Streams have `follow_events`; what takes a form is OAuth's, for which Python has libraries. */
const isCallable = ({ stream, form, path }: Endpoint) =>
  stream !== true && form !== true && !path.includes('.well-known')

function classOf(all: readonly Endpoint[]): string {
  const methods = all.filter(isCallable).map(methodOf)
  return `class Client(_Transport):\n    """A client of one service. \`token\` is that of a person, an app or a sign-in."""\n\n${methods.join('\n')}`
}

/** Names that Python keeps to itself get an underscore (PEP 8). */
const reserved = new Set(['from', 'in', 'is', 'not', 'class', 'global', 'def', 'pass', 'return', 'self', 'body'])

function toSnake(name: string): string {
  const snake = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
  return reserved.has(snake) ? `${snake}_` : snake
}

function methodOf(endpoint: Endpoint): string {
  const { name, method, path, summary, body, idempotent, versioned, follow } = endpoint
  const params = [...path.matchAll(/:(\w+)/g)].map(([, param = '']) => param)
  const query = Object.keys(endpoint.query?.properties ?? {}).filter((one) => follow === undefined || one !== 'follow')
  const headers = [...(idempotent ? ['idempotency-key'] : []), ...(versioned ? ['if-match'] : [])]
  const optional = [...query.map(toSnake), ...headers.map((header) => header.replace('-', '_'))]
  const words = [
    'self',
    ...params.map((param) => `${toSnake(param)}: str`),
    ...(body === undefined ? [] : ['body: Json']),
    ...(optional.length === 0 ? [] : ['*', ...optional.map((option) => `${option}: Json = None`)]),
  ]
  const dictionary = (names: readonly string[], variable: (one: string) => string) =>
    `{${names.map((one) => `${JSON.stringify(one)}: ${variable(one)}`).join(', ')}}`
  const [mediaType = 'application/json'] = mediaTypesOf(endpoint)
  const sent = [
    JSON.stringify(method),
    JSON.stringify(path),
    dictionary(params, toSnake),
    dictionary(query, toSnake),
    ...(body === undefined ? [] : ['body=body']),
    ...(headers.length === 0 ? [] : [`headers=${dictionary(headers, (header) => header.replace('-', '_'))}`]),
    ...(mediaType === 'application/json' ? [] : [`accept=${JSON.stringify(mediaType)}`]),
  ]
  return [
    `    def ${toSnake(name)}(${words.join(', ')}) -> Json:`,
    `        ${JSON.stringify(`${summary}.`)}`,
    `        return self._call(${sent.join(', ')})`,
    '',
  ].join('\n')
}
