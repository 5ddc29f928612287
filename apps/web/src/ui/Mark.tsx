import type { ReactNode } from 'react'
import classes from './Mark.module.css'

export type Tone = 'neutral' | 'good' | 'caution' | 'danger'

/** A status in a word or two; the colour only repeats the words (WCAG 2.2, 1.4.1). */
export function Mark({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.mark} data-tone={tone}>
      {children}
    </span>
  )
}
