# Run and supervise a PostgreSQL program for Parley: sh -c "$(cat this)" postgres-watcher PROGRAM ARGUMENT...
#
# Standard input is a pipe that only Parley holds. Each line is the name of a signal to send to the program. When the
# pipe closes, Parley has died: the program then stops at once (SIGQUIT: no data is lost, the next start replays the
# log). Parley starts this in its own session, and signals to Parley's terminal or group are ignored, because PostgreSQL
# must outlive Parley until its last request is answered.
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
