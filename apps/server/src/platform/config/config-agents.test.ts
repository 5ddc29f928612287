import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configOf, problemsOf } from '../../../test/read-config.ts'

test('by default clients need a review, and none registers itself', () => {
  assert.deepEqual(configOf({}).agents, { clients: 'reviewed', hosts: [], registration: 'off' })
})

test('reads the hosts of clients that need no review', () => {
  const { clients, hosts } = configOf({
    AGENT_CLIENTS: 'listed',
    AGENT_CLIENT_HOSTS: 'claude.ai, vscode.dev,assistant.example.com:8443',
  }).agents
  assert.equal(clients, 'listed')
  assert.deepEqual(hosts, ['claude.ai', 'vscode.dev', 'assistant.example.com:8443'])
})

for (const hosts of [
  'Claude.ai',
  'https://claude.ai',
  'claude.ai/oauth',
  '*.claude.ai',
  'claude.ai:443',
  'claude.ai:25',
  'user@claude.ai',
  'claude.ai,',
  'localhost',
  '10.0.0.1',
  'claude.ai#',
  'claude.ai?',
]) {
  test(`refuses the hosts ${hosts}`, () => {
    const [problem] = problemsOf({ AGENT_CLIENT_HOSTS: hosts })
    assert.match(problem ?? '', /^AGENT_CLIENT_HOSTS is .*; it must be host names/)
  })
}

test('refuses settings that no client could use', () => {
  assert.deepEqual(problemsOf({ AGENT_CLIENTS: 'listed' }), [
    'AGENT_CLIENT_HOSTS must be given when AGENT_CLIENTS is listed: the hosts of the clients to accept.',
  ])
  const host = { AGENT_CLIENT_HOSTS: 'claude.ai' }
  assert.match(problemsOf({ AGENT_REGISTRATION: 'on', AGENT_CLIENTS: 'off' })[0] ?? '', /accepts no client/)
  assert.match(problemsOf({ AGENT_REGISTRATION: 'on', AGENT_CLIENTS: 'listed', ...host })[0] ?? '', /accepts no client/)
  for (const clients of ['reviewed', 'open']) {
    assert.equal(configOf({ AGENT_REGISTRATION: 'on', AGENT_CLIENTS: clients }).agents.registration, 'on')
  }
})
