/** What 0035-calendar-feeds.sql makes. */
export type CalendarTables = {
  calendarFeed: CalendarFeedTable
}

type CalendarFeedTable = { accountId: string; secretHash: Buffer; createdAt: Date }
