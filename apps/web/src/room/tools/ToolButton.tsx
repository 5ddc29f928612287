import { Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import classes from './ToolButton.module.css'

type ToolButtonProps = Omit<ComponentPropsWithRef<'button'>, 'children'> & {
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

/** From this width on captions are shown, which a tooltip would only repeat; ToolButton.module.css has the same. */
const roomForCaptions = '(min-width: 64em)'

const isTrue = (value: unknown) => value === true || value === 'true'

/** A round icon button, large enough for a thumb (WCAG 2.2, 2.5.8). */
export function ToolButton(props: ToolButtonProps) {
  const { label, icon, tone = 'plain', badge, captioned = false, caption = label, ...rest } = props
  const hasRoom = useMediaQuery(roomForCaptions, undefined, { getInitialValueInEffect: false })
  const isNamed = captioned && hasRoom && caption === label
  return (
    <Tooltip
      label={label}
      disabled={isNamed || isTrue(rest['aria-expanded'])}
      openDelay={300}
      events={{ hover: true, focus: true, touch: false }}
    >
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
