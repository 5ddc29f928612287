import { Button, CloseButton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWantedFrame } from './frame.ts'
import classes from './Toasts.module.css'
import { hideToast, type ShownToast, useToasts } from './toast.ts'

/** Long enough to read it and to reach its button (WCAG 2.2, 2.2.1: it says nothing that the page does not). */
const visibleForMs = 8_000

type ToastsProps = {
  /** In the flow of a page that has the whole window: there they would cover something wherever they floated. */
  inPage?: boolean
}

/** The region is there from the start, since screen readers tell only what changes in one that they know. */
export function Toasts({ inPage = false }: ToastsProps) {
  const toasts = useToasts()
  const frame = useWantedFrame()
  if (!inPage && frame === 'window') return null
  return (
    <div className={inPage ? classes.inPage : classes.region} role="status" aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastCard({ toast: { id, message, kind = 'done', undo, action } }: { toast: ShownToast }) {
  const { t } = useTranslation()
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held || kind === 'problem') return
    const timer = setTimeout(() => hideToast(id), visibleForMs)
    return () => clearTimeout(timer)
  }, [id, held, kind])

  const choice = action ?? (undo && { label: t('undo'), run: undo })
  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done here; time stands still while it is read
    <div
      className={classes.toast}
      data-kind={kind}
      {...hold}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
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
