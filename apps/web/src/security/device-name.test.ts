import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceName } from './device-name.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const cases: readonly (readonly [string, string | undefined, string | undefined])[] = [
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
  [`Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, 'Edge', 'Windows'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) ${webKit} Version/18.0 Safari/605.1.15`, 'Safari', 'macOS'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webKit} CriOS/140.0 Mobile Safari/604.1`,
    'Chrome',
    'iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 15) ${webKit} SamsungBrowser/28.0 Chrome/130.0 Mobile`, 'Samsung Internet', 'Android'],
  ['Mozilla/5.0 (X11; CrOS x86_64 15000.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'ChromeOS'],
  ['curl/8.9.1', 'curl', undefined],
  ['Mozilla/5.0', undefined, undefined],
  ['', undefined, undefined],
]

for (const [userAgent, browser, system] of cases) {
  test(`${browser} on ${system}: ${userAgent}`, () => assert.deepEqual(deviceName(userAgent), { browser, system }))
}
