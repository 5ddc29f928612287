import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClientIdUrl, maxClientIdUrlLength, readClientIdUrl } from './client-id-url.ts'

for (const [url, host] of [
  ['https://claude.ai/oauth/claude-code-client-metadata', 'claude.ai'],
  ['https://vscode.dev/oauth/client-metadata.json', 'vscode.dev'],
  ['https://assistant.example.com/c', 'assistant.example.com'],
  ['https://assistant.example.com/c/', 'assistant.example.com'],
  ['https://assistant.example.com//c', 'assistant.example.com'],
  ['https://assistant.example.com/.well-known/client', 'assistant.example.com'],
  ['https://assistant.example.com/a..b/...', 'assistant.example.com'],
  // The draft advises against a query, and allows it.
  ['https://assistant.example.com/c?v=1', 'assistant.example.com'],
  ['https://assistant.example.com:1024/c', 'assistant.example.com:1024'],
  ['https://xn--bcher-kva.example/c', 'xn--bcher-kva.example'],
  ['https://1.2.3.4.example.org/c', '1.2.3.4.example.org'],
  [`https://assistant.example.com/${'a'.repeat(maxClientIdUrlLength - 30)}`, 'assistant.example.com'],
] as const) {
  test(`${url.slice(0, 80)} is accepted`, () => assert.deepEqual(readClientIdUrl(url), { kind: 'allowed', host }))
}

for (const [url, code] of [
  ['http://assistant.example.com/c', 'not_https'],
  ['https:', 'not_canonical'],
  ['https:assistant.example.com/c', 'not_canonical'],
  ['https:///assistant.example.com/c', 'not_canonical'],
  ['HTTPS://assistant.example.com/c', 'not_canonical'],
  ['https://Assistant.example.com/c', 'not_canonical'],
  ['https://assistant.example.com:443/c', 'not_canonical'],
  ['https://assistant.example.com/./c', 'not_canonical'],
  ['https://assistant.example.com/a/../c', 'not_canonical'],
  ['https://assistant.example.com/a/%2e%2E/c', 'not_canonical'],
  ['https://assistant.example.com/a/..%2fc', 'not_canonical'],
  ['https://assistant.example.com/a%5c..%5cc', 'not_canonical'],
  ['https://assistant.example.com/..', 'no_path'],
  ['https://assistant.example.com', 'no_path'],
  ['https://assistant.example.com/', 'no_path'],
  ['https://assistant.example.com/?c', 'no_path'],
  ['https://assistant.example.com/c#', 'fragment'],
  ['https://assistant.example.com/c#a', 'fragment'],
  ['https://user@assistant.example.com/c', 'userinfo'],
  ['https://:secret@assistant.example.com/c', 'userinfo'],
  ['https://@assistant.example.com/c', 'not_canonical'],
  ['https://assistant.example.com\\c', 'forbidden_character'],
  ['https://assistant.example.com/ c', 'forbidden_character'],
  ['https://assistant.example.com/c\n', 'forbidden_character'],
  ['https://assistant.example.com/%00', 'forbidden_character'],
  ['https://b\u00fccher.example/c', 'forbidden_character'],
  ['https://assistant.example.com:25/c', 'port'],
  ['https://assistant.example.com:80/c', 'port'],
  ['https://assistant.example.com:1023/c', 'port'],
  ['https://93.184.216.34/c', 'not_a_domain'],
  ['https://127.0.0.1/c', 'not_a_domain'],
  ['https://[2606:2800:220:1::1]/c', 'not_a_domain'],
  ['https://localhost/c', 'not_a_domain'],
  ['https://assistant.localhost/c', 'not_a_domain'],
  ['https://intranet/c', 'not_a_domain'],
  ['https://assistant.example.com./c', 'not_a_domain'],
  ['https://a_b.example.com/c', 'not_a_domain'],
  [`https://assistant.example.com/${'a'.repeat(maxClientIdUrlLength - 29)}`, 'too_long'],
] as const) {
  test(`${url.slice(0, 80)} is refused: ${code}`, () => {
    const read = readClientIdUrl(url)
    assert.equal(read.kind === 'refused' ? read.code : 'accepted', code)
  })
}

test('a generated client id is no URL; whatever begins like one is', () => {
  for (const clientId of ['app_4fJd0', 'test_4fJd0', 'https', 'ftp://example.org/c', '']) {
    assert.equal(isClientIdUrl(clientId), false)
  }
  for (const clientId of ['https://example.org/c', 'http://example.org/c', 'HTTPS:x']) {
    assert.equal(isClientIdUrl(clientId), true)
  }
})
