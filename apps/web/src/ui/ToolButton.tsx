import { Tooltip } from '@mantine/core'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import classes from './ToolButton.module.css'

type ToolButtonProps = Omit<ComponentPropsWithRef<'button'>, 'children'> & {
  /**
   * What it does, told to everybody. Where the words stay the same, `aria-pressed` or `aria-expanded` tells the state; where
   * they change with it, they tell it themselves.
   */
  label: string
  icon: ReactNode
  tone?: 'plain' | 'off' | 'on' | 'danger'
  /** Something new behind it, in a word or a number; it belongs into the label, too. */
  badge?: string
  /** Written below the picture on a wide window. */
  captioned?: boolean
  /** The part of the label that is written (WCAG 2.2, 2.5.3); all of it when absent. */
  caption?: string
}

/** A round button with a picture, large enough for a thumb (WCAG 2.2, 2.5.8). */
export function ToolButton(props: ToolButtonProps) {
  const { label, icon, tone = 'plain', badge, captioned = false, caption = label, ...rest } = props
  return (
    <Tooltip label={label} openDelay={300} events={{ hover: true, focus: true, touch: false }}>
      <button
        type="button"
        {...rest}
        className={classes.tool}
        data-tone={tone}
        data-captioned={captioned}
        aria-label={label}
      >
        <span className={classes.face}>
          {icon}
          {badge !== undefined && <span className={classes.badge} data-badge={badge} />}
        </span>
        {captioned && (
          <span className={classes.caption} aria-hidden>
            {caption}
          </span>
        )}
      </button>
    </Tooltip>
  )
}
