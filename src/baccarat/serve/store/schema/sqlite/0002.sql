-- Access: who may come in, and as what. Times are microseconds UTC; tokens and codes are stored as their SHA-256.
-- On PostgreSQL: blob is bytea, integer is bigint, and the log's number is generated always as identity.

create table person (
    id text primary key,               -- opaque, as it stands in records; the name is in `name`, and can be erased there
    sign_on blob unique,               -- a keyed hash of the name to sign on with; null once it is erased
    password text,                     -- argon2id; null where none is set
    roles text not null,               -- in which capacities the person may sign on: their names with commas between
    active integer not null,
    made_at integer not null
) strict;

create table session (
    hash blob primary key,             -- of the token
    id text not null unique,
    person text not null,
    role text not null,
    kind text not null,                -- 'person', or 'visitor' of a practice house
    device text not null,              -- '' where it is bound to none
    at_table text not null,            -- '' where it is bound to none
    made_at integer not null,
    seen_at integer not null,
    acted_at integer not null,
    ends_at integer not null,
    ended_at integer,                  -- null while it is not ended before its time
    why text not null
) strict;
create index session_ended on session (ended_at);
create index session_of_person on session (person);
create index session_of_device on session (device);

create table ticket (
    hash blob primary key,
    session text not null,             -- '' for whoever only watches
    person text not null,
    role text not null,
    at_table text not null,
    address text not null,
    lapses_at integer not null
) strict;

create table proposal (
    id text primary key,               -- the id of the command, made by whoever proposes
    stream text not null,
    name text not null,                -- of the command
    command blob not null,             -- its canonical bytes
    hash blob not null,                -- their SHA-256
    proposer text not null,
    role text not null,
    device text not null,
    made_at integer not null,
    lapses_at integer not null,
    state text not null,               -- 'open', 'approved', 'declined', 'withdrawn' or 'lapsed'
    decided_by text not null,
    decided_as text not null,
    decided_at integer not null
) strict;
create index proposal_in_state on proposal (state, lapses_at);
create index proposal_of_stream on proposal (stream, state);
create index proposal_of_person on proposal (proposer, state);

create table device (
    id text primary key,
    key blob not null,                 -- its public key, Ed25519
    at_table text not null,
    made_at integer not null,
    revoked_at integer
) strict;

create table one_time_code (
    hash blob primary key,
    purpose text not null,             -- 'administrator', 'password' or 'device'
    about text not null,               -- whose password, or which table
    made_by text not null,
    made_at integer not null,
    lapses_at integer not null
) strict;

create table access_log (
    number integer primary key,
    at integer not null,
    what text not null,
    person text not null,
    done_by text not null,
    about text not null
) strict;
