import { Portrait } from '../../ui/Portrait.tsx'
import { groundOf } from './ground-of.ts'

/** The initials of somebody who is known by one name: of its first word, and of its last where there are several. */
export function PersonPortrait({ name }: { name: string }) {
  const [first = '', ...others] = name.trim().split(/\s+/)
  return <Portrait number={groundOf(name)} name={first} lastName={others.at(-1) ?? ''} />
}
