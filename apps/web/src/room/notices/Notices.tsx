import type { Participant } from '@parley/client/join'
import { Toasts } from '../../ui/Toasts.tsx'
import type { WaitingPerson } from '../panels/waiting-person.ts'
import type { RoomTools } from '../tools/use-room-tools.ts'
import { Banners } from './Banners.tsx'
import { CohostNotice } from './CohostNotice.tsx'
import { HandsNotice } from './HandsNotice.tsx'
import { MaySpeak } from './MaySpeak.tsx'
import classes from './Notice.module.css'
import { UnmuteRequest } from './UnmuteRequest.tsx'
import { WaitingNotice } from './WaitingNotice.tsx'

type NoticesProps = {
  tools: RoomTools
  /** Both are empty while the people panel is open. */
  waiting: readonly WaitingPerson[]
  hands: readonly Participant[]
  onSeePeople(): void
}

/** All notices of the room, one per line. None takes the focus, so that typing is not interrupted. */
export function Notices({ tools, waiting, hands, onSeePeople }: NoticesProps) {
  return (
    <div className={classes.notices}>
      <Banners />
      <CohostNotice />
      <MaySpeak tools={tools} />
      <UnmuteRequest tools={tools} />
      <WaitingNotice waiting={waiting} onSee={onSeePeople} />
      <HandsNotice hands={hands} onSee={onSeePeople} />
      <Toasts inPage />
    </div>
  )
}
