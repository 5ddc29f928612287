import { cancelMeeting } from './cancel-meeting.ts'
import { changeMeeting } from './change-meeting.ts'
import { findTime } from './find-time.ts'
import { getMeeting } from './get-meeting.ts'
import { joinLink } from './join-link.ts'
import { listMeetings } from './list-meetings.ts'
import { proposeMeeting } from './propose-meeting.ts'
import { respondToInvitation } from './respond-to-invitation.ts'
import { scheduleMeeting } from './schedule-meeting.ts'
import { type McpService, serveMcp } from './serve-mcp.ts'
import { whoAmI } from './who-am-i.ts'

/** In the order in which clients list them: reading before writing. */
const tools = [
  whoAmI,
  findTime,
  listMeetings,
  getMeeting,
  joinLink,
  proposeMeeting,
  scheduleMeeting,
  changeMeeting,
  cancelMeeting,
  respondToInvitation,
]

/** Register the MCP endpoint, for assistants. */
export function registerMcpRoutes(service: McpService): void {
  serveMcp(service, tools)
}
