-- expand
-- What the worker says it is doing, while the job runs.
alter table board_jobs add column progress jsonb;
-- How long the last jobs like it took, when it was claimed.
alter table board_jobs add column typical_ms integer;
create index if not exists board_jobs_done on board_jobs (operation, finished_at desc) where state = 'done';
