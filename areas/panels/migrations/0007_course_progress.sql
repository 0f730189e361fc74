-- expand
-- What each person has done of the courses of a workspace. Bounded when it is written, and gone with the workspace.
create table course_progress (
  owner text not null,
  repo text not null,
  person_id uuid not null,
  folder text not null,
  -- Lessons and steps by their names: merging two changes of one person is then one operator.
  done jsonb not null,
  changed_at timestamptz not null,
  primary key (owner, repo, person_id, folder),
  foreign key (owner, repo) references workspaces on delete cascade
);
