const minuteMs = 60_000

/** How long before its planned end the people in a call are told. */
const noticeBeforeMs = 5 * minuteMs

/** A call that is joined earlier, such as days before its date, does not show the time of its end. */
const shownBeforeMs = 24 * 60 * minuteMs

/** `soon`: within five minutes; `over`: the planned end has passed. */
type EndPhase = 'none' | 'far' | 'later' | 'soon' | 'over'

/** How near the planned end of a call is; `none` where there is no end. */
export function endPhase(endsAt: string | null, now: Date): EndPhase {
  if (endsAt === null) return 'none'
  const leftMs = new Date(endsAt).getTime() - now.getTime()
  if (leftMs <= 0) return 'over'
  if (leftMs <= noticeBeforeMs) return 'soon'
  return leftMs <= shownBeforeMs ? 'later' : 'far'
}
