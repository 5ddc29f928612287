import type { SpanStart } from '../trace.ts'

/** Statements have up to six thousand characters, and a name is enough to find one in the code. */
const maxTextLength = 1_000

/**
 * Describe statements for their spans, each once. Texts contain placeholders, not values.
 * https://opentelemetry.io/docs/specs/semconv/database/postgresql/
 */
export function createStatementSpans(maxStatements: number): (text: string) => SpanStart {
  const known = new Map<string, SpanStart>()
  return (text) => {
    const kept = known.get(text)
    if (kept !== undefined) return kept
    const described = describeStatement(text)
    if (known.size < maxStatements) known.set(text, described)
    return described
  }
}

/** Name a statement after the comment of `defineStatement`, or after its first verb and table. */
export function describeStatement(text: string): SpanStart {
  const [, name, verb = ''] = /^(?:\/\* ([\w-]+) \*\/)?\s*([a-z]*)/i.exec(text) ?? []
  const operation = verb.toUpperCase()
  const table = /\b(?:from|into|update)\s+"?([a-z_]+)"?/i.exec(text)?.[1]
  const summary = name ?? (table === undefined ? operation : `${operation} ${table}`)
  return {
    name: summary,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': summary,
      'db.query.text': text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text,
    },
  }
}
