import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { scopeNames } from '@parley/contract'
import { assistantApp, assistantToken } from '../../apps/server/test/mcp/assistant.ts'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { consent } from '../../apps/server/test/oauth/consenting-person.ts'
import { signUp } from '../../apps/server/test/people.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { freePorts } from '../helpers/free-port.ts'
import { openWire } from '../oauth-clients/wire.ts'
import { requireTools } from '../openapi-clients/tools.ts'
import { openWithToken, startProgram, tools } from './tools.ts'

/**
 * npm run test:interop: the conformance suite of the Model Context Protocol tests the server at /mcp, in two revisions,
 * and the authorization server in front of it.
 */

const fixture = 'calls a tool, or asks a question, that only the fixture server of the suite has'
const resources = 'the service offers no resources, only tools'
const sessions = 'clients of 2025 are served without sessions, and no stream can be resumed'
const prompts = 'the service offers no prompts, only tools'

/** Scenarios that do not apply, with the reason. Each of them fails here for that reason. */
const notApplicable: Record<string, string> = {
  'completion-complete': 'completions are for prompts and resources, which the service does not offer',
  'logging-set-level': 'the service sends no log messages to clients',
  'tools-call-simple-text': fixture,
  'tools-call-image': fixture,
  'tools-call-audio': fixture,
  'tools-call-embedded-resource': fixture,
  'tools-call-mixed-content': fixture,
  'tools-call-with-logging': fixture,
  'tools-call-error': fixture,
  'tools-call-with-progress': fixture,
  'tools-call-sampling': fixture,
  'tools-call-elicitation': fixture,
  'json-schema-2020-12': fixture,
  'elicitation-sep1034-defaults': fixture,
  'elicitation-sep1330-enums': fixture,
  'resources-list': resources,
  'resources-read-text': resources,
  'resources-read-binary': resources,
  'resources-templates-read': resources,
  'resources-subscribe': resources,
  'resources-unsubscribe': resources,
  'prompts-list': prompts,
  'prompts-get-simple': prompts,
  'prompts-get-with-args': prompts,
  'prompts-get-embedded-resource': prompts,
  'prompts-get-with-image': prompts,
  'http-custom-header-server-validation': 'no tool has an argument that clients copy into a header (x-mcp-header)',
  'input-required-result-basic-elicitation': fixture,
  'input-required-result-basic-sampling': fixture,
  'input-required-result-basic-list-roots': fixture,
  'input-required-result-request-state': fixture,
  'input-required-result-multiple-input-requests': fixture,
  'input-required-result-multi-round': fixture,
  'input-required-result-non-tool-request': prompts,
  'input-required-result-result-type': fixture,
  'input-required-result-tampered-state': fixture,
  'input-required-result-capability-check': fixture,
  'input-required-result-ignore-extra-params': fixture,
}

/** Checks that do not apply within scenarios that do. */
const notApplicableChecks: Record<string, string> = {
  'sep-2575-server-rejects-undeclared-capability': fixture,
  'sep-2575-missing-capability-http-400': fixture,
  'sep-2575-http-server-no-independent-requests-on-stream': fixture,
  'sep-2575-server-no-log-without-loglevel': fixture,
  'sep-2575-server-sends-prompts-list-changed-on-subscription': prompts,
  'sep-2575-server-sends-tools-list-changed-on-subscription': 'the list of tools does not change',
  'sep-2549-prompts-list-caching-hints': prompts,
  'sep-2549-resources-list-caching-hints': resources,
  'sep-2549-resources-templates-list-caching-hints': resources,
  'sep-2549-resources-read-caching-hints': resources,
  'sep-2164-error-code': resources,
  'sep-2164-data-uri': resources,
  'sep-2322-missing-response-rerequests': fixture,
  'server-sse-polling-session': sessions,
  'server-sse-priming-event': sessions,
  'server-sse-retry-field': sessions,
  'server-sse-multiple-streams-session': sessions,
}

type Check = { id: string; status: string; errorMessage?: string }

async function resultFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-conformance-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The checks of each scenario that the suite has run, from its result files. */
async function checksIn(folder: string): Promise<Map<string, Check[]>> {
  const found = new Map<string, Check[]>()
  for (const file of globSync('*/checks.json', { cwd: folder })) {
    const scenario = basename(join(file, '..'))
      .replace(/^server-/, '')
      .replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    found.set(scenario, JSON.parse(await readFile(join(folder, file), 'utf8')))
  }
  return found
}

const isPassed = ({ status }: Check) => status === 'SUCCESS' || status === 'INFO'

for (const revision of ['2025-11-25', '2026-07-28']) {
  test(`the server conforms to revision ${revision}`, async (t) => {
    requireTools(tools.conformance)
    let served = { target: '', token: '' }
    const origin = await openWithToken(() => served)
    const app = await startApp({ emails: 'dropped', environment: { BASE_URL: origin, RATE_LIMITS: 'off' } })
    const [olga, alice] = [await signUp(app, 'Olga'), await signUp(app, 'Alice')]
    served = { target: app.base, token: await assistantToken(app, await assistantApp(app, olga), alice) }

    const folder = await resultFolder()
    const command = ['server', '--url', `${origin}/mcp`, '--suite', 'all', '--spec-version', revision, '-o', folder]
    const program = startProgram(process.execPath, [tools.conformance, ...command])
    const printed = await Array.fromAsync(program.lines)
    await program.exitCode
    const results = await checksIn(folder)
    assert.ok(results.size > 25, `${results.size} scenarios\n${printed.join('\n')}${program.errors()}`)

    const failed = [...results].flatMap(([scenario, checks]) =>
      scenario in notApplicable
        ? []
        : checks
            .filter((check) => !isPassed(check) && !(check.id in notApplicableChecks))
            .map(({ id, status, errorMessage }) => `${scenario}: ${id} ${status}: ${errorMessage}`),
    )
    assert.deepEqual(failed, [])
    const outdated = [...results].filter(([scenario, checks]) => scenario in notApplicable && checks.every(isPassed))
    assert.deepEqual(
      outdated.map(([scenario]) => scenario),
      [],
      'These apply by now',
    )
    const applied = [...results].filter(([scenario]) => !(scenario in notApplicable))
    for (const [scenario, checks] of applied) t.diagnostic(`${scenario}: ${checks.filter(isPassed).length} checks`)
    assert.ok(applied.flatMap(([, checks]) => checks.filter(isPassed)).length >= 5)
  })
}

test('the authorization server in front of it conforms: its metadata, and a code with PKCE for /mcp', async () => {
  requireTools(tools.conformance)
  const wire = await openWire()
  const app = await startApp({ emails: 'dropped', environment: { BASE_URL: wire.base, RATE_LIMITS: 'off' } })
  wire.forwardTo(app.base)
  const [olga, alice] = [await signUp(app, 'Olga'), await signUp(app, 'Alice')]
  const { clientId } = await approvedApp(app, olga, {
    name: 'Conformance',
    clientType: 'native',
    callbackUrls: ['http://127.0.0.1/callback'],
    scopes: [...scopeNames],
  })
  const folder = await resultFolder()
  const command = ['authorization', '--url', wire.base, '--client-id', clientId, '--resource', `${wire.base}/mcp`]
  const [port] = await freePorts(1)
  const options = ['-p', String(port), '--spec-version', '2026-07-28', '-o', folder]
  const program = startProgram(process.execPath, [tools.conformance, ...command, ...options])
  const printed: string[] = []
  for await (const line of program.lines) {
    printed.push(line)
    const address = /(http\S+\/oauth2\/authorize\?\S+)/.exec(line)?.[1]
    if (address !== undefined) await fetch(await consent(app, alice, address))
  }
  await program.exitCode
  const results = await checksIn(folder)
  const failed = [...results.values()].flatMap((checks) => checks.filter((check) => !isPassed(check)))
  assert.deepEqual(failed, [], printed.join('\n'))
  assert.equal(results.size, 2, `${printed.join('\n')}${program.errors()}`)
})
