import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findMissingPackages, requireNothingMissing } from '../helpers/debian-python.ts'

const run = promisify(execFile)

/** The folder of the sources of Debian's Go packages. */
const goSources = '/usr/share/gocode'

/** @throws Error that says what to install */
export async function requireDebianClients(): Promise<void> {
  const missing = await findMissingPackages({
    'python3-authlib': 'import authlib',
    'python3-requests-oauthlib': 'import requests_oauthlib',
  })
  await run('go', ['version']).catch(() => missing.push('golang-go'))
  await run('php', ['-r', 'curl_version();']).catch(() => missing.push('php-cli and php-curl'))
  await run('java', ['-version']).catch(() => missing.push('default-jdk-headless'))
  if (!existsSync(join(goSources, 'src/golang.org/x/oauth2'))) missing.push('golang-golang-x-oauth2-dev')
  requireNothingMissing('OAuth clients', missing)
}

/**
 * Compile a Go program against Debian's sources, without network.
 * @returns the program's path
 */
export async function buildGo(source: string): Promise<{ program: string; [Symbol.asyncDispose](): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-go-'))
  const program = join(folder, 'client')
  await run('go', ['build', '-o', program, source], {
    env: { ...process.env, GO111MODULE: 'off', GOPATH: goSources, GOFLAGS: '' },
  })
  return { program, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
