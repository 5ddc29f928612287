"""Reads calendars, each a line of JSON, with Debian's icalendar and libical; answers each with a line of JSON.

What is read is said as it was found: dates as `start/end` in UTC, by three readers who know the zone by the VTIMEZONE
alone, and what libical's tables of RFC 5546 say of the message.
"""

import json
import sys
from datetime import datetime, timedelta, timezone

import gi
import icalendar
import recurring_ical_events

gi.require_version("ICalGLib", "3.0")
from gi.repository import ICalGLib  # noqa: E402

UTC = ICalGLib.Timezone.get_utc_timezone()
VEVENT = ICalGLib.ComponentKind.VEVENT_COMPONENT


def written(moment):
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def read(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def by_icalendar(calendar, start, until):
    """icalendar, and recurring-ical-events to expand what it reads."""
    events = recurring_ical_events.of(calendar).between(start - timedelta(days=2), until + timedelta(days=2))
    dates = [(event["DTSTART"].dt, event["DTEND"].dt) for event in events]
    return sorted(f"{written(begin)}/{written(end)}" for begin, end in dates if start <= begin <= until)


def events_of(component):
    event = component.get_first_component(VEVENT)
    while event is not None:
        yield event
        event = component.get_next_component(VEVENT)


def properties_of(event, kind):
    found = event.get_first_property(kind)
    while found is not None:
        yield found
        found = event.get_next_property(kind)


def in_utc(component, local, tzid):
    """A local time in a zone of the calendar itself; libical's own zones are never asked."""
    if local.is_utc():
        moment = local
    else:
        zone = component.get_timezone(tzid)
        moment = local.clone()
        moment.set_timezone(zone)
        moment = moment.convert_to_zone(UTC)
    return datetime.fromtimestamp(moment.as_timet(), timezone.utc)


def tzid_of(prop):
    parameter = prop.get_first_parameter(ICalGLib.ParameterKind.TZID_PARAMETER)
    return None if parameter is None else parameter.get_tzid()


def times_of(component, event):
    start = event.get_first_property(ICalGLib.PropertyKind.DTSTART_PROPERTY)
    begin = in_utc(component, start.get_dtstart(), tzid_of(start))
    end = event.get_first_property(ICalGLib.PropertyKind.DTEND_PROPERTY)
    if end is not None:
        return begin, in_utc(component, end.get_dtend(), tzid_of(end)) - begin
    lasting = event.get_first_property(ICalGLib.PropertyKind.DURATION_PROPERTY).get_duration()
    return begin, timedelta(seconds=lasting.as_int())


def by_libical(component, start, until):
    """libical's iterator over local times, its zones, and EXDATE and RECURRENCE-ID as RFC 5545 says, by local time."""
    moved, masters = {}, []
    for event in events_of(component):
        name = event.get_first_property(ICalGLib.PropertyKind.RECURRENCEID_PROPERTY)
        if name is None:
            masters.append(event)
        else:
            moved[name.get_recurrenceid().as_ical_string()] = event
    dates = []
    for event in masters:
        first = event.get_first_property(ICalGLib.PropertyKind.DTSTART_PROPERTY)
        begin, lasting = times_of(component, event)
        rule = event.get_first_property(ICalGLib.PropertyKind.RRULE_PROPERTY)
        if rule is None:
            dates.append((begin, begin + lasting))
            continue
        recurrence, tzid = rule.get_rrule(), tzid_of(first)
        last = recurrence.get_until()
        ends = None if last.is_null_time() else in_utc(component, last, None)
        # The iterator compares without zones; the end is compared with instants below.
        recurrence.set_until(ICalGLib.Time.new_null_time())
        skipped = {each.get_exdate().as_ical_string() for each in properties_of(event, ICalGLib.PropertyKind.EXDATE_PROPERTY)}
        local = first.get_dtstart()
        plain = ICalGLib.Time.new_from_string(local.as_ical_string())
        iterator = ICalGLib.RecurIterator.new(recurrence, plain)
        while True:
            found = iterator.next()
            if found is None or found.is_null_time():
                break
            name = found.as_ical_string()
            begin = in_utc(component, found, tzid)
            if begin > until + timedelta(days=2) or (ends is not None and begin > ends + timedelta(days=2)):
                break
            if name in skipped:
                continue
            if name in moved:
                begin, length = times_of(component, moved[name])
                dates.append((begin, begin + length))
            elif ends is None or begin <= ends:
                dates.append((begin, begin + lasting))
    return sorted(f"{written(begin)}/{written(end)}" for begin, end in dates if start <= begin <= until)


def texts_of(calendar):
    event = calendar.walk("VEVENT")[0]
    attendees = event.get("ATTENDEE", [])
    return {
        "method": calendar.get("METHOD"),
        "uid": event.get("UID"),
        "sequence": event.get("SEQUENCE"),
        "summary": event.get("SUMMARY"),
        "description": event.get("DESCRIPTION", ""),
        "location": event.get("LOCATION"),
        "status": event.get("STATUS"),
        "organizer": str(event.get("ORGANIZER")),
        "organizerName": event.get("ORGANIZER").params.get("CN"),
        "attendees": [str(each) for each in (attendees if isinstance(attendees, list) else [attendees])],
    }


for line in sys.stdin:
    asked = json.loads(line)
    calendar = icalendar.Calendar.from_ical(asked["text"])
    component = ICalGLib.Component.new_from_string(asked["text"])
    start, until = read(asked["from"]), read(asked["until"])
    answer = {
        "texts": texts_of(calendar),
        "icalendar": by_icalendar(calendar, start, until),
        "libical": by_libical(component, start, until),
        "isAllowed": bool(ICalGLib.restriction_check(component)),
        "errors": component.count_errors(),
    }
    print(json.dumps(answer), flush=True)
