-- What was played: a row for each round that is over, in the batch of the record that ended it.
create table played (
    stream text not null,
    shoe integer not null,             -- counted from 1 at its table
    round integer not null,            -- counted from 1 in its shoe
    last_seq integer not null,         -- the record with which it ended; it began after the end of the one before
    at integer not null,
    dealt integer not null,            -- 1 where a card was drawn for a hand; 0 for what lies between rounds
    result text not null,              -- JSON: what everybody at the table saw
    primary key (stream, shoe, round)
) strict, without rowid;

-- Who sat where from which record to which: of an old round a participant sees as his own what was his own then.
create table seated (
    stream text not null,
    seat integer not null,
    from_seq integer not null,
    to_seq integer,                    -- null while he sits there
    person text not null,
    primary key (stream, seat, from_seq)
) strict, without rowid;
create index seated_person on seated (person, stream);

-- What lay on the layout when a round had its result: from this theory is reckoned, beside what the table has won.
create table staked (
    stream text not null,
    shoe integer not null,
    round integer not null,
    day integer not null,              -- the number of the gaming day
    rulebook text not null,
    stakes text not null,              -- JSON: by seat and wager, in cents
    primary key (stream, shoe, round)
) strict, without rowid;
create index staked_day on staked (day, stream);

-- Checkpoints with the cosignatures of witnesses: the newest of each stream and witness.
create table cosigned (
    stream text not null,
    witness text not null,
    size integer not null,
    note blob not null,
    primary key (stream, witness)
) strict, without rowid;
