-- expand
-- Who waits for a job that has not ended, by handle. Null: nobody knows, since a node of the version before has noted it, or there
-- are too many; such a job is not withdrawn.
alter table board_asks add column askers text[];
