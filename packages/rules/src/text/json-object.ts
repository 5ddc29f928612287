type ParsedJsonObject =
  | { kind: 'read'; object: Readonly<Record<string, unknown>> }
  /** `cause` completes a sentence that begins with the name of the text. */
  | { kind: 'refused'; cause: string }

/**
 * Read a text as a JSON object whose names are unique (RFC 8259, 4): of a repeated name, one program reads the first
 * value and another one the last. Names within inner objects are not compared.
 */
export function readJsonObject(text: string): ParsedJsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'refused', cause: 'is not valid JSON' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'refused', cause: 'is not a JSON object' }
  }
  const names = namesIn(text)
  const repeated = names.find((name, index) => names.indexOf(name) < index)
  if (repeated !== undefined) {
    return { kind: 'refused', cause: `has the name ${JSON.stringify(repeated)} more than once` }
  }
  return { kind: 'read', object: Object.fromEntries(Object.entries(value)) }
}

/** The names of the outer object of a valid JSON text, as often as they are written. */
function namesIn(json: string): string[] {
  const names: string[] = []
  let depth = 0
  let isName = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '"') {
      const end = endOfString(json, at)
      if (depth === 1 && isName) names.push(String(JSON.parse(json.slice(at, end))))
      isName = false
      at = end - 1
    } else if (character === '{' || character === '[') {
      depth++
      isName = depth === 1
    } else if (character === '}' || character === ']') depth--
    else if (character === ',' && depth === 1) isName = true
  }
  return names
}

/** The index after the closing quote of the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}
