-- A ticket is good for one session, from one network, and reaches one host inside the installation's network at most.
-- Tickets without these are over within the hour; web views ask for new ones.
delete from proxy_tickets;
alter table proxy_tickets
  add column session_id uuid not null,
  add column network text not null,
  add column opened_host text;
