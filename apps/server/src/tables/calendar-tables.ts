/** The tables of 0035-calendar-feeds.sql. */
export type CalendarTables = {
  calendarFeed: CalendarFeedTable
}

type CalendarFeedTable = { accountId: string; secretHash: Buffer; createdAt: Date }
