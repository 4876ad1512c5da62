-- One log for all streams, to whose end everything is added: an append touches its last pages and few others.
create table stream (
    id integer primary key,
    name text not null unique
) strict;

create table entry (
    position integer primary key,      -- counts the entries of all streams, in the order in which they were written
    stream integer not null,
    seq integer not null,
    previous integer not null,         -- the position of the entry before it in its stream; 0 for the first
    hash blob not null,
    body blob not null
) strict;

-- Every 64th entry of a stream: whoever looks for another one starts at the next of these and follows `previous` back.
-- An index of all entries by stream and number would touch a page for every stream in a commit.
create table landmark (
    stream integer not null,
    seq integer not null,
    position integer not null,
    primary key (stream, seq)
) strict, without rowid;

create table head (
    stream integer primary key,
    seq integer not null,
    events integer not null,
    hash blob not null,
    position integer not null,
    epoch integer not null,
    first_seq integer not null,        -- the first entry that is still kept: those of practice shoes are dropped
    first_before blob not null,        -- the hash before that entry, from which all that are kept follow
    log_seq integer not null,          -- the first entry that stands in `entry`: those before it are in `archive`
    store blob not null                -- the store's id: a log that was left by another store is known by it
) strict;

-- Which command ids have been used, for ever. The ids are ordered by time, so new ones come at the end, and short keys
-- keep that end on few pages: every byte more here is another page in a commit now and then.
create table done (
    key blob primary key,              -- how the id begins, and a digest of the id and the person
    stream integer not null,
    seq integer not null
) strict, without rowid;

-- The whole house after the entry at a position.
create table snapshot (
    position integer primary key,
    form text not null,
    heads blob not null,
    body blob not null,
    digest blob not null               -- of form, heads and body: entries have their hashes, a snapshot has this
) strict;

-- Entries of closed shoes, compressed; they are no longer in `entry`.
create table archive (
    stream integer not null,
    last_seq integer not null,
    first_seq integer not null,
    before blob not null,              -- the hash before its first entry, from which all of its hashes follow
    last_hash blob not null,
    body blob not null,
    primary key (stream, last_seq)
) strict;

create table sealed (
    stream text not null,
    name text not null,
    sealed blob not null,
    primary key (stream, name)
) strict, without rowid;

create table checkpoint (
    stream text not null,
    size integer not null,
    note blob not null,
    primary key (stream, size)
) strict, without rowid;

create table name (
    number integer primary key,
    id text not null unique,
    salt blob not null,
    text text not null
) strict;

create table setting (
    key text primary key,
    value text not null
) strict, without rowid;

-- Written once, when the store is created.
create table identity (
    id blob not null
) strict;
