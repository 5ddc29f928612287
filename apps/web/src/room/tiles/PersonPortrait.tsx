import { Portrait } from '../../ui/Portrait.tsx'

/** The avatar of a person with a single name field: initials of its first and last word. */
export function PersonPortrait({ name }: { name: string }) {
  const [first = '', ...others] = name.trim().split(/\s+/)
  return <Portrait number={avatarBackground(name)} name={first} lastName={others.at(-1) ?? ''} />
}

/** The background of an avatar, derived from the name, so that it stays the same. */
const avatarBackground = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
