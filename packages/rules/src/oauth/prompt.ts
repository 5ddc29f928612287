/**
 * The values of `prompt` (OpenID Connect Core, 3.1.2.1): no page at all, or these pages even if they were shown before.
 */
export type Prompt = 'none' | 'login' | 'consent' | 'select_account'

const prompts: readonly string[] = ['none', 'login', 'consent', 'select_account'] satisfies Prompt[]
const isPrompt = (word: string): word is Prompt => prompts.includes(word)

/** Read the values of `prompt`; undefined for an unknown value, or for `none` combined with another value. */
export function readPrompts(text: string): readonly Prompt[] | undefined {
  const words = [...new Set(text.split(' ').filter((word) => word !== ''))]
  if (!words.every(isPrompt)) return undefined
  return words.includes('none') && words.length > 1 ? undefined : words
}
