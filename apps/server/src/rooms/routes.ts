import { serveAddMeeting } from './admission/add-meeting.ts'
import { serveAdmitAll } from './admission/admit-all.ts'
import { serveDecideAdmission } from './admission/decide-admission.ts'
import { serveEnterRoom } from './admission/enter-room.ts'
import { serveWatchAdmission } from './admission/watch-admission.ts'
import { serveExportAttendance } from './attendance/export-attendance.ts'
import { serveListAttendance } from './attendance/list-attendance.ts'
import { serveAskNewGuests } from './host-controls/ask-new-guests.ts'
import { serveControlParticipant } from './host-controls/control-participant.ts'
import { serveEndRoom } from './host-controls/end-room.ts'
import { serveLockRoom } from './host-controls/lock-room.ts'
import { serveMuteAll } from './host-controls/mute-all.ts'
import { serveStopAskingNewGuests } from './host-controls/stop-asking-new-guests.ts'
import { serveUnlockRoom } from './host-controls/unlock-room.ts'
import { serveWatchRoom } from './host-controls/watch-room.ts'
import type { RoomsService } from './rooms-service.ts'

/** Register every endpoint of rooms: admission, host controls, attendance. */
export function registerRoomRoutes(rooms: RoomsService): void {
  serveEnterRoom(rooms)
  serveWatchAdmission(rooms)
  serveWatchRoom(rooms)
  serveDecideAdmission(rooms)
  serveAdmitAll(rooms)
  serveControlParticipant(rooms)
  serveLockRoom(rooms)
  serveUnlockRoom(rooms)
  serveAskNewGuests(rooms)
  serveStopAskingNewGuests(rooms)
  serveMuteAll(rooms)
  serveEndRoom(rooms)
  serveAddMeeting(rooms)
  serveListAttendance(rooms)
  serveExportAttendance(rooms)
}
