import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApprovalStep, clientApproval, planApproval } from './agent-clients.ts'
import type { AppState } from './app-review.ts'

const hosts = ['claude.ai', 'assistant.example.com:8443']

for (const [clients, listed, other] of [
  ['off', 'refused', 'refused'],
  ['listed', 'approved', 'refused'],
  ['reviewed', 'approved', 'review'],
  ['open', 'approved', 'approved'],
] as const) {
  test(`AGENT_CLIENTS=${clients}`, () => {
    for (const host of hosts) {
      assert.equal(clientApproval(host, { clients, hosts }), listed)
    }
    const others = ['evil.claude.ai', 'claude.ai.evil.example', 'assistant.example.com', 'claude.ai:8443', undefined]
    for (const host of others) assert.equal(clientApproval(host, { clients, hosts }), other)
  })
}

/** Each state with its steps: what the configuration approves, what it sends to a review, what it refuses. */
const states: readonly (readonly [
  AppState,
  'draft' | 'none',
  'reviewer' | 'configuration' | 'none',
  ApprovalStep,
  ApprovalStep,
])[] = [
  // It has registered itself, and no person has used it yet.
  ['draft', 'draft', 'none', 'approve', 'submit'],
  ['under_review', 'draft', 'none', 'approve', 'none'],
  ['under_review', 'draft', 'reviewer', 'approve', 'none'],
  ['under_review', 'draft', 'configuration', 'approve', 'withdraw'],
  ['approved', 'none', 'reviewer', 'none', 'none'],
  ['approved', 'none', 'configuration', 'none', 'withdraw'],
  ['rejected', 'draft', 'none', 'none', 'none'],
  ['rejected', 'draft', 'configuration', 'none', 'withdraw'],
  ['on_hold', 'draft', 'none', 'none', 'none'],
  ['suspended', 'draft', 'none', 'none', 'none'],
  ['suspended', 'none', 'configuration', 'none', 'none'],
]
for (const [status, draft, liveBy, whenApproved, whenReviewed] of states) {
  test(`the next step of a client that is ${status}, with ${draft} beside what is live by ${liveBy}`, () => {
    const state = { status, hasDraft: draft === 'draft', liveByConfiguration: liveBy === 'configuration' }
    assert.equal(planApproval('approved', state), whenApproved)
    assert.equal(planApproval('review', state), whenReviewed)
    assert.equal(planApproval('refused', state), 'none')
  })
}
