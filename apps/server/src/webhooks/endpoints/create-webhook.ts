import { createWebhook } from '@parley/contract'
import { combine, readOptional, readRequired } from '@parley/rules/text/reading'
import { readWebhookUrl } from '@parley/rules/webhooks/webhook-url'
import type { Caller } from '../../access/caller.ts'
import { lockCredentialForShare } from '../../access/credentials/lock-credential.ts'
import { lockAccount } from '../../accounts/account/account-store.ts'
import { lockTenant } from '../../accounts/account/tenant-store.ts'
import type { AccountsService } from '../../accounts/accounts-service.ts'
import { lockOwnApp } from '../../oauth-apps/app-store.ts'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { createReceiverPolicy } from '../receiver-policy.ts'
import { encryptSecret, newWebhookSecret } from '../webhook-secret.ts'
import { readDescription, readTypes, readWhose } from './read-fields.ts'
import { auditWebhook } from './webhook-audit.ts'
import {
  maxWebhooksOfAllGrants,
  maxWebhooksOfApp,
  maxWebhooksOfGrant,
  maxWebhooksOfOrganisation,
  maxWebhooksOfPerson,
} from './webhook-limits.ts'
import { grantedTypes, type RequestedOwner, requireOwner, requireSessionForSecret } from './webhook-owner.ts'
import { countWebhooks, countWebhooksOfAllGrants, insertWebhookRow } from './webhook-store.ts'
import { viewWebhook } from './webhook-view.ts'

/** Create a webhook. Only this reply contains its secret; the database stores it encrypted. */
export function serveCreateWebhook({ serve, clock, random, encryption, attemptLimits, config }: AccountsService) {
  const { baseUrl } = config
  const policies = {
    organisation: createReceiverPolicy(config, 'organisation'),
    others: createReceiverPolicy(config, 'person'),
  }
  serve(createWebhook, {
    read: ({ body, caller }) => {
      const policy = body.everyone ? policies.organisation : policies.others
      return combine({
        url: readRequired(body.url, (text) =>
          readWebhookUrl('/url', text, {
            ...policy,
            allowsLocalHttp: policy.allowsLocalHttp && allowsHttp(caller, body),
          }),
        ),
        types: readOptional(body.types, readTypes),
        description: readOptional(body.description, readDescription),
        whose: readWhose(body),
      })
    },
    handle: async ({ caller, body, input: { url, types = [], description = '' }, request, answer, database }) => {
      if (body.appId !== undefined) requireSessionForSecret(caller)
      const owner = await requireOwner(database, caller, body, baseUrl)
      const granted = grantedTypes(caller, { owner: owner.kind, types }, baseUrl)
      await attemptLimits.countOrRefuse('newWebhooksOfAccount', caller.accountId)
      const sandbox = owner.kind === 'grant' ? owner.sandbox : (body.sandbox ?? false)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        await lockOwner(tx, caller, owner)
        if ((await countWebhooks(tx, owner, sandbox, now)) >= maxWebhooks[owner.kind])
          throw problem('too_many_webhooks')
        if (
          owner.kind === 'grant' &&
          (await countWebhooksOfAllGrants(tx, caller.accountId, now)) >= maxWebhooksOfAllGrants
        )
          throw problem('too_many_webhooks')
        const id = random.uuid(now)
        const secret = newWebhookSecret(random)
        const webhook = await insertWebhookRow(tx, {
          id,
          owner: owner.kind,
          accountId: caller.accountId,
          appId: 'appId' in owner ? owner.appId : null,
          sandbox,
          grantId: owner.kind === 'grant' ? owner.grantId : null,
          personalTokenId: caller.credential.kind === 'personal' ? caller.credential.tokenId : null,
          url,
          types: granted,
          payload: body.payload ?? 'thin',
          description,
          encryptedSecret: encryptSecret(encryption, secret, id),
          createdAt: now,
          modifiedAt: now,
        })
        const detail = { types: webhook.types, payload: webhook.payload }
        const { address } = request
        await auditWebhook(tx, { webhook, caller, address, action: 'webhook.created', detail, now, random })
        answer.header('cache-control', 'no-store')
        return { ...viewWebhook(webhook, now), secret }
      })
    },
  })
}

const maxWebhooks: Record<RequestedOwner['kind'], number> = {
  person: maxWebhooksOfPerson,
  app: maxWebhooksOfApp,
  grant: maxWebhooksOfGrant,
  organisation: maxWebhooksOfOrganisation,
}

type Named = { appId?: string; everyone?: boolean; sandbox?: boolean }

/** An app for users has a receiver with a certificate; its sandbox may be a program on the developer's machine. */
const allowsHttp = ({ credential }: Caller, { appId, sandbox = false }: Named) =>
  appId !== undefined ? sandbox : credential.kind !== 'oauth' || credential.sandbox

/**
 * Lock what the webhook belongs to, so that concurrent creations are counted correctly, and the credential, so that what
 * is created does not outlive it. The order is that of the closing of an account.
 * @throws unauthorized, app_not_found
 */
async function lockOwner(tx: Tx, caller: Caller, owner: RequestedOwner): Promise<void> {
  if (owner.kind === 'organisation') await lockTenant(tx, owner.tenantId)
  const account = await lockAccount(tx, caller.accountId)
  if (account === undefined || !(await lockCredentialForShare(tx, caller))) throw problem('unauthorized')
  if (owner.kind === 'organisation' && !account.administrator) throw problem('administrator_required')
  if (owner.kind === 'app' && (await lockOwnApp(tx, owner.appId, caller.accountId)) === undefined) {
    throw problem('app_not_found')
  }
}
