import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** A text on which an expression may backtrack for a long time: a repeated part between a prefix and a suffix. */
export type HostileText = { begin: string; again: string; end: string }

const characters = [
  ...'aAzqeE019_-+.,;:=/\\?&#%@!$*\'"`~|^<>()[]{} \t\n\r\0',
  '\u00a0',
  'é',
  '\u0301',
  '\u2028',
  '\u202e',
  'ß',
  'я',
  '中',
  '\ud83d\ude00',
  '\ud83d',
  '\ude00',
]
/** Suffixes that may make a match fail after all repetitions; which one does depends on the expression. */
const ends = ['', '!', 'x', ' ', '\n', '\0', ';']

/** Repetitions with a lower maximum cannot take long. */
const fewRepetitions = 16

type CharacterNode =
  | AST.Character
  | AST.CharacterSet
  | AST.CharacterClass
  | AST.ExpressionCharacterClass
  | AST.ClassStringDisjunction

/**
 * Generate texts for one expression. For each of its repetitions: the required prefix, the repeated part, and a suffix
 * that makes the rest fail, so that the engine backtracks. For each position where an attempt may start: every
 * character and every pair that occur in the expression.
 */
export function hostileTextsFor(source: string, flags: string): HostileText[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
  const matching = createMatching(flags)
  const found = new Map<string, HostileText>()
  const add = (begin: string, again: string) => {
    if (again === '') return
    for (const end of ends) found.set(JSON.stringify([begin, again, end]), { begin, again, end })
  }

  const named = new Set<string>()
  visit(pattern, (node) => {
    if (isCharacter(node)) for (const character of matching(node).slice(0, 2)) named.add(character)
    if (node.type !== 'Quantifier' || node.max - node.min < fewRepetitions) return
    const begins = new Set([true, false].map((sparing) => before(node, sparing)))
    for (const begin of begins) {
      for (const again of samplesOf(node.element)) add(begin, again)
    }
  })
  for (const alternative of pattern.alternatives) add('', sampleOf(alternative, false))
  for (const character of [...characters, ...named]) add('', character)
  for (const one of named) for (const other of named) add('', one + other)
  return [...found.values()]

  /** Several texts that a node matches: some characters of a class, each alternative of a group. */
  function samplesOf(node: AST.Element): string[] {
    if (isCharacter(node)) return matching(node).slice(0, 4)
    if (node.type === 'Group' || node.type === 'CapturingGroup') {
      return node.alternatives.flatMap((one) => [sampleOf(one, true), sampleOf(one, false)])
    }
    return [sampleOf(node, false)]
  }

  /** One text that a node matches; `sparing` omits optional parts. */
  function sampleOf(node: AST.Element | AST.Alternative, sparing: boolean): string {
    if (isCharacter(node)) return matching(node)[0] ?? ''
    switch (node.type) {
      case 'Alternative':
        return node.elements.map((element) => sampleOf(element, sparing)).join('')
      case 'Group':
      case 'CapturingGroup':
        return sampleOf(node.alternatives[0] as AST.Alternative, sparing)
      case 'Quantifier':
        return sampleOf(node.element, sparing).repeat(Math.max(node.min, sparing || node.max === 0 ? 0 : 1))
      default:
        return ''
    }
  }

  /** A text that leads the match to a node. */
  function before(node: AST.Node, sparing: boolean): string {
    const { parent } = node
    if (parent === null) return ''
    if (parent.type !== 'Alternative') return before(parent, sparing)
    const elements = parent.elements.slice(0, parent.elements.indexOf(node as AST.Element))
    return before(parent, sparing) + elements.map((element) => sampleOf(element, sparing)).join('')
  }
}

const isCharacter = (node: AST.Node): node is CharacterNode =>
  ['Character', 'CharacterSet', 'CharacterClass', 'ExpressionCharacterClass', 'ClassStringDisjunction'].includes(
    node.type,
  )

/** The characters that a node matches, found by running the expression. */
function createMatching(flags: string) {
  const own = flags.replaceAll(/[gyd]/g, '')
  return (node: CharacterNode): string[] => {
    if (node.type === 'Character') return [String.fromCodePoint(node.value)]
    const expression = new RegExp(`^${node.raw}$`, own)
    return characters.filter((character) => expression.test(character))
  }
}

function visit(node: AST.Node, look: (node: AST.Node) => void) {
  look(node)
  if (isCharacter(node)) return
  for (const inner of 'alternatives' in node ? node.alternatives : 'elements' in node ? node.elements : []) {
    visit(inner as AST.Node, look)
  }
  if ('element' in node) visit(node.element, look)
}
