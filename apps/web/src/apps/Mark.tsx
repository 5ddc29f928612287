import { Badge } from '@mantine/core'
import classes from './Mark.module.css'

export type Tone = 'good' | 'waiting' | 'bad' | 'plain'

const colors: Record<Tone, string> = { good: 'accent', waiting: 'gray', bad: 'red', plain: 'gray' }

/** A word that tells where something stands; the colour repeats it, and says nothing by itself. */
export function Mark({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Badge color={colors[tone]} variant="outline" className={classes.mark} data-tone={tone}>
      {children}
    </Badge>
  )
}
