import { Portrait } from '../../ui/Portrait.tsx'
import { groundOf } from './ground-of.ts'

/** The avatar of a person with a single name field: initials of its first and last word. */
export function PersonPortrait({ name }: { name: string }) {
  const [first = '', ...others] = name.trim().split(/\s+/)
  return <Portrait number={groundOf(name)} name={first} lastName={others.at(-1) ?? ''} />
}
