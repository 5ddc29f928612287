import type { WithDatabase } from '../../access/service.ts'
import type { AccountsService } from '../../accounts/accounts-service.ts'
import type { AgentClients } from '../../oauth-apps/agent-clients/client-admission.ts'
import type { RefusalLog } from '../../oauth-apps/events/refusal-log.ts'

/** What the authorization pages receive. */
export type AuthorizeService = WithDatabase<AccountsService> & { agentClients: AgentClients; refusalLog: RefusalLog }
