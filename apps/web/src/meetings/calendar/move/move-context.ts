import { type ComponentPropsWithoutRef, createContext } from 'react'
import type { CalendarDate } from './calendar-date.ts'

type MoveActions = {
  /** What the element of a date needs to be moved, or to show that it is; nothing where it cannot be moved. */
  propsOf(date: CalendarDate): ComponentPropsWithoutRef<'a'> & { 'data-movable'?: true; 'data-moving'?: true }
}

export const MoveContext = createContext<MoveActions | undefined>(undefined)
