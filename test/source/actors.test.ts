import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, actorOf, type Caller, serviceActorFor } from '../../apps/server/src/access/caller.ts'
import { product, read } from './source-files.ts'

const maker = 'apps/server/src/access/caller.ts'
const server = product.filter((file) => file.startsWith('apps/server/src/'))
const findAll = (pattern: RegExp, files = server) => files.filter((file) => file !== maker && pattern.test(read(file)))

const caller: Caller = {
  accountId: 'cohost',
  tenantId: 'tenant',
  addressKey: 'bob@example.org',
  addressTrusted: true,
  administrator: false,
  reviewer: false,
  timeZone: '',
  credential: { kind: 'oauth', grantId: 'grant', familyId: 'family', appId: 'app', sandbox: false, scopes: [] },
}
const partsOf = ({ accountId, grantId, namedId, charged }: Actor) => ({ accountId, grantId, namedId, charged })

test('a caller acts and pays, and mails name the host', () => {
  assert.deepEqual(partsOf(actorOf(caller)), {
    accountId: 'cohost',
    grantId: 'grant',
    namedId: 'cohost',
    charged: 'cohost',
  })
  assert.deepEqual(partsOf(actorOf(caller, { id: 'host' })), {
    accountId: 'cohost',
    grantId: 'grant',
    namedId: 'host',
    charged: 'cohost',
  })
})

test('the service acts for a host, who pays unless another account has caused it', () => {
  const host = { accountId: 'host', grantId: null, namedId: 'host' }
  assert.deepEqual(partsOf(serviceActorFor({ id: 'host' })), { ...host, charged: 'host' })
  assert.deepEqual(partsOf(serviceActorFor({ id: 'host' }, 'cohost')), { ...host, charged: 'cohost' })
})

test('neither an object nor a copy is an actor, and no text an account that pays', () => {
  const takes = (actor: Actor) => actor.accountId
  // @ts-expect-error An object literal lacks the private member.
  takes({ accountId: 'other', grantId: null, namedId: 'other', charged: 'other' })
  // @ts-expect-error A copy lacks it, too.
  takes({ ...actorOf(caller), accountId: 'other' })
  // @ts-expect-error An identifier is not an account that pays.
  const charged: Actor['charged'] = 'other'
  assert.equal(charged, 'other')
})

test('actors are made in one file, and no function takes the id of a sender', () => {
  assert.deepEqual(findAll(/\bas (unknown as )?(Actor|ChargedAccount)\b/), [])
  assert.deepEqual(findAll(/\bsenderId\??: (string|'uuid)/), [])
  const storesOfMails = server.filter((file) => /\/(meetings|invitations|account-data)\//.test(file))
  assert.deepEqual(findAll(/\b(chargedTo|payerId)\??: string\b/, storesOfMails), [])
})

/** Each place where the service acts by itself says why, and whom it charges. */
const ownWork: Record<string, string> = {
  'apps/server/src/account-data/erase-accounts.ts': 'offers meetings at the expense of the account that left',
  'apps/server/src/account-data/hand-overs.ts':
    'mails the new organizer of a meeting at the expense of the account that left',
  'apps/server/src/invitations/guest-reminders.ts': 'reminds at the expense of the account that invited the guest',
  'apps/server/src/account-data/departing-host.ts': 'cancels the meetings of a closed account at its expense',
  'apps/server/src/cli/import/import-file.ts': 'meetings of another service that the operator imports for their host',
}

test('the service acts for a host in the listed places only', () => {
  assert.deepEqual(findAll(/\bserviceActorFor\(/).toSorted(), Object.keys(ownWork).toSorted())
})
