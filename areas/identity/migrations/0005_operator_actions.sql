-- expand
-- What an operator has done by command, who acts in nobody's name.
create table operator_actions (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  action text not null,
  -- A handle, an identifier, the id of a job or key.
  target text not null,
  reason text not null
);
