import type { ReactNode } from 'react'
import classes from './Mark.module.css'

export type Tone = 'neutral' | 'good' | 'caution' | 'danger'

/** A standing in a word or two; the colour says nothing that the words do not (WCAG 2.2, 1.4.1). */
export function Mark({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.mark} data-tone={tone}>
      {children}
    </span>
  )
}
