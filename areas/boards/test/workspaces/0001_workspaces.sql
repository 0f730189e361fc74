-- What the area needs of another one's table.
create table workspaces (owner text not null, repo text not null, primary key (owner, repo));
