-- An epoch is any integer that the format allows, and it has no largest one.
alter table package_versions alter column sort_key type numeric[];

-- From which tool on a version runs: one for the runtime `ipc` needs a tool that has it, as `runtimesOf` in
-- `packages/package-format` says.
create function effective_tool_min(package_type text, metadata jsonb, tool_min integer[]) returns integer[]
  immutable parallel safe return case
    when package_type = 'plugin' and metadata ->> 'runtime' = 'ipc' then greatest(tool_min, '{8,99,0}'::integer[])
    else tool_min end;

-- As before, and for each runtime the same once more, above the mark: there the tools are as the version says, because who
-- names a runtime has it. Packages that are no plugins run with all of them.
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
  where identifier = package
);

-- `package_runs` stays for nodes of the version before.
-- The version that would be installed of those that fit what was asked; null: none does.
create function package_version_for(
  package text, a_status text, a_platform text, a_runtime text, tool integer[]
) returns text stable parallel safe cost 10 return (
  select version
  from packages join package_versions using (identifier)
  where identifier = package
    and (a_status is null or status = a_status)
    and (a_platform is null or platforms = '{}' or a_platform = any (platforms))
    and (a_runtime is null or type <> 'plugin' or coalesce(package_versions.metadata ->> 'runtime', 'swig') = a_runtime)
    and (tool is null or tool_max >= tool
      and tool >= case when a_runtime is null then effective_tool_min(type, package_versions.metadata, tool_min)
        else tool_min end)
  order by status = 'stable' desc, status <> 'deprecated' desc, sort_key desc
  limit 1
);

update packages set
  fits = package_fits(identifier),
  latest_version = package_version_for(identifier, null, null, null, null);
