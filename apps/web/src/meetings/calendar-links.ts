/** One date of a meeting, as calendars of others take it from an address. */
export type CalendarEntry = { topic: string; startTime: string; endTime: string; details: string; location: string }

/** `20300107T090000Z` */
const compact = (time: string) => time.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')

/** Google Calendar's page for a new entry, filled in. */
export function googleLink({ topic, startTime, endTime, details, location }: CalendarEntry): string {
  const dates = `${compact(startTime)}/${compact(endTime)}`
  return `https://calendar.google.com/calendar/render?${new URLSearchParams({ action: 'TEMPLATE', text: topic, dates, details, location })}`
}

/** The same of Outlook on the web. */
export function outlookLink({ topic, startTime, endTime, details, location }: CalendarEntry): string {
  const query = { rru: 'addevent', subject: topic, startdt: startTime, enddt: endTime, body: details, location }
  // Outlook shows a plus as a plus.
  return `https://outlook.live.com/calendar/0/action/compose?${String(new URLSearchParams(query)).replaceAll('+', '%20')}`
}

/** The link without its fragment: the PIN is not for the logs of others. */
export const withoutPin = (meetingUrl: string): string => meetingUrl.replace(/#.*$/, '')
