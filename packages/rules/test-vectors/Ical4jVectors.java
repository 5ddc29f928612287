import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.fortuna.ical4j.model.Recur;

/**
 * Prints ical4j.json: rules over days on which the clock is put forward or back, and what ical4j makes of them. Run
 * again only to change the cases, with ical4j and its dependencies in lib/ (mvn dependency:copy-dependencies):
 *
 *     java -cp 'lib/*' Ical4jVectors.java > ical4j.json
 *
 * ical4j says on which days the rule falls, java.time when that is. Asked for instants itself, ical4j takes the second
 * showing of a time in some monthly rules, where RFC 5545 section 3.3.5 has the first, and gives two occurrences with one
 * start where Samoa left out a day.
 */
class Ical4jVectors {
  static final int STARTS_EACH = 6;

  public static void main(String[] arguments) {
    String[][] changes = {
      // zone, the day, a time that is left out or shown twice
      {"America/New_York", "2026-03-08", "02:30"}, {"America/New_York", "2026-11-01", "01:30"},
      {"Europe/London", "2026-03-29", "01:00"}, {"Europe/London", "2026-10-25", "01:59"},
      {"Australia/Lord_Howe", "2025-10-05", "02:15"}, {"Australia/Lord_Howe", "2026-04-05", "01:45"},
      {"America/Sao_Paulo", "2018-11-04", "00:00"}, {"America/Sao_Paulo", "2018-02-17", "23:30"},
      {"Asia/Beirut", "2006-03-26", "00:30"}, {"Asia/Beirut", "2006-10-28", "23:15"},
      {"Africa/Casablanca", "2021-04-11", "02:10"}, {"Africa/Casablanca", "2021-05-16", "02:10"},
      {"Europe/Dublin", "1968-02-18", "02:30"}, {"Asia/Kathmandu", "1986-01-01", "00:05"},
    };
    List<String> rows = new ArrayList<>();
    for (String[] change : changes) {
      LocalDateTime moment = LocalDateTime.parse(change[1] + "T" + change[2]);
      String weekday = moment.getDayOfWeek().name().substring(0, 2);
      int week = (moment.getDayOfMonth() + 6) / 7;
      String ordinal = moment.plusWeeks(1).getMonth() == moment.getMonth() ? String.valueOf(week) : "-1";
      rows.add(row("FREQ=DAILY;INTERVAL=1", moment.minusDays(2), change[0]));
      rows.add(row("FREQ=DAILY;INTERVAL=3", moment.minusDays(9), change[0]));
      rows.add(row("FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=" + weekday, moment.minusWeeks(4), change[0]));
      rows.add(row("FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=" + moment.getDayOfMonth(), moment.minusDays(90), change[0]));
      rows.add(row("FREQ=MONTHLY;INTERVAL=1;BYDAY=" + ordinal + weekday, moment.minusDays(90), change[0]));
    }
    System.out.printf("""
        {
          "provenance": "ical4j 4.0.8 on Java %s, by Ical4jVectors.java",
          "columns": "rule, start on the wall clock, zone, the first %d starts",
          "rows": [
        %s
          ]
        }
        """, Runtime.version().feature(), STARTS_EACH, String.join(",\n", rows));
  }

  static String row(String rule, LocalDateTime start, String zone) {
    String starts = new Recur<LocalDateTime>(rule).getDates(start, start, start.plusYears(9), STARTS_EACH).stream()
        .map(found -> found.atZone(ZoneId.of(zone)).toInstant().toString())
        .collect(Collectors.joining(" "));
    return "    \"%s %s:00 %s %s\"".formatted(rule, start, zone, starts);
  }
}
