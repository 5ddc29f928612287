import { readVersion } from '@parley/contract'
import type { Service } from '../access/service.ts'

export function serveReadVersion({ serve }: Service, version: string) {
  serve(readVersion, { handle: async () => ({ version, node: process.version }) })
}
