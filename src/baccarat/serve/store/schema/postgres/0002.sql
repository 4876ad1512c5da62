-- Access: who may come in, and as what. Times are microseconds UTC; tokens and codes are stored as their SHA-256.
-- The twin of SQLite's 0002.sql, in the types of PostgreSQL.

create table person (
    id text primary key,               -- opaque, as it stands in records; the name is in `name`, and can be erased there
    sign_on bytea unique,              -- a keyed hash of the name to sign on with; null once it is erased
    password text,                     -- argon2id; null where none is set
    roles text not null,               -- in which capacities the person may sign on: their names with commas between
    active bigint not null,
    made_at bigint not null
);

create table session (
    hash bytea primary key,            -- of the token
    id text not null unique,
    person text not null,
    role text not null,
    kind text not null,                -- 'person', or 'visitor' of a practice house
    device text not null,              -- '' where it is bound to none
    at_table text not null,            -- '' where it is bound to none
    made_at bigint not null,
    seen_at bigint not null,
    acted_at bigint not null,
    ends_at bigint not null,
    ended_at bigint,                   -- null while it is not ended before its time
    why text not null
);
create index session_ended on session (ended_at);
create index session_of_person on session (person);
create index session_of_device on session (device);

create table ticket (
    hash bytea primary key,
    session text not null,             -- '' for whoever only watches
    person text not null,
    role text not null,
    at_table text not null,
    address text not null,
    lapses_at bigint not null
);

create table proposal (
    id text primary key,               -- the id of the command, made by whoever proposes
    stream text not null,
    name text not null,                -- of the command
    command bytea not null,            -- its canonical bytes
    hash bytea not null,               -- their SHA-256
    proposer text not null,
    role text not null,
    device text not null,
    made_at bigint not null,
    lapses_at bigint not null,
    state text not null,               -- 'open', 'approved', 'declined', 'withdrawn' or 'lapsed'
    decided_by text not null,
    decided_as text not null,
    decided_at bigint not null
);
create index proposal_in_state on proposal (state, lapses_at);
create index proposal_of_stream on proposal (stream, state);
create index proposal_of_person on proposal (proposer, state);

create table device (
    id text primary key,
    key bytea not null,                -- its public key, Ed25519
    at_table text not null,
    made_at bigint not null,
    revoked_at bigint
);

create table one_time_code (
    hash bytea primary key,
    purpose text not null,             -- 'administrator', 'password' or 'device'
    about text not null,               -- whose password, or which table
    made_by text not null,
    made_at bigint not null,
    lapses_at bigint not null
);

create table access_log (
    number bigint generated always as identity primary key,
    at bigint not null,
    what text not null,
    person text not null,
    done_by text not null,
    about text not null
);
