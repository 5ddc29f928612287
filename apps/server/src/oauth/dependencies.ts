import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { LastUse } from '../access/credentials/last-use.ts'
import type { RunInTurn } from '../access/request-limits.ts'
import type { Dependencies as AccountsDependencies } from '../accounts/dependencies.ts'
import type { AgentClients } from '../oauth-apps/agent-clients/client-admission.ts'
import type { RefusalLog } from '../oauth-apps/events/refusal-log.ts'

/** What the module receives. Endpoints of the API use the database of their handler's context, which may be a transaction. */
export type Dependencies = AccountsDependencies & {
  http: FastifyInstance
  pool: Pool
  lastUse: LastUse
  runInTurn: RunInTurn
  agentClients: AgentClients
  refusalLog: RefusalLog
}
