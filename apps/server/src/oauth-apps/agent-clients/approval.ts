import { clientApproval } from '@parley/rules/oauth-apps/agent-clients'
import { clientHostOf } from '../../access/shown-app.ts'
import type { Config } from '../../platform/config/config.ts'
import type { AppRow } from '../app-store.ts'

/** What the configuration says about a client. It has no say about the apps of developers. */
export const approvalOf = (app: Pick<AppRow, 'registration' | 'clientId'>, { agents }: Pick<Config, 'agents'>) =>
  app.registration === 'portal' ? 'review' : clientApproval(clientHostOf(app).clientHost, agents)
