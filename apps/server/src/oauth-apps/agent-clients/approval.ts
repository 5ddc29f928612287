import { clientApproval } from '@parley/rules/oauth-apps/agent-clients'
import type { Config } from '../../platform/config/config.ts'
import type { AppRow } from '../app-store.ts'
import { clientHostOf } from '../client-host.ts'

/** What the configuration says about a client. It has no say about the apps of developers. */
export const approvalOf = (app: Pick<AppRow, 'registration' | 'clientId'>, { agents }: Pick<Config, 'agents'>) =>
  app.registration === 'portal' ? 'review' : clientApproval(clientHostOf(app).clientHost, agents)
