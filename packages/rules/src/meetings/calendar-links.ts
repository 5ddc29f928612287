/** One date of a meeting, for the links that add it to other calendars. */
export type CalendarEntry = { topic: string; startTime: string; endTime: string; details: string; location: string }

/** `20300107T090000Z` */
const compact = (time: string) => time.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')

/** Link to Google Calendar's form for a new event, filled in. */
export function googleLink({ topic, startTime, endTime, details, location }: CalendarEntry): string {
  const dates = `${compact(startTime)}/${compact(endTime)}`
  return `https://calendar.google.com/calendar/render?${new URLSearchParams({ action: 'TEMPLATE', text: topic, dates, details, location })}`
}

/** The same for Outlook on the web. */
export function outlookLink({ topic, startTime, endTime, details, location }: CalendarEntry): string {
  const query = { rru: 'addevent', subject: topic, startdt: startTime, enddt: endTime, body: details, location }
  // Outlook shows `+` literally.
  return `https://outlook.live.com/calendar/0/action/compose?${String(new URLSearchParams(query)).replaceAll('+', '%20')}`
}

/** The link without its fragment: the PIN must not reach other services' logs. */
export const withoutPin = (meetingUrl: string): string => meetingUrl.split('#', 1).join('')
