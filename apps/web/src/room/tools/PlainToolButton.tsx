import type { ComponentPropsWithRef, ReactNode } from 'react'
import classes from './ToolButton.module.css'

export type ToolButtonProps = Omit<ComponentPropsWithRef<'button'>, 'children'> & {
  /**
   * The accessible name. When it stays the same in both states, `aria-pressed` or `aria-expanded` tells the state;
   * otherwise the name does.
   */
  label: string
  icon: ReactNode
  tone?: 'plain' | 'off' | 'on' | 'danger'
  /** Something new, as a word or a number; it belongs into the label, too. */
  badge?: string
  /** Shown below the icon in wide windows. */
  captioned?: boolean
  /** The visible part of the label (WCAG 2.2, 2.5.3); by default all of it. */
  caption?: string
}

/** A round icon button, large enough for a thumb (WCAG 2.2, 2.5.8), without a tooltip of its own. */
export function PlainToolButton(props: ToolButtonProps) {
  const { label, icon, tone = 'plain', badge, captioned = false, caption = label, ...rest } = props
  return (
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
  )
}
