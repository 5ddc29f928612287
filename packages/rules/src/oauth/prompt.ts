/** What an app may ask to be shown (OpenID Connect Core, 3.1.2.1): nothing at all, or these pages whatever was done before. */
export type Prompt = 'none' | 'login' | 'consent' | 'select_account'

const prompts: readonly string[] = ['none', 'login', 'consent', 'select_account'] satisfies Prompt[]
const isPrompt = (word: string): word is Prompt => prompts.includes(word)

/** Undefined when a word is unknown, or `none` stands beside another one. */
export function readPrompts(text: string): readonly Prompt[] | undefined {
  const words = [...new Set(text.split(' ').filter((word) => word !== ''))]
  if (!words.every(isPrompt)) return undefined
  return words.includes('none') && words.length > 1 ? undefined : words
}
