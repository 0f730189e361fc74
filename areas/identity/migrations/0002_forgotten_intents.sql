-- Those of which an address is still known although nobody can use them any more.
create index intents_to_forget on intents (expires_at) where session_id is null and requested_network <> '';
