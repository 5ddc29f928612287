/**
 * Answers to invitations in the form in which calendar programs mail them, written from RFC 5546, RFC 6047 and what is
 * known of the programs: which parts there are, how they are encoded, and which properties come along.
 */
export type ReplyFields = {
  /** The address of ORGANIZER. */
  to: string
  from: string
  uid: string
  partstat: string
  sequence?: number
  /** A DTSTAMP, such as 20300101T120000Z. */
  stamp?: string
  attendee?: string
  /** The line of DTSTART, in place of the program's. */
  start?: string
  /** Further lines of the event. */
  lines?: readonly string[]
  method?: string
}

const crlf = (lines: readonly string[]) => lines.map((line) => `${line}\r\n`).join('')

/** Fold as RFC 5545, 3.1 asks. */
const fold = (line: string) => line.replaceAll(/(.{74})(?=.)/g, '$1\r\n ')

const base64 = (text: string) =>
  (
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n')

function calendar(
  fields: ReplyFields,
  {
    product,
    start,
    parameters,
    extra = [],
    zone = [],
  }: { product: string; start: string; parameters: string; extra?: string[]; zone?: string[] },
): string {
  const { to, from, uid, partstat } = fields
  const { sequence = 0, stamp = '20300101T120000Z', attendee = from, lines = [], method = 'REPLY' } = fields
  return crlf(
    [
      'BEGIN:VCALENDAR',
      `PRODID:${product}`,
      'VERSION:2.0',
      'CALSCALE:GREGORIAN',
      `METHOD:${method}`,
      ...zone,
      'BEGIN:VEVENT',
      fields.start ?? start,
      `DTSTAMP:${stamp}`,
      `ORGANIZER;CN=Alice Test:mailto:${to}`,
      `UID:${uid}`,
      `ATTENDEE;PARTSTAT=${partstat};${parameters}:mailto:${attendee}`,
      `SEQUENCE:${sequence}`,
      ...lines,
      ...extra,
      'END:VEVENT',
      'END:VCALENDAR',
    ].map(fold),
  )
}

/** Google Calendar: mixed with an alternative, and the same object attached in base64. */
export function googleReply(fields: ReplyFields): string {
  const object = calendar(fields, {
    product: '-//Google Inc//Google Calendar 70.9054//EN',
    start: 'DTSTART:20300107T090000Z',
    parameters: 'CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;CN=Bob;X-NUM-GUESTS=0',
    extra: ['CREATED:20300101T080000Z', 'STATUS:CONFIRMED', 'SUMMARY:Stand-up', 'TRANSP:OPAQUE'],
  })
  return crlf([
    'MIME-Version: 1.0',
    `Reply-To: Bob <${fields.from}>`,
    'Sender: Google Calendar <calendar-notification@google.com>',
    'Auto-Submitted: auto-generated',
    'Message-ID: <calendar-reply-1@google.com>',
    'Date: Tue, 01 Jan 2030 12:00:00 +0000',
    'Subject: Accepted: Stand-up @ Mon Jan 7, 2030',
    `From: Bob <${fields.from}>`,
    `To: ${fields.to}`,
    'Content-Type: multipart/mixed; boundary="0000000000a1"',
    '',
    '--0000000000a1',
    'Content-Type: multipart/alternative; boundary="0000000000a2"',
    '',
    '--0000000000a2',
    'Content-Type: text/plain; charset="UTF-8"; format=flowed; delsp=yes',
    'Content-Transfer-Encoding: base64',
    '',
    base64('Bob has accepted this invitation.\n'),
    '--0000000000a2',
    'Content-Type: text/html; charset="UTF-8"',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<p style=3D"color:#222">Bob has accepted this invitation.</p>',
    '--0000000000a2',
    'Content-Type: text/calendar; charset="UTF-8"; method=REPLY',
    'Content-Transfer-Encoding: 7bit',
    '',
    object,
    '--0000000000a2--',
    '--0000000000a1',
    'Content-Type: application/ics; name="invite.ics"',
    'Content-Disposition: attachment; filename="invite.ics"',
    'Content-Transfer-Encoding: base64',
    '',
    base64(object),
    '--0000000000a1--',
  ])
}

/** Outlook and Exchange: an alternative, base64, Windows' names of time zones, many properties of their own. */
export function outlookReply(fields: ReplyFields): string {
  const object = calendar(fields, {
    product: 'Microsoft Exchange Server 2010',
    start: 'DTSTART;TZID=W. Europe Standard Time:20300107T100000',
    parameters: 'CN="Bob"',
    extra: [
      'COMMENT;LANGUAGE=en-US:\\n',
      'SUMMARY;LANGUAGE=en-US:Accepted: Stand-up',
      'CLASS:PUBLIC',
      'PRIORITY:5',
      'TRANSP:OPAQUE',
      'STATUS:CONFIRMED',
      'X-MICROSOFT-CDO-APPT-SEQUENCE:0',
      'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
    ],
    zone: [
      'BEGIN:VTIMEZONE',
      'TZID:W. Europe Standard Time',
      'BEGIN:STANDARD',
      'DTSTART:16010101T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:16010101T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ],
  })
  return crlf([
    'Received: from mail.example.org (192.0.2.1) by mx.example.org with Microsoft SMTP Server; Tue, 1 Jan 2030 12:00:00 +0000',
    `From: Bob <${fields.from}>`,
    `To: Alice Test <${fields.to}>`,
    'Subject: Accepted: Stand-up',
    'Thread-Topic: Stand-up',
    'Date: Tue, 1 Jan 2030 12:00:00 +0000',
    'Message-ID: <reply-2@prod.outlook.example>',
    'Content-Language: en-US',
    'X-MS-Has-Attach:',
    'Content-Type: multipart/alternative; boundary="_000_reply_"',
    'MIME-Version: 1.0',
    '',
    '--_000_reply_',
    'Content-Type: text/plain; charset="us-ascii"',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '',
    '--_000_reply_',
    'Content-Type: text/html; charset="us-ascii"',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<html><body></body></html>',
    '--_000_reply_',
    'Content-Type: text/calendar; charset="utf-8"; method=REPLY',
    'Content-Transfer-Encoding: base64',
    '',
    base64(object),
    '--_000_reply_--',
  ])
}

/** Apple's Calendar: a text, and the object as an attachment in quoted-printable. */
export function appleReply(fields: ReplyFields): string {
  const object = calendar(fields, {
    product: '-//Apple Inc.//macOS 15.0//EN',
    start: 'DTSTART;TZID=Europe/Berlin:20300107T100000',
    parameters: 'CN="Bob";CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT',
    extra: [
      'DTEND;TZID=Europe/Berlin:20300107T103000',
      'CREATED:20300101T080000Z',
      'SUMMARY:Stand-up',
      'TRANSP:OPAQUE',
    ],
  })
  return crlf([
    `From: Bob <${fields.from}>`,
    'Content-Type: multipart/mixed; boundary="Apple-Mail=_1"',
    'Mime-Version: 1.0 (Mac OS X Mail 16.0)',
    'Subject: Invitation Accepted: Stand-up',
    'Message-Id: <REPLY-3@example.org>',
    'Date: Tue, 1 Jan 2030 13:00:00 +0100',
    `To: Alice Test <${fields.to}>`,
    'X-Mailer: Apple Mail (2.3826.400)',
    '',
    '--Apple-Mail=_1',
    'Content-Transfer-Encoding: 7bit',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'Bob accepted your invitation to Stand-up.',
    '--Apple-Mail=_1',
    'Content-Transfer-Encoding: quoted-printable',
    'Content-Type: text/calendar; method=REPLY; charset=UTF-8; name="iCal-20300101-130000.ics"',
    'Content-Disposition: attachment; filename="iCal-20300101-130000.ics"',
    '',
    object.replaceAll('=', '=3D'),
    '--Apple-Mail=_1--',
  ])
}
