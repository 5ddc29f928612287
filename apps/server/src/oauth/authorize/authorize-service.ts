import type { WithDatabase } from '../../access/service.ts'
import type { Dependencies as AccountsService } from '../../accounts/dependencies.ts'
import type { AgentClients } from '../../oauth-apps/agent-clients/client-admission.ts'
import type { RefusalLog } from '../../oauth-apps/events/refusal-log.ts'

/** What the authorization pages receive. */
export type AuthorizeService = WithDatabase<AccountsService> & { agentClients: AgentClients; refusalLog: RefusalLog }
