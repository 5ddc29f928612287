import { planApproval } from '@parley/rules/oauth-apps/agent-clients'
import { inTransaction } from '../../platform/database/database.ts'
import type { Client } from '../credentials/client-store.ts'
import { type AdmitClient, type AdmitDependencies, createAdmitClient } from './admit-client.ts'
import { lockAgentClient } from './agent-client-store.ts'
import { approvalOf } from './approval.ts'
import { type Cause, decideByConfiguration } from './decide-by-configuration.ts'

/** Clients that no developer has registered, for the authorization pages (docs/oauth.md, "Assistants"). */
export type AgentClients = {
  admit: AdmitClient
  /**
   * Bring a client that a person uses into the state that AGENT_CLIENTS demands. Returns whether it has changed: then it
   * is to be read again.
   */
  reconcile(client: Client, cause: Cause): Promise<boolean>
}

export const createAgentClients = (service: AdmitDependencies): AgentClients => ({
  admit: createAdmitClient(service),
  async reconcile(client, cause) {
    if (client.registration === 'portal') return false
    if (planApproval(approvalOf(client, service.config), client) === 'none') return false
    await inTransaction(service.database, async (tx) => {
      const registered = await lockAgentClient(tx, client.appId)
      if (registered !== undefined) await decideByConfiguration(tx, service, registered, cause)
    })
    return true
  },
})
