import assert from 'node:assert/strict'
import { test } from 'node:test'
import { homepageOf } from './homepage.ts'

test('links to an http or https page, and shows its host', () => {
  assert.deepEqual(homepageOf('https://planner.example/home'), {
    href: 'https://planner.example/home',
    host: 'planner.example',
  })
  assert.equal(homepageOf('http://localhost:8080')?.host, 'localhost:8080')
})

test('does not link addresses with other schemes, such as javascript:', () => {
  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'planner.example', '']) {
    assert.equal(homepageOf(address), undefined, address)
  }
})
