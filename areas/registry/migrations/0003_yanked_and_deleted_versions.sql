alter table package_versions
  -- What its archive says about the package, neutral dialect, without `versions`: the package's page follows one of its
  -- versions, and that may change. Null in rows of nodes of the version before, until the sweep has read the archive.
  add column package_metadata jsonb,
  add column package_icon_sha256 text,
  -- Kept for those who have pinned it, chosen by nobody else.
  add column yanked_at timestamptz,
  add column yank_reason text,
  -- By somebody who may not publish the package: from then on it cannot be deleted.
  add column first_downloaded_at timestamptz;

-- Nobody knows who has what was published before.
update package_versions set first_downloaded_at = published_at;

update package_versions v set package_metadata = p.metadata, package_icon_sha256 = p.icon_sha256
from packages p
where p.identifier = v.identifier
  and v.sort_key = (select max(o.sort_key) from package_versions o where o.identifier = v.identifier);

create index package_versions_without_facts on package_versions (identifier) where package_metadata is null;

-- A version that was deleted is never published again with other content: somebody may have its hash.
create table deleted_versions (
  identifier text not null references packages (identifier),
  version text not null,
  sort_key numeric[] not null,
  archive_sha256 text not null,
  deleted_at timestamptz not null,
  primary key (identifier, version)
);

-- As before, without yanked versions.
create or replace function package_fits(package text) returns int4multirange stable parallel safe return (
  select coalesce(
    case when pg_column_size(range_agg(exact)) <= 1600 then range_agg(exact)
      else range_agg(int4range(facet, facet + 1000001)) + '{[20000020,20000020]}' end,
    '{}')
  from packages join package_versions using (identifier),
    unnest('{any}'::text[] || status) as a_status,
    unnest('{any}'::text[] || case platforms when '{}' then '{windows,macos,linux}' else platforms end) as a_platform,
    unnest('{any}'::text[] || case
      when type <> 'plugin' then '{swig,ipc}'
      else array[coalesce(package_versions.metadata ->> 'runtime', 'swig')] end) as a_runtime,
    lateral (select case a_runtime when 'any' then effective_tool_min(type, package_versions.metadata, tool_min)
      else tool_min end) as oldest (tool),
    lateral (select 1000001 * (
      case a_runtime when 'any' then 0 when 'swig' then 21 else 41 end
      + 4 * (array_position('{any,stable,testing,development,deprecated}', a_status) - 1)
      + array_position('{any,windows,macos,linux}', a_platform) - 1)) as facets (facet),
    lateral (select
      (least(tool[1], 99) * 100 + least(tool[2], 99)) * 100 + least(tool[3], 99),
      (least(tool_max[1], 99) * 100 + least(tool_max[2], 99)) * 100 + least(tool_max[3], 99)) as tools (first, last),
    lateral (select case when first <= last then int4range(facet + first, facet + last, '[]')
      else int4range(facet + 1000000, facet + 1000000, '[]') end) as ranges (exact)
  where identifier = package and yanked_at is null
);

create or replace function package_version_for(
  package text, a_status text, a_platform text, a_runtime text, tool integer[]
) returns text stable parallel safe cost 10 return (
  select version
  from packages join package_versions using (identifier)
  where identifier = package
    and yanked_at is null
    and (a_status is null or status = a_status)
    and (a_platform is null or platforms = '{}' or a_platform = any (platforms))
    and (a_runtime is null or type <> 'plugin' or coalesce(package_versions.metadata ->> 'runtime', 'swig') = a_runtime)
    and (tool is null or tool_max >= tool
      and tool >= case when a_runtime is null then effective_tool_min(type, package_versions.metadata, tool_min)
        else tool_min end)
  order by status = 'stable' desc, status <> 'deprecated' desc, sort_key desc
  limit 1
);
