-- US spelling throughout, before the first release fixes the names.
alter table organisations drop constraint organisations_handle_handle_kind_fkey;
alter table organisations drop column handle_kind;
alter table handles drop constraint handles_kind_check;

update handles set kind = 'organization' where kind = 'organisation';

alter table handles add constraint handles_kind_check check (kind in ('person', 'organization'));
alter table organisations rename to organizations;
alter table organizations rename constraint organisations_pkey to organizations_pkey;
alter table organizations rename constraint organisations_handle_key to organizations_handle_key;
alter table organizations add column handle_kind text not null generated always as ('organization') stored;
alter table organizations
  add constraint organizations_handle_handle_kind_fkey foreign key (handle, handle_kind) references handles (handle, kind);
alter table members rename column organisation_id to organization_id;
alter table members rename constraint members_organisation_id_fkey to members_organization_id_fkey;
