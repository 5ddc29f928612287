import type { ReactNode } from 'react'
import classes from './Notices.module.css'

type NoticeProps = {
  /** `warning`: a failure; `request`: an answer is expected. */
  tone?: 'plain' | 'warning' | 'request'
  children: ReactNode
  /** The buttons of the answer. */
  actions?: ReactNode
}

/** One line between the room's header and the stage, in the flow of the page, so that it covers nothing. */
export function Notice({ tone = 'plain', children, actions }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone}>
      <span className={classes.text}>{children}</span>
      {actions !== undefined && <span className={classes.actions}>{actions}</span>}
    </div>
  )
}
