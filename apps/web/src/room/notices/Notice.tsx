import type { ReactNode } from 'react'
import classes from './Notice.module.css'

type NoticeProps = {
  /** `warning`: something does not work; `request`: an answer is expected. */
  tone?: 'plain' | 'warning' | 'request'
  children: ReactNode
  /** Buttons with which to answer. */
  actions?: ReactNode
}

/** One line between the head of the room and the stage: it has a place of its own, and covers nothing. */
export function Notice({ tone = 'plain', children, actions }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone}>
      <span className={classes.text}>{children}</span>
      {actions !== undefined && <span className={classes.actions}>{actions}</span>}
    </div>
  )
}
