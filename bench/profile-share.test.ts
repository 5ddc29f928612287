import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOfProfile } from './profile-share.ts'

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children,
})

test('the share includes code that own code calls, and excludes idle time', () => {
  const profile = {
    nodes: [
      node(1, '(root)', '', [2, 3]),
      node(2, '(idle)', ''),
      node(3, 'handle', 'file:///server/serve.ts', [4, 6]),
      node(4, 'observe', 'file:///server/metrics/observe-requests.ts', [5]),
      node(5, 'inc', 'file:///node_modules/prom-client/lib/counter.js'),
      node(6, 'query', 'file:///node_modules/pg/lib/client.js'),
    ],
    samples: [2, 2, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 3],
  }
  const isMetrics = (url: string) => url.includes('/metrics/')
  assert.equal(shareOfProfile(profile, isMetrics), 0.2)
  assert.equal(
    shareOfProfile(profile, () => false),
    0,
  )
})
