import { useMediaQuery } from '@mantine/hooks'

/** From these window heights on, a day of the month view (CalendarGrid.module.css) has room for one date more. */
const roomForThree = '(min-height: 65rem)'
const roomForFour = '(min-height: 75rem)'

const atOnce = { getInitialValueInEffect: false }

/** How many dates a day of the month view shows before "more". */
export function useDatesOnADay(): number {
  const three = useMediaQuery(roomForThree, undefined, atOnce)
  const four = useMediaQuery(roomForFour, undefined, atOnce)
  if (four) return 4
  return three ? 3 : 2
}
