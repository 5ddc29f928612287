import classes from './Portrait.module.css'

export const portraitCount = 12

type PortraitProps = PersonPortraitProps & { number: number; lastName: string }

const firstOf = (text: string) => [...text.trim()][0]?.toLocaleUpperCase() ?? ''

type PersonPortraitProps = {
  name: string
  /** Path of the photo on the service; empty without one. */
  photo?: string | undefined
}

/**
 * Initials on one of the backgrounds, and the photo above them: the initials show where the owner has removed the photo
 * since the page was read. Decorative, because the name is next to it.
 */
export function Portrait({ number, name, lastName, photo }: PortraitProps) {
  return (
    <span className={classes.portrait} data-ground={number % portraitCount} aria-hidden>
      {firstOf(name)}
      {firstOf(lastName)}
      {photo && <img className={classes.photo} src={photo} alt="" />}
    </span>
  )
}

/** The avatar of a person with a single name field: initials of its first and last word. */
export function PersonPortrait({ name, photo }: PersonPortraitProps) {
  const [first = '', ...others] = name.trim().split(/\s+/)
  return <Portrait number={avatarBackground(name)} name={first} lastName={others.at(-1) ?? ''} photo={photo} />
}

/** The background of an avatar, derived from the name, so that it stays the same. */
const avatarBackground = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
