import { Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { PlainToolButton, type ToolButtonProps } from './PlainToolButton.tsx'

/** From this width on captions are shown, which a tooltip would only repeat; ToolButton.module.css has the same. */
const roomForCaptions = '(min-width: 64em)'

const isTrue = (value: unknown) => value === true || value === 'true'

/** A round icon button with a tooltip, where nothing else shows what it does. */
export function ToolButton(props: ToolButtonProps) {
  const { label, captioned = false, caption = label } = props
  const hasRoom = useMediaQuery(roomForCaptions, undefined, { getInitialValueInEffect: false })
  const isNamed = captioned && hasRoom && caption === label
  return (
    <Tooltip
      label={label}
      disabled={isNamed || isTrue(props['aria-expanded'])}
      openDelay={300}
      events={{ hover: true, focus: true, touch: false }}
    >
      <PlainToolButton {...props} />
    </Tooltip>
  )
}
