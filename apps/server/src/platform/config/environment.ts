import { readFileSync } from 'node:fs'

export type Environment = Record<string, string | undefined>

/** How much of an invalid value is shown. */
const shownLength = 80

/**
 * Reader of variables, which collects all problems, so that they are reported together. An empty value counts as
 * absent.
 */
export class EnvironmentReader {
  readonly problems: string[] = []
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim()
    return value === '' ? undefined : value
  }

  /** Read `name`, or the file that `name_FILE` names, which is how container platforms provide secrets. */
  secret(name: string): string | undefined {
    const value = this.text(name)
    const file = this.text(`${name}_FILE`)
    if (file === undefined) return value
    if (value !== undefined) return this.refuse(`${name} and ${name}_FILE are both given: give one of them.`)
    try {
      const content = readFileSync(file, 'utf8').trim()
      return content === '' ? this.refuse(`${name}_FILE names an empty file, ${shown(file)}.`) : content
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
      return this.refuse(`${name}_FILE names a file that cannot be read, ${shown(file)} (${reason}).`)
    }
  }

  oneOf<const Choice extends string>(name: string, choices: readonly Choice[], byDefault: NoInfer<Choice>): Choice {
    const value = this.text(name)
    if (value === undefined) return byDefault
    const choice = choices.find((allowed) => allowed === value)
    if (choice === undefined) this.refuse(`${name} is ${shown(value)}; it must be one of: ${choices.join(', ')}.`)
    return choice ?? byDefault
  }

  /** Read the variable with `parse`, or return `byDefault`. `parse` returns undefined for invalid values. */
  parsed<T>(name: string, byDefault: T, allowed: string, parse: (value: string) => T | undefined): T {
    const value = this.text(name)
    if (value === undefined) return byDefault
    const read = parse(value)
    if (read === undefined) this.refuse(`${name} is ${shown(value)}; it must be ${allowed}.`)
    return read ?? byDefault
  }

  refuse(problem: string): undefined {
    this.problems.push(problem)
  }
}

/** Quote a value for a sentence: shortened, and without the user and password of a URL. */
function shown(value: string): string {
  const withoutUser = value.replace(/\/\/.*@/s, '//…@')
  return JSON.stringify(withoutUser.length > shownLength ? `${withoutUser.slice(0, shownLength)}…` : withoutUser)
}
