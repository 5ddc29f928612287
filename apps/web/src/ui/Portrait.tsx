import classes from './Portrait.module.css'

const portraitCount = 12

/** The numbers of the avatars that can be chosen. */
export const portraits: readonly number[] = Array.from({ length: portraitCount }, (_, number) => number)

type PortraitProps = { number: number; name: string; lastName: string }

const firstOf = (text: string) => [...text.trim()][0]?.toLocaleUpperCase() ?? ''

/** Initials on one of the backgrounds. Decorative, because the name is next to it. */
export function Portrait({ number, name, lastName }: PortraitProps) {
  return (
    <span className={classes.portrait} data-ground={number % portraitCount} aria-hidden>
      {firstOf(name)}
      {firstOf(lastName)}
    </span>
  )
}
