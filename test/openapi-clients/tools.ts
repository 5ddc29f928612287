import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const installed = here('../../.interop-tools/openapi-clients')

/** The programs that scripts/install-interop-tools.sh installs for these runs. */
export const tools = {
  npmPackages: join(installed, 'npm/node_modules'),
  openapiTypescript: join(installed, 'npm/node_modules/.bin/openapi-typescript'),
  spectral: join(installed, 'npm/node_modules/.bin/spectral'),
  python: join(installed, 'python/bin/python'),
  openapiPythonClient: join(installed, 'python/bin/openapi-python-client'),
  oapiCodegen: join(installed, 'go/oapi-codegen'),
}

/** The compiler of this repository. */
export const typescriptCompiler = here('../../node_modules/typescript/bin/tsc')

/** The client programs, which use what the generators write. */
export const programs = {
  typescript: here('typescript/client.ts'),
  python: here('python/client.py'),
  go: here('go'),
}

/** @throws Error that says what to install */
export function requireTools(...paths: readonly string[]): void {
  const missing = paths.filter((path) => !existsSync(path))
  if (missing.length === 0) return
  throw new Error(
    `NOT INSTALLED: ${missing.join(', ')}. Run scripts/install-interop-tools.sh, which says what it cannot get.`,
  )
}

type Options = { cwd?: string; environment?: Record<string, string> }

/**
 * Run a program to its end, with the programs beside it on the PATH.
 * @throws Error with everything that the program printed
 */
export async function run(program: string, options: readonly string[], { cwd, environment = {} }: Options = {}) {
  const path = [dirname(program), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH: path, ...environment }
  const running = promisify(execFile)(program, options, { env, maxBuffer: 2 ** 26, ...(cwd !== undefined && { cwd }) })
  const { stdout, stderr } = await running.catch((failed) => {
    throw new Error(`${program} ${options.join(' ')}\n${failed.stdout}${failed.stderr}`)
  })
  return { stdout, printed: stdout + stderr }
}

/** A folder for generated code, with the document that the service serves. */
export async function folderWithDocument(baseUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-openapi-'))
  const document = join(folder, 'openapi.json')
  await writeFile(document, await (await fetch(`${baseUrl}/openapi.json`)).text())
  return { folder, document, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
