import { readHealth } from '@parley/contract'
import type { Service } from '../access/service.ts'

/** Says only that the process answers: a database that is away is no reason to restart us. */
export function serveReadHealth({ serve }: Service) {
  serve(readHealth, async () => ({ status: 'alive' }))
}
