import { CloseButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './Notices.module.css'

type NoticeProps = {
  /** `warning`: a failure; `request`: an answer is expected. */
  tone?: 'plain' | 'warning' | 'request'
  children: ReactNode
  /** The buttons of the answer. */
  actions?: ReactNode
  /** Absent where the notice must stay as long as it applies. */
  onClose?(): void
}

/** One card of the stack over the stage. */
export function Notice({ tone = 'plain', children, actions, onClose }: NoticeProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.notice} data-tone={tone}>
      <span className={classes.text}>{children}</span>
      {(actions !== undefined || onClose !== undefined) && (
        <span className={classes.actions}>
          {actions}
          {onClose !== undefined && <CloseButton aria-label={t('close')} onClick={onClose} />}
        </span>
      )}
    </div>
  )
}
