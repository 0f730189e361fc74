-- expand
-- Libraries of symbols that are installed with KiCad, as the workers of an engine have them: the file is in the object store of
-- libraries, and what people look for beside it.
create table board_installed_symbols (
  engine text not null,
  nickname text not null,
  sha256 text not null,
  bytes bigint not null,
  -- Name, description and keywords of each.
  symbols jsonb not null,
  primary key (engine, nickname)
);
create index board_installed_symbols_by_sha256 on board_installed_symbols (sha256);
