-- A table as it stood when a shoe was closed: from there any round of the next shoe is shown again as it was.
create table shoe_states (
    stream text not null,
    shoe integer not null,             -- the shoe that begins with this, counted from 1 at its table
    seq integer not null,              -- the record after which the table stood so
    behaviour integer not null,        -- which version of the functions reads it
    state text not null,               -- canonical JSON
    primary key (stream, shoe)
) strict, without rowid;
