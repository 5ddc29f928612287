import { UsageError } from './terminal.ts'

/** What can be called: its words, what follows them, and its options. */
export type Command = {
  /** One word, or a noun and a verb. */
  name: string
  argument?: string
  summary: string
  options: Readonly<Record<string, 'string' | 'boolean' | 'list'>>
}

export const shells = ['bash', 'zsh', 'fish'] as const

/** Write the completions of a shell: words, and the options of each command. */
export function completionFor(shell: string, commands: readonly Command[]): string {
  switch (shell) {
    case 'bash':
      return forBash(commands)
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${forBash(commands)}`
    case 'fish':
      return forFish(commands)
    default:
      throw new UsageError(`The shell must be one of ${shells.join(', ')}`)
  }
}

const firstWords = (commands: readonly Command[]) => [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
const secondWords = (commands: readonly Command[], first: string) =>
  commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []))
const optionsOf = ({ options }: Command) => [...Object.keys(options), 'json', 'url', 'help']

function forBash(commands: readonly Command[]): string {
  const whole = commands.map((command) => {
    const pattern = command.name.includes(' ') ? `"${command.name}"*` : `"${command.name} "*`
    return `    ${pattern}) words="${optionsOf(command)
      .map((option) => `--${option}`)
      .join(' ')}" ;;`
  })
  const nouns = firstWords(commands).filter((word) => secondWords(commands, word).length > 0)
  return [
    '_parley() {',
    '  local words=""',
    `  if [ "$COMP_CWORD" = 1 ]; then words="${firstWords(commands).join(' ')}"`,
    ...nouns.map(
      (noun) =>
        `  elif [ "$COMP_CWORD" = 2 ] && [ "\${COMP_WORDS[1]}" = ${noun} ]; then words="${secondWords(commands, noun).join(' ')}"`,
    ),
    `  else case "\${COMP_WORDS[1]} \${COMP_WORDS[2]} " in`,
    ...whole,
    '  esac; fi',
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    '}',
    'complete -F _parley parley',
  ].join('\n')
}

function forFish(commands: readonly Command[]): string {
  const lines = firstWords(commands).map((word) => `complete -c parley -f -n __fish_use_subcommand -a ${word}`)
  for (const command of commands) {
    const [noun, verb] = command.name.split(' ')
    const seen = verb === undefined ? `__fish_seen_subcommand_from ${noun}` : `__fish_seen_subcommand_from ${verb}`
    if (verb !== undefined) lines.push(`complete -c parley -f -n '__fish_seen_subcommand_from ${noun}' -a ${verb}`)
    for (const option of optionsOf(command)) lines.push(`complete -c parley -n '${seen}' -l ${option}`)
  }
  return lines.join('\n')
}
