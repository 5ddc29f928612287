import { Button, CloseButton } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRequestedFrame } from './frame.ts'
import { readClockMs } from './hooks/use-now.ts'
import classes from './Toasts.module.css'
import { hideToast, type ShownToast, useToasts } from './toast.ts'

/**
 * Long enough to read the toast and to reach its button. A toast repeats what the page shows, so that WCAG 2.2, 2.2.1
 * does not apply.
 */
const visibleForMs = 8_000

type ToastsProps = {
  /** Where the page puts them, for full-window pages, where a floating toast would cover controls. */
  inPage?: boolean
}

/** Rendered from the start, because screen readers announce only changes of a known live region. */
export function Toasts({ inPage = false }: ToastsProps) {
  const toasts = useToasts()
  const frame = useRequestedFrame()
  if (!inPage && frame === 'window') return null
  return (
    <div className={inPage ? classes.inPage : classes.region} role="status" aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastCard({ toast: { id, message, kind = 'done', undo, until, action } }: { toast: ShownToast }) {
  const { t } = useTranslation()
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if ((held && until === undefined) || kind === 'problem') return
    const timer = setTimeout(() => hideToast(id), until === undefined ? visibleForMs : until - readClockMs())
    return () => clearTimeout(timer)
  }, [id, held, kind, until])

  const choice = action ?? (undo && { label: t('undo'), run: undo })
  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) }
  const Icon = kind === 'problem' ? IconAlertCircle : IconCircleCheck
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only pause the timer while the toast is read
    <div
      className={classes.toast}
      data-kind={kind}
      {...hold}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon className={classes.icon} size={20} aria-hidden />
      <span>{message}</span>
      {choice !== undefined && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            choice.run()
            hideToast(id)
          }}
        >
          {choice.label}
        </Button>
      )}
      <CloseButton aria-label={t('close')} onClick={() => hideToast(id)} />
    </div>
  )
}
