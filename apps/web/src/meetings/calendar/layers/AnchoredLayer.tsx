import { CloseButton, Drawer, Group, Popover, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, type Ref, useId, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBackCloses } from '../../../ui/hooks/use-back-closes.ts'
import { useReturnFocus } from '../../../ui/hooks/use-return-focus.ts'
import { narrowScreen } from '../calendar-range.ts'
import classes from './AnchoredLayer.module.css'

type AnchoredLayerProps = {
  /** What the layer is about: an element of the calendar. */
  target: HTMLElement
  title: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
  onClose(): void
}

/** The width of the layer, and the width from which on a target has no room beside it. */
const layerRem = 23
const wideTargetPixels = 480
/** Distance to the edges of the window. */
const marginPixels = 12

/** A layer beside an element of the calendar; on a phone, a sheet at the lower edge. Mount it only while it is open. */
export function AnchoredLayer({ target, title, actions, children, onClose }: AnchoredLayerProps) {
  const { t } = useTranslation('app')
  const titleId = useId()
  const isNarrow = useMediaQuery(narrowScreen, undefined, { getInitialValueInEffect: false })
  const [rect] = useState(() => target.getBoundingClientRect())
  useReturnFocus()
  useBackCloses(onClose, isNarrow)
  const head = (heading: ReactNode) => (
    <Group gap="xs" wrap="nowrap" align="flex-start" className={classes.head}>
      {heading}
      <Group gap={2} wrap="nowrap" ms="auto">
        {actions}
        <CloseButton size="lg" aria-label={t('close')} onClick={onClose} />
      </Group>
    </Group>
  )
  if (isNarrow) {
    return (
      <Drawer.Root opened onClose={onClose} position="bottom" size="auto" classNames={{ content: classes.sheet ?? '' }}>
        <Drawer.Overlay />
        <Drawer.Content radius="lg">
          <Drawer.Body p="md">
            {head(<Drawer.Title className={classes.title}>{title}</Drawer.Title>)}
            {children}
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    )
  }
  return (
    <Popover
      opened
      withRoles={false}
      trapFocus
      shadow="md"
      width={`${layerRem}rem`}
      position={rect.width > wideTargetPixels ? 'bottom' : 'right-start'}
      // Where neither side has room, as on a tablet, the layer covers its target.
      middlewares={{ flip: { padding: marginPixels }, shift: { padding: marginPixels, crossAxis: true } }}
      // What leaves the visible part of the grid is still what the layer is about.
      hideDetached={false}
      onChange={(opened) => opened || onClose()}
    >
      <Popover.Target>
        <Anchor target={target} rect={rect} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-labelledby={titleId} p="md" className={classes.layer}>
        {head(
          <Title order={2} id={titleId} className={classes.title}>
            {title}
          </Title>,
        )}
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

type AnchorProps = { target: HTMLElement; rect: DOMRect; ref?: Ref<HTMLElement> }

/**
 * The element that the layer is placed at: its target. An entry of the list of a day's further dates is gone with its
 * list, so that the layer is placed where the entry was.
 */
function Anchor({ target, rect, ref }: AnchorProps) {
  const isInLayer = target.closest('[role="dialog"]') !== null
  useLayoutEffect(() => {
    if (isInLayer || typeof ref !== 'function') return
    ref(target)
    return () => void ref(null)
  }, [ref, target, isInLayer])
  const { top, left, width, height } = rect
  return isInLayer ? (
    <div ref={ref as Ref<HTMLDivElement>} className={classes.ghost} style={{ top, left, width, height }} />
  ) : null
}
