-- The rounds of each person: a row in the batch of the record that ended the round, for everybody who wagered in it.
create table own_round (
    person text not null,
    at integer not null,               -- when the round was over
    stream text not null,
    shoe integer not null,             -- counted as in `played`
    round integer not null,
    seat integer not null,             -- 0 where the person had left it
    rulebook text not null,
    stakes text not null,              -- JSON: by wager, in cents
    staked integer not null,
    won integer not null,              -- what was paid beyond the stakes
    vigorish integer not null,
    net integer not null,              -- with awards and corrections, as the books of the house have it
    lines text not null,               -- JSON: each wager with its outcome and its clauses
    primary key (person, at, stream, shoe, round)
) strict, without rowid;
create index own_round_of_stream on own_round (stream, at);
