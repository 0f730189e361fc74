-- Without these, a sweep would read every action and everybody who acted to find those that are old enough to go.
create index panel_actions_by_time on panel_actions (at);
create index workspace_actors_by_last_action on workspace_actors (last_action_at) where not is_ended;
create index workspace_actors_ended on workspace_actors (credential_id) where is_ended;
