"""A calendar program by Debian's icalendar and recurring-ical-events, as RFC 5546 describes the one of an attendee.

Each line of JSON is one guest: their calendars in the order in which they arrived, and a range. The answer is a line of
JSON with the dates of the range as `start/end` in UTC.
"""

import json
import sys
from datetime import datetime, timedelta, timezone

import icalendar
import recurring_ical_events


def written(moment):
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def read(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def receive(held, text):
    """What the calendar holds after one more message; it is about one meeting, so one UID."""
    calendar = icalendar.Calendar.from_ical(text)
    events = calendar.walk("VEVENT")
    masters = [event for event in events if "RECURRENCE-ID" not in event]
    first = (masters or events)[0]
    version = (int(first["SEQUENCE"]), first["DTSTAMP"].dt)
    # RFC 5546, 2.1.5: ignore messages that are older than the held version.
    if held is not None and version < held["version"]:
        return held
    if calendar["METHOD"] == "REQUEST" and masters:
        return {"version": version, "calendar": calendar}
    if calendar["METHOD"] == "REQUEST":
        if held is None:
            return None
        for event in events:
            replace_instance(held["calendar"], event)
        return {"version": version, "calendar": held["calendar"]}
    if held is None or masters:
        return None
    for event in events:
        cancel_instance(held["calendar"], event)
    return {"version": version, "calendar": held["calendar"]}


def replace_instance(calendar, changed):
    name = changed["RECURRENCE-ID"].dt
    for event in calendar.walk("VEVENT"):
        if "RECURRENCE-ID" in event and event["RECURRENCE-ID"].dt == name:
            calendar.subcomponents.remove(event)
    calendar.add_component(changed)


def cancel_instance(calendar, cancelled):
    name = cancelled["RECURRENCE-ID"].dt
    for event in calendar.walk("VEVENT"):
        if "RECURRENCE-ID" not in event:
            event.add("EXDATE", name)
        elif event["RECURRENCE-ID"].dt == name:
            calendar.subcomponents.remove(event)


def dates(held, start, until):
    if held is None:
        return []
    found = recurring_ical_events.of(held["calendar"]).between(start - timedelta(days=2), until + timedelta(days=2))
    spans = [(event["DTSTART"].dt, event["DTEND"].dt) for event in found]
    return sorted(f"{written(begin)}/{written(end)}" for begin, end in spans if end > start and begin <= until)


for line in sys.stdin:
    asked = json.loads(line)
    held = None
    for text in asked["calendars"]:
        held = receive(held, text)
    print(json.dumps({"dates": dates(held, read(asked["from"]), read(asked["until"]))}), flush=True)
