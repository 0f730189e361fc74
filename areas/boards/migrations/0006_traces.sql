-- expand
-- Of the request that asked, if it is traced: the worker goes on with its trace.
alter table board_jobs add column traceparent text;
