-- expand
-- What a ticket shows: pages of the web, or the files of its workspace; never both, because a page of the web can read its ticket.
alter table proxy_tickets add column shows text not null default 'web' check (shows in ('web', 'files'));
