import { listUseCases, useCases } from '@parley/contract'
import type { AppsService } from '../apps-service.ts'

export function serveListUseCases({ serve }: AppsService) {
  const reply = { useCases: Object.entries(useCases).map(([code, name]) => ({ code, name })) }
  serve(listUseCases, { handle: async () => reply })
}
