import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

/*
 * An app has chosen its name, and before a review anyone can claim any. Code that reads revisions of apps therefore
 * passes the name through access/shown-app.ts, or has a reason here why its readers may see it.
 */

const source = new URL('../../apps/server/src/', import.meta.url)

const through = 'names the app by shownNameOf or shownNameText'
const deciders = 'for people who decide about apps, and have to see what they decide about'
const developer = 'for the developer of the app, or people whom the developer invites by name'
const nameless = 'reads no name for people'

const readers: Record<string, string> = {
  'access/shown-app.ts': 'is the place',
  'accounts/audit-log-store.ts': through,
  'account-data/erase-accounts.ts': nameless,
  'account-data/export-sections.ts': 'exports the name of a connected app where isReviewed, and own apps',
  'oauth/grants/grant-store.ts': `${through} in grants.ts`,
  'oauth/token/embed-ticket-store.ts': nameless,
  'oauth-apps/administered-app-store.ts': deciders,
  'oauth-apps/agent-clients/agent-client-store.ts': 'finds names to compare them',
  'oauth-apps/app-grants.ts': nameless,
  'oauth-apps/app-secret-store.ts': developer,
  'oauth-apps/app-store.ts': developer,
  'oauth-apps/client-store.ts': 'hands the name out as a ClaimedName, which no text prints',
  'oauth-apps/review-store.ts': deciders,
  'oauth-apps/tester-store.ts': developer,
}

/** Where a claimed name becomes a text, or a text a claimed name. */
const unwrapping: Record<string, string> = {
  'accounts/audit-log-store.ts': through,
  'oauth/grants/grants.ts': through,
  'oauth-apps/client-store.ts': 'makes it',
}

async function filesWith(pattern: RegExp): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob('**/*.ts', { cwd: source })) {
    if (path.endsWith('.test.ts') || path.startsWith('tables/')) continue
    if (pattern.test(await readFile(new URL(path, source), 'utf8'))) found.push(path)
  }
  return found.sort()
}

test('code that reads revisions of apps says what becomes of the name', async () => {
  assert.deepEqual(
    await filesWith(/appRevision|app_revision|isReviewed\b.*sql|`\(p\.registration/),
    Object.keys(readers).sort(),
  )
})

test('a claimed name is unwrapped by the one function that knows the review', async () => {
  assert.deepEqual(await filesWith(/\bclaimedName\b/), Object.keys(unwrapping).sort())
})
