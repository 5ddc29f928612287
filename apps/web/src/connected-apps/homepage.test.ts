import assert from 'node:assert/strict'
import { test } from 'node:test'
import { homepageOf } from './homepage.ts'

test('a page of the web is linked to, and its host is shown', () => {
  assert.deepEqual(homepageOf('https://planner.example/home'), {
    href: 'https://planner.example/home',
    host: 'planner.example',
  })
  assert.equal(homepageOf('http://localhost:8080')?.host, 'localhost:8080')
})

test('addresses that run as scripts are not linked', () => {
  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'planner.example', '']) {
    assert.equal(homepageOf(address), undefined, address)
  }
})
