-- What was played: a row for each round that is over, in the batch of the record that ended it.
create table played (
    stream text not null,
    shoe bigint not null,             -- counted from 1 at its table
    round bigint not null,            -- counted from 1 in its shoe
    last_seq bigint not null,         -- the record with which it ended; it began after the end of the one before
    at bigint not null,
    dealt bigint not null,            -- 1 where a card was drawn for a hand; 0 for what lies between rounds
    result text not null,              -- JSON: what everybody at the table saw
    primary key (stream, shoe, round)
);

-- Who sat where from which record to which: of an old round a participant sees as his own what was his own then.
create table seated (
    stream text not null,
    seat bigint not null,
    from_seq bigint not null,
    to_seq bigint,                    -- null while he sits there
    person text not null,
    primary key (stream, seat, from_seq)
);
create index seated_person on seated (person, stream);

-- What lay on the layout when a round had its result: from this theory is reckoned, beside what the table has won.
create table staked (
    stream text not null,
    shoe bigint not null,
    round bigint not null,
    day bigint not null,              -- the number of the gaming day
    rulebook text not null,
    stakes text not null,              -- JSON: by seat and wager, in cents
    primary key (stream, shoe, round)
);
create index staked_day on staked (day, stream);

-- Checkpoints with the cosignatures of witnesses: the newest of each stream and witness.
create table cosigned (
    stream text not null,
    witness text not null,
    size bigint not null,
    note bytea not null,
    primary key (stream, witness)
);
