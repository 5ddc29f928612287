-- The texts that count towards the quota of a host now include locations: add those that are stored.
insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled, text_bytes)
select host_id, 0, 0, 0, sum(octet_length(location)) from meeting where location <> '' group by host_id
on conflict (host_id, shard) do update set text_bytes = hosted.text_bytes + excluded.text_bytes;
