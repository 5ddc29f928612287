import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { type HostileText, hostileTextsFor } from './hostile-texts.ts'

/**
 * All requests share one thread: an expression whose time grows quadratically with its input stops the service for all
 * clients (CWE-1333). Run each expression in the source that a request can reach on texts that are designed to take
 * long. Static checkers (recheck, safe-regex) do not know the flag `v`.
 */

/** Expressions that no request reaches, with the reason. Files whose expressions are all linear need no line here. */
const excluded: Record<string, string> = {
  'apps/server/src/platform/config/config-values.ts':
    'reads the environment, which the operator writes, once at the start',
  'apps/server/src/email/mail.ts': 'reads MAIL_FROM, which the operator writes',
  'apps/server/src/platform/config/environment.ts':
    'hides passwords when the same environment is shown to the operator',
}

/** Expressions composed of constants, which this test cannot evaluate. */
const madeOfConstants: Record<string, string> = {
  'apps/server/src/accounts/set-up.ts': 'groups of a fixed length, of a code that the service made',
  'packages/rules/src/oauth-apps/name-characters.ts':
    'single characters between two others, of a list of scripts; no repetition',
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = globSync('{apps/server/src,packages/rules/src,packages/contract/src}/**/*.ts', {
  cwd: root,
  exclude: ['**/*.test.ts', '**/*.story.ts', '**/*-for-tests.ts'],
})

type Expression = { file: string; source: string; flags: string }

/** Find the literal expressions in a file, and those that it builds from text, which this test cannot run. */
function expressionsIn(file: string): { written: Expression[]; made: string[] } {
  const text = readFileSync(root + file, 'utf8')
  const written: Expression[] = []
  const made: string[] = []
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex, callee, key, value, start } = Object(node)
    if (type === 'Literal' && regex) written.push({ file, source: regex.pattern, flags: regex.flags })
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp')
      made.push(`${file}:${start}`)
    // JSON Schema's `pattern` and `patternProperties`.
    if (type === 'Property' && key?.name === 'pattern' && typeof value?.value === 'string') {
      written.push({ file, source: value.value, flags: 'u' })
    }
    if (type === 'Property' && key?.name === 'patternProperties') made.push(`${file}:${start}`)
    for (const inner of Object.values(node)) {
      if (Array.isArray(inner)) inner.forEach(walk)
      else walk(inner)
    }
  }
  walk(parseSync(file, text).program)
  return { written, made }
}

const found = sources.map(expressionsIn)
const expressions = found.flatMap(({ written }) => written)
/** An expression without a repetition takes constant time at each position. */
const hasRepetition = ({ source }: Expression) => /[*+{]/.test(source)

/** From a length at which even exponential matching ends; a linear expression takes microseconds, even on a busy machine. */
const shortLengths = [12, 14, 16, 18, 20, 22, 24, 26, 28, 64]
/** Quadratic matching takes tens of milliseconds. */
const longLength = 8_192
const patienceMs = 20
/** Eight times the text takes eight times as long if growth is linear, 64 times if it is quadratic. */
const limit = 24
/** Growth counts as linear up to this time for `longLength`; a lower limit would measure the machine. */
const noiseMs = 5

/** Milliseconds of processor time of this thread, which other work on the machine does not lengthen. */
function timeOf(expression: RegExp, text: string): number {
  const before = process.threadCpuUsage()
  text.replaceAll(expression, '')
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** Find a text on which the expression takes long, among those generated for it. */
function findSlowText({ source, flags }: Pick<Expression, 'source' | 'flags'>): string | undefined {
  const expression = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
  const textOf = ({ begin, again, end }: HostileText, length: number) =>
    begin + again.repeat(Math.ceil(length / again.length)) + end
  const fastest = (shape: HostileText, length: number) => {
    const text = textOf(shape, length)
    return Math.min(...[1, 2, 3].map(() => timeOf(expression, text)))
  }
  const isSlow = (shape: HostileText) => {
    const takes = (length: number, ms: number) => timeOf(expression, textOf(shape, length)) > ms
    // A single slow run on a busy machine does not prove growth.
    if (shortLengths.some((length) => takes(length, patienceMs) && fastest(shape, length) > patienceMs)) return true
    if (!takes(longLength, noiseMs)) return false
    const wholeTime = fastest(shape, longLength)
    return wholeTime > noiseMs && wholeTime > limit * fastest(shape, longLength / 8)
  }
  const shape = hostileTextsFor(source, flags).find(isSlow)
  return shape && JSON.stringify(shape)
}

test('finds expressions that take superlinear time, and no others', () => {
  for (const slow of [
    /\s*;\s*q=/,
    /^\s*([a-z]{1,8})(?:-[a-z0-9-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/i,
    /^(a+)+$/,
    /^(\w|\d)*!$/,
    /<[^>]*>/,
    /[ \t]+$/,
    /^a.*b.*c$/s,
    /(?:x+y?)+z/,
  ]) {
    assert.ok(findSlowText(slow), String(slow))
  }
  for (const fast of [/^\s*$/, /^[a-z]+-\d+$/, /[\p{L}\p{N}]/u, /^Bearer (\S+)$/, /,/, /^[\p{L}--[a-z]]+$/v]) {
    assert.equal(findSlowText(fast), undefined, String(fast))
  }
})

test('no expression is built from text at run time, where this test would miss it', () => {
  const files = found.flatMap(({ made }) => made).map((place) => place.split(':', 1)[0] ?? '')
  assert.deepEqual([...new Set(files)].toSorted(), Object.keys(madeOfConstants))
})

test('every expression that a request can reach takes linear time', () => {
  assert.ok(expressions.length > 100, `Only ${expressions.length} were found`)
  const reachable = expressions.filter((one) => excluded[one.file] === undefined && hasRepetition(one))
  const slow = [...Map.groupBy(reachable, ({ source, flags }) => `${flags} ${source}`).values()]
    .flatMap(([one]) => one ?? [])
    .flatMap((expression) => {
      const text = findSlowText(expression)
      return text === undefined ? [] : [`${expression.file}: /${expression.source}/${expression.flags} on ${text}`]
    })
  assert.deepEqual(slow, [])
})

test('each exclusion is still needed', () => {
  const needed = Object.keys(excluded).filter((file) =>
    expressions.some((expression) => expression.file === file && findSlowText(expression) !== undefined),
  )
  assert.deepEqual(needed, Object.keys(excluded))
})
