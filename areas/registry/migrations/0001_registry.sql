-- An identifier belongs to its first publisher for ever: a second owner could replace what people have installed.
create table packages (
  identifier text primary key check (length(identifier) between 2 and 100),
  -- On some file systems and in some tools `Com.x` and `com.x` are the same package. By "C": the locale of the database
  -- may fold `I` to a letter of its own.
  folded_identifier text not null unique generated always as (lower(identifier collate "C")) stored,
  owner text not null,
  visibility text not null check (visibility in ('public', 'private')),
  is_listed boolean not null default true,
  type text not null check (type in ('plugin', 'library', 'colortheme')),
  name text not null,
  description text not null,
  author text not null,
  license text not null,
  tags text[] not null,
  -- The package-level metadata of the latest version, neutral dialect, without `versions`.
  metadata jsonb not null,
  icon_sha256 text,
  -- The latest listed version; null while there is none.
  latest_version text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  search tsvector not null,
  -- The words of the name alone: few enough to ask for a single letter.
  names tsvector not null generated always as (strip(ts_filter(search, '{a}'))) stored,
  -- What its versions run on: `package_fits` below.
  fits int4multirange not null default '{}'
);
-- Searches read many rows, and of those neither `search` nor `metadata`: beside the row, four of them would fill a page.
alter table packages set (toast_tuple_target = 1024);
create index packages_by_owner on packages (owner, identifier);
-- Without `fastupdate = off` every search would also read through what was published lately, one package after the other.
create index packages_by_search on packages using gin (search) with (fastupdate = off)
  where is_listed and visibility = 'public';
create index packages_by_names on packages using gin (names) with (fastupdate = off)
  where is_listed and visibility = 'public';
-- With all that a filter looks at: one that fits nothing reads all of this index, and must not read the table.
create index packages_by_update on packages (updated_at desc, identifier collate "C") include (type, fits)
  where is_listed and visibility = 'public';
create index packages_by_tags on packages using gin (tags) with (fastupdate = off)
  where is_listed and visibility = 'public';

create table package_versions (
  identifier text not null references packages (identifier),
  version text not null,
  -- (epoch, major, minor, patch): "1.0" and "1.0.0" are one version, whatever their epochs, and never both published.
  sort_key integer[] not null check (array_length(sort_key, 1) = 4),
  status text not null check (status in ('stable', 'testing', 'development', 'deprecated')),
  -- The version's entry as feeds show it, neutral dialect, without status and download fields.
  metadata jsonb not null,
  tool_min integer[] not null,
  tool_max integer[] not null,
  platforms text[] not null,
  archive_sha256 text not null check (archive_sha256 ~ '^[a-f0-9]{64}$'),
  archive_size bigint not null,
  install_size bigint not null,
  -- Of the manifest: which files with which hashes the archive installs.
  manifest_sha256 text not null,
  published_at timestamptz not null,
  published_by text not null,
  source_url text,
  primary key (identifier, version),
  unique (identifier, sort_key)
);
create index package_versions_by_archive on package_versions (archive_sha256);

-- A number for each tool version, from 0 to 999,999, and one more for versions that run on none; all of them for every
-- status and platform, and for any of them. `src/packages/fits.ts` asks for them. An open end has more than two digits, and
-- would reach into the tools of the next platform. An entry of an index has 2,704 bytes at most: of a larger set the tools
-- are left open, it gets a mark, and a search asks the versions as well.
create function package_fits(package text) returns int4multirange stable parallel safe return (
  select coalesce(
    case when pg_column_size(range_agg(exact)) <= 1600 then range_agg(exact)
      else range_agg(int4range(facet, facet + 1000001)) + '{[20000020,20000020]}' end,
    '{}')
  from package_versions,
    unnest('{any}'::text[] || status) as a_status,
    unnest('{any}'::text[] || case platforms when '{}' then '{windows,macos,linux}' else platforms end) as a_platform,
    lateral (select 1000001 * (
      4 * (array_position('{any,stable,testing,development,deprecated}', a_status) - 1)
      + array_position('{any,windows,macos,linux}', a_platform) - 1)) as facets (facet),
    lateral (select
      (least(tool_min[1], 99) * 100 + least(tool_min[2], 99)) * 100 + least(tool_min[3], 99),
      (least(tool_max[1], 99) * 100 + least(tool_max[2], 99)) * 100 + least(tool_max[3], 99)) as tools (first, last),
    lateral (select case when first <= last then int4range(facet + first, facet + last, '[]')
      else int4range(facet + 1000000, facet + 1000000, '[]') end) as ranges (exact)
  where identifier = package
);

-- Asked of packages with that mark alone, which are few. Without `cost` the planner takes every search for an expensive
-- one, and compiles it first.
create function package_runs(package text, a_status text, a_platform text, tool integer[]) returns boolean
  stable parallel safe cost 10 return exists (
    select from package_versions
    where identifier = package
      and (a_status is null or status = a_status)
      and (a_platform is null or platforms = '{}' or a_platform = any (platforms))
      and tool_min <= tool and tool_max >= tool
  );

create table registry_audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  owner text not null,
  actor_id uuid not null,
  actor text not null,
  credential text not null,
  action text not null,
  identifier text not null,
  version text,
  detail text not null
);
create index registry_audit_by_owner on registry_audit (owner, id desc);

-- What is derived from the tables above. `revision` moves with every change, `built_revision` when the files are there.
create table feeds (
  -- Empty for the feed of the whole installation.
  owner text not null,
  visibility text not null check (visibility in ('public', 'private')),
  revision bigint not null,
  built_revision bigint not null default 0,
  looked_at timestamptz,
  -- More than tools can read: it has no files, and is looked at once an hour.
  is_too_large boolean not null default false,
  -- Per brand repository.json itself, and the hashes of what it names.
  files jsonb,
  -- Of the settings that it was built with.
  fingerprint text,
  primary key (owner, visibility)
);
create index feeds_to_build on feeds (owner) where built_revision < revision;

-- Who does what only one should do at a time, and until when; whoever is alive prolongs it.
create table index_leases (
  name text primary key,
  holder text not null,
  until timestamptz not null
);

-- Which objects belong to which file of which feed: what is not here is not served.
create table feed_files (
  sha256 text not null,
  name text not null,
  owner text not null,
  visibility text not null,
  encodings jsonb not null,
  size bigint not null,
  -- Null while the feed names it; afterwards kept for whoever still has the older repository.json.
  replaced_at timestamptz,
  primary key (sha256, name, owner, visibility)
);
create index feed_files_by_feed on feed_files (owner, visibility) where replaced_at is null;
create index feed_files_replaced on feed_files (replaced_at) where replaced_at is not null;

-- The same order of identifiers in every feed, whatever the locale of the database.
create index packages_in_feeds on packages (owner, identifier collate "C");
create index packages_in_public_feed on packages (identifier collate "C") where visibility = 'public';
create index packages_by_icon on packages (icon_sha256) where icon_sha256 is not null;

-- Public packages whose signed entry is older than the package.
create table sparse_marks (
  identifier text primary key,
  marked_at timestamptz not null
);
create index sparse_marks_newest on sparse_marks (marked_at desc);

-- Exactly what was signed is served, also while a newer state of the package waits for its signature.
create table sparse_files (
  brand text not null,
  identifier text not null,
  sha256 text not null,
  body text not null,
  -- Of the settings that it was spelled with.
  fingerprint text not null,
  primary key (identifier, brand)
);

-- The current metadata of each role of the signed index.
create table trust_roles (
  role text primary key,
  version integer not null,
  file text not null,
  -- Of the online key that signed it; empty for what was signed offline.
  key_id text not null,
  renew_at timestamptz
);
create index trust_roles_to_renew on trust_roles (renew_at) where renew_at is not null;
create index trust_roles_by_key on trust_roles (key_id);

create table trust_metadata (
  -- As it is asked for: `3.root.json`, `timestamp.json`.
  file text primary key,
  body bytea not null,
  stored_at timestamptz not null,
  -- Null while it is current; afterwards kept for clients in the middle of a refresh.
  replaced_at timestamptz
);
create index trust_metadata_replaced on trust_metadata (replaced_at) where replaced_at is not null;
