-- A table as it stood when a shoe was closed: from there any round of the next shoe is shown again as it was.
create table shoe_states (
    stream text not null,
    shoe bigint not null,             -- the shoe that begins with this, counted from 1 at its table
    seq bigint not null,              -- the record after which the table stood so
    behaviour bigint not null,        -- which version of the functions reads it
    state text not null,               -- canonical JSON
    primary key (stream, shoe)
);
