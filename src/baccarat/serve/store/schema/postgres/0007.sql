-- A flood of denials is one line with a count. The lines of single ones have none of these.
alter table access_log add column times bigint;
alter table access_log add column first_at bigint;    -- when it happened first
alter table access_log add column last_at bigint;
