-- The changed occurrences that matter to a range, by when the earlier and the later of their two times are: without
-- them, a list reads every change of each series from the table.
create index changed_occurrence_by_time on changed_occurrence
  (meeting_id, (greatest(original_start, ends_at)), (least(original_start, starts_at)));
