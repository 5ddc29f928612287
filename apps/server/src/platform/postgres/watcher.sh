# Runs a PostgreSQL program for Parley and watches over it: sh -c "$(cat this)" postgres-watcher PROGRAM ARGUMENT...
#
# Standard input is a pipe that only Parley holds. A line on it is the name of a signal to send to the program. When it
# ends, Parley has died, however that came about: the program then stops at once (SIGQUIT: no data is lost, the
# next start replays the log). Parley starts this in a session of its own, and signals meant for Parley's terminal or
# group are ignored, because PostgreSQL has to outlive Parley until its last request is answered.
trap '' HUP INT TERM

exec 3<&0
"$@" </dev/null 3<&- &
program=$!
{
  while read -r signal <&3; do kill -s "$signal" "$program"; done
  kill -s QUIT "$program"
} 2>/dev/null &
reader=$!

wait "$program"
status=$?
kill -s KILL "$reader"
exit "$status"
