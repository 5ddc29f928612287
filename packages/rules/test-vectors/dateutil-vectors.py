"""Writes dateutil.json: rules, and what python-dateutil makes of them. Run again only to change the cases.

    python3 -m venv venv && venv/bin/pip install python-dateutil==4.0.0 && venv/bin/python dateutil-vectors.py

dateutil repeats on the naive wall clock, so its answers are turned into instants here, and no case meets a time that
the clock leaves out or shows twice; Ical4jVectors.java has those.
"""
import itertools, json, pathlib, random
from datetime import datetime
import dateutil
from dateutil import rrule, tz

STARTS_EACH = 6
random.seed(5545)

daily = [f"FREQ=DAILY;INTERVAL={n}" for n in (1, 2, 7, 31, 99)]
weekly = [f"FREQ=WEEKLY;INTERVAL={n};WKST=SU;BYDAY={days}"
          for n in (1, 2, 3, 52)
          for days in ("MO", "SU", "SU,SA", "MO,WE,FR", "TU,TH", "SU,MO,TU,WE,TH,FR,SA")]
monthly = [f"FREQ=MONTHLY;INTERVAL={n};{on}"
           for n in (1, 2, 3, 5, 12)
           for on in ("BYMONTHDAY=1", "BYMONTHDAY=28", "BYMONTHDAY=29", "BYMONTHDAY=30", "BYMONTHDAY=31", "BYMONTHDAY=-1",
                      "BYDAY=1MO", "BYDAY=-1FR", "BYDAY=4TH,-1TH", "BYDAY=1SU,1SA", "BYDAY=1SU,-1SU",
                      "BYDAY=2TU,2TH,3TU,3TH", "BYDAY=1WE,2WE,3WE,4WE,-1WE")]
# A Thursday, a leap year's last days, a Saturday, a Sunday; around 1970, 2000 and 2100, which is not a leap year.
starts = ["2026-01-01T09:00:00", "2024-02-29T12:30:00", "2026-01-31T23:59:59", "2026-11-01T00:00:00",
          "1969-12-28T10:15:00", "1999-12-31T23:30:15", "2099-11-30T06:00:00", "1900-01-31T18:00:00"]
zones = ["America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Kolkata", "America/Sao_Paulo"]
zoned_starts = ["2015-01-31T09:00:00", "2016-02-29T16:45:00", "2017-10-01T12:00:00"]

def utc(moment):
    return moment.astimezone(tz.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

def answer(rule, start, zone):
    found = itertools.islice(rrule.rrulestr(rule, dtstart=datetime.fromisoformat(start)), STARTS_EACH)
    moments = [moment.replace(tzinfo=tz.gettz(zone)) for moment in found]
    if any(tz.datetime_ambiguous(moment) or not tz.datetime_exists(moment) for moment in moments):
        raise SystemExit(f"{rule} from {start} in {zone} meets a change of the clock")
    return [utc(moment) for moment in moments]

cases = [[rule, start, "Etc/UTC"] for rule in daily + weekly + monthly for start in random.sample(starts, 2)]
cases += [[random.choice(rules), start, zone] for zone in zones for start in zoned_starts for rules in (daily, weekly, monthly, monthly)]

rows = ",\n".join("    " + json.dumps(" ".join([*case, *answer(*case)])) for case in cases)
(pathlib.Path(__file__).parent / "dateutil.json").write_text(f"""{{
  "provenance": "python-dateutil {dateutil.__version__}, by dateutil-vectors.py",
  "columns": "rule, start on the wall clock, zone, the first {STARTS_EACH} starts",
  "rows": [
{rows}
  ]
}}
""")
