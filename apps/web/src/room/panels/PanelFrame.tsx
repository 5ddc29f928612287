import { CloseButton, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useBackCloses } from '../../ui/hooks/use-back-closes.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import colors from '../stage-colors.module.css'
import classes from './PanelFrame.module.css'

/** Where a panel is over the stage; PanelFrame.module.css has the same. */
const smallScreen = '(max-width: 47.99em)'

/** Whether an open menu or dialog handles the key: React passes on events of what is rendered elsewhere. */
const isOfLayer = ({ defaultPrevented, target, currentTarget }: KeyboardEvent<HTMLElement>): boolean =>
  defaultPrevented ||
  !(target instanceof Element) ||
  !currentTarget.contains(target) ||
  target.closest('[aria-expanded="true"]') !== null

type PanelFrameProps = { title: string; onClose(): void; children: ReactNode; footer?: ReactNode }

/**
 * A panel beside the stage on desktops and over it on phones; the toolbar stays visible. On opening, the panel's field
 * or first control gets the focus; on closing, the focus returns. A click on the panel's text keeps the focus inside,
 * so that typed keys are not shortcuts.
 */
export function PanelFrame({ title, onClose, children, footer }: PanelFrameProps) {
  const { t } = useTranslation()
  const headingId = useId()
  const panel = useRef<HTMLElement>(null)
  useReturnFocus()
  const coversStage = useMediaQuery(smallScreen, undefined, { getInitialValueInEffect: false })
  // Otherwise Back asks whether to leave the meeting.
  useBackCloses(onClose, coversStage)
  useEffect(() => {
    const first =
      panel.current?.querySelector<HTMLElement>('[data-autofocus]') ?? panel.current?.querySelector('button')
    first?.focus({ preventScroll: true })
  }, [])
  return (
    <aside
      ref={panel}
      className={`${classes.panel} ${colors.panel}`}
      tabIndex={-1}
      data-own-keys
      aria-labelledby={headingId}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !isOfLayer(event)) onClose()
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
