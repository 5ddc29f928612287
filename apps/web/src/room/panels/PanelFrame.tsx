import { CloseButton, Title } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import classes from './PanelFrame.module.css'

type PanelFrameProps = { title: string; onClose(): void; children: ReactNode; footer?: ReactNode }

/** Beside the people on a desk, over them on a phone. The focus comes in, and goes back to where it was. */
export function PanelFrame({ title, onClose, children, footer }: PanelFrameProps) {
  const { t } = useTranslation()
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useReturnFocus()
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <aside
      className={classes.panel}
      aria-labelledby={headingId}
      onKeyDown={(event) => {
        // A menu or a dialog that is open inside takes the key for itself.
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      <div className={classes.head}>
        <Title order={2} size="h4" id={headingId} ref={heading} tabIndex={-1} className={classes.title}>
          {title}
        </Title>
        <CloseButton size="lg" aria-label={t('close')} onClick={onClose} />
      </div>
      <div className={classes.body}>{children}</div>
      {footer !== undefined && <div className={classes.footer}>{footer}</div>}
    </aside>
  )
}
