import { CloseButton, Title } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import classes from './PanelFrame.module.css'

type PanelFrameProps = { title: string; onClose(): void; children: ReactNode; footer?: ReactNode }

/**
 * Beside the people on a desktop, over them on a phone; the controls of the room stay in sight. The focus goes to the field
 * of the panel, or to its first control, and back to where it was. A click on its text keeps the focus inside, so that
 * what is typed after it is no shortcut.
 */
export function PanelFrame({ title, onClose, children, footer }: PanelFrameProps) {
  const { t } = useTranslation()
  const headingId = useId()
  const panel = useRef<HTMLElement>(null)
  useReturnFocus()
  useEffect(() => {
    const first =
      panel.current?.querySelector<HTMLElement>('[data-autofocus]') ?? panel.current?.querySelector('button')
    first?.focus({ preventScroll: true })
  }, [])
  return (
    <aside
      ref={panel}
      className={classes.panel}
      tabIndex={-1}
      data-own-keys
      aria-labelledby={headingId}
      onKeyDown={(event) => {
        // A menu or a dialog that is open inside takes the key for itself.
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      <div className={classes.head}>
        <Title order={2} size="h4" id={headingId}>
          {title}
        </Title>
        <CloseButton size="lg" aria-label={t('close')} onClick={onClose} />
      </div>
      <div className={classes.body}>{children}</div>
      {footer !== undefined && <div className={classes.footer}>{footer}</div>}
    </aside>
  )
}
