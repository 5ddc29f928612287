import { useState } from 'react'
import classes from './Portrait.module.css'

const portraitCount = 12

/** The numbers of the avatars that can be chosen. */
export const portraits: readonly number[] = Array.from({ length: portraitCount }, (_, number) => number)

type PortraitProps = PersonPortraitProps & { number: number; lastName: string }

const firstOf = (text: string) => [...text.trim()][0]?.toLocaleUpperCase() ?? ''

type PersonPortraitProps = {
  name: string
  /** Path of the photo on the service; empty without one. */
  photo?: string | undefined
}

/** A photo, or initials on one of the backgrounds. Decorative, because the name is next to it. */
export function Portrait({ number, name, lastName, photo = '' }: PortraitProps) {
  // A photo that its owner has removed since the page was read.
  const [missing, setMissing] = useState('')
  return (
    <span className={classes.portrait} data-ground={number % portraitCount} aria-hidden>
      {photo !== '' && photo !== missing ? (
        <img className={classes.photo} src={photo} alt="" onError={() => setMissing(photo)} />
      ) : (
        firstOf(name) + firstOf(lastName)
      )}
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
