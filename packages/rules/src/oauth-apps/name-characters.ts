/** `message` completes a sentence that begins with the field's name. */
export type NameCharacterViolation = { code: 'hidden' | 'misleading' | 'mixed_scripts'; message: string }

/**
 * Invisible or meaningless characters: format controls including those of the writing direction, default ignorable code
 * points, private use, unassigned code points, halves of surrogate pairs, and the blank symbols that Unicode does not
 * list among these: the empty Braille pattern and the musical null notehead.
 */
const hiddenCharacters = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cn}\p{Cs}\u2800\u{1d159}]/u

/** Joiners are part of the spelling in these scripts only (UAX 31, 2.3). */
const joinedScripts = [
  'Arabic',
  'Syriac',
  'Mongolian',
  'Nko',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
]
const joinersInAWord = new RegExp(
  joinedScripts
    .map((script) => {
      const letter = `[[\\p{L}\\p{M}]&&\\p{Script_Extensions=${script}}]`
      return `(?<=${letter})[\\u200c\\u200d](?=${letter})`
    })
    .join('|'),
  'gv',
)

/** Emoji of several code points: a skin tone, a person with a tool, a symbol in emoji presentation. */
const emojiSequences = /\p{RGI_Emoji}|\p{Emoji}\ufe0f/gv

const hidden: NameCharacterViolation = {
  code: 'hidden',
  message: 'must not hold characters that are not seen, or that turn the direction of writing',
}

/**
 * Check the name of a person. Mixed scripts and emoji are allowed; invisible characters, and characters that make a
 * text read as another one, are not.
 */
export const findPersonNameViolation = (name: string): NameCharacterViolation | undefined =>
  hiddenCharacters.test(name.replace(joinersInAWord, '').replace(emojiSequences, '')) ? hidden : undefined

/**
 * Check a name by which people decide whether to trust an app. Invisible characters, several scripts in a word (UTS 39,
 * 5.2, highly restrictive), letters of scripts that are not in use today, and stacked marks that reach into
 * neighbouring lines are refused.
 */
export function findTrustedNameViolation(name: string): NameCharacterViolation | undefined {
  if (hiddenCharacters.test(name.replace(joinersInAWord, ''))) return hidden
  if (piledMarks.test(name.normalize('NFD'))) {
    return { code: 'misleading', message: 'must not pile up more than four marks on a letter' }
  }
  for (const word of name.split(noPartOfAWord)) {
    const scripts = scriptsOf(word)
    if (scripts === 'unknown') {
      return { code: 'misleading', message: 'must be written in scripts that are in everyday use' }
    }
    if (scripts.length === 0) {
      return {
        code: 'mixed_scripts',
        message: 'must not mix scripts within a word, such as Latin and Cyrillic letters',
      }
    }
  }
  return undefined
}

/** UTS 39, 5.4: no writing system puts more nonspacing marks on one letter. */
const piledMarks = /\p{Mn}{5}/u

const noPartOfAWord = /[^\p{L}\p{M}\p{N}\u200c\u200d]+/u

/** UAX 31, tables 5 and 7: the scripts in use today, everywhere or in some communities. */
const scriptPatterns = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Bopomofo',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Hangul',
  'Han',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
  'Adlam',
  'Balinese',
  'Bamum',
  'Batak',
  'Canadian_Aboriginal',
  'Chakma',
  'Cham',
  'Cherokee',
  'Javanese',
  'Kayah_Li',
  'Lepcha',
  'Limbu',
  'Lisu',
  'Mandaic',
  'Meetei_Mayek',
  'Miao',
  'Mongolian',
  'New_Tai_Lue',
  'Newa',
  'Nko',
  'Ol_Chiki',
  'Osage',
  'Saurashtra',
  'Sundanese',
  'Syloti_Nagri',
  'Syriac',
  'Tai_Le',
  'Tai_Tham',
  'Tai_Viet',
  'Tifinagh',
  'Vai',
  'Yi',
].map((name) => ({ name, letter: new RegExp(`\\p{Script_Extensions=${name}}`, 'u') }))

/** Characters of every script: digits, and marks that take the script of their base. */
const ofEveryScript = /\p{Script_Extensions=Common}|\p{Script_Extensions=Inherited}/u

/** Writing systems that combine several scripts (UTS 39, 5.1), by script. */
const writingSystems: Record<string, readonly string[]> = {
  Han: ['Japanese', 'Korean', 'Han with Bopomofo'],
  Hiragana: ['Japanese'],
  Katakana: ['Japanese'],
  Hangul: ['Korean'],
  Bopomofo: ['Han with Bopomofo'],
  // Highly restrictive: Latin may be combined with any of these.
  Latin: ['Japanese', 'Korean', 'Han with Bopomofo'],
}

/**
 * The scripts and writing systems in which the whole word can be written; none when it mixes them, all for digits
 * alone. `unknown`: a letter belongs to no script in use.
 */
function scriptsOf(word: string): readonly string[] | 'unknown' {
  let common: readonly string[] = ['any']
  for (const letter of word.normalize('NFC')) {
    if (ofEveryScript.test(letter)) continue
    const own = scriptPatterns.filter((script) => script.letter.test(letter)).map(({ name }) => name)
    if (own.length === 0) return 'unknown'
    const all = own.flatMap((name) => [name, ...(writingSystems[name] ?? [])])
    common = common.includes('any') ? all : common.filter((name) => all.includes(name))
    if (common.length === 0) return []
  }
  return common
}
