import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../apps/server/test/start-app.ts'
import { folderWithDocument, requireTools, run, tools } from './tools.ts'

/**
 * npm run test:interop: Spectral with the recommended rules of its OpenAPI ruleset. Redocly, which test/api/openapi.test.ts runs, has
 * other rules.
 */
test('Spectral finds nothing in the document of a running service', async () => {
  requireTools(tools.spectral)
  const app = await startApp({ emails: 'dropped' })
  await using served = await folderWithDocument(app.base)
  const ruleset = join(served.folder, 'spectral.yaml')
  await writeFile(ruleset, "extends: ['spectral:oas']\n")
  const options = ['lint', '--ruleset', ruleset, '--fail-severity', 'hint', '--format', 'json', '--quiet']
  const { stdout } = await run(tools.spectral, [...options, served.document])
  assert.deepEqual(JSON.parse(stdout), [])
})
