export const stopPath = '/reminders/:meetingId/:token'
export const resumePath = `${stopPath}/resume`

/** GET asks for confirmation; POST, by the button or a mail program, stops the reminders. */
export const stopLink = (baseUrl: string, meetingId: string, token: string) =>
  `${baseUrl}/reminders/${meetingId}/${token}`
