-- The twin of SQLite's 0001.sql: one log for all streams, heads, ids for ever. Several nodes write it, so every change of
-- it is one statement, a call of a function below: a node that stands still between two statements holds no lock.

create table identity (
    id bytea not null,                 -- of the store; written once, when it is created
    version bigint not null            -- how many of these files it has been through
);

-- The programs that serve this house, each with the time until which it may answer, on the database's own clock.
create table node (
    id bigint generated always as identity primary key,
    address text not null,             -- where clients find it
    sign bigint not null unique,       -- the number of the advisory lock that its connection holds while it lives
    until timestamptz not null,        -- a lease that has lapsed is never renewed
    ended boolean not null default false
);

create table stream (
    id bigint generated always as identity primary key,
    name text not null unique
);

create sequence entry_position;        -- one by one: whoever rests on an entry has a later position than it

create table entry (
    position bigint primary key,
    stream bigint not null,
    seq bigint not null,
    previous bigint not null,          -- the position of the entry before it in its stream; 0 for the first
    events bigint not null,            -- how many events the stream has had after it
    hash bytea not null,
    body bytea not null
);
alter table entry alter column body set storage external; -- compressed when a shoe is closed, not before

create table landmark (
    stream bigint not null,
    seq bigint not null,
    position bigint not null,
    primary key (stream, seq)
);

create table head (
    stream bigint primary key,
    seq bigint not null,
    events bigint not null,
    hash bytea not null,
    position bigint not null,
    epoch bigint not null,             -- which of its owners may write; raised when another takes the stream over
    owner bigint,                      -- the node that has it; null where any node writes, or nobody has it yet
    first_seq bigint not null default 0,
    first_before bytea not null default decode(repeat('00', 32), 'hex'),
    log_seq bigint not null default 0
) with (fillfactor = 50);              -- heads change all the time: room for the next version on the same page

create table done (
    key bytea primary key,
    stream bigint not null,
    seq bigint not null
);

create table snapshot (
    position bigint primary key,
    form text not null,
    streams text[] not null,           -- the heads that it includes, one list a column
    seqs bigint[] not null,
    events bigint[] not null,
    hashes bytea[] not null,
    positions bigint[] not null,
    epochs bigint[] not null,
    body bytea not null,
    digest bytea not null              -- of form, streams with their numbers, and body
);

create table archive (
    stream bigint not null,
    last_seq bigint not null,
    first_seq bigint not null,
    before bytea not null,
    last_hash bytea not null,
    body bytea not null,
    primary key (stream, last_seq)
);
alter table archive alter column body set storage external; -- compressed already

create table sealed (
    stream text not null,
    name text not null,
    sealed bytea not null,
    primary key (stream, name)
);

create table checkpoint (
    stream text not null,
    size bigint not null,
    note bytea not null,
    primary key (stream, size)
);

create table name (
    number bigint generated always as identity primary key,
    id text not null unique,
    salt bytea not null,
    text text not null
);

create table setting (
    key text primary key,
    value text not null
);

-- ------------------------------------------------------------------------------------------------ append
-- Errors: BA001 a stream is not where the batch takes it to be, BA002 it belongs to another, BA003 a statement changed
-- other rows, BA004 the caller is wrong.
-- A repeated id is a violation of done_pkey.

-- Stores a batch. Streams and rows are numbered from 1. For a stream: its name, the number and hash of its first row and
-- that row's body, the epoch of its writer (null: any), its head afterwards, and which row is its last. For a row: which
-- stream, and which row of this batch comes before it there (0: none).
create function append_batch(
    names text[], first_seqs bigint[], epochs bigint[], last_rows int[],
    row_streams int[], row_seqs bigint[], row_previous int[], row_events bigint[], row_hashes bytea[],
    row_bodies bytea[], first_rows int[],
    done_keys bytea[], done_rows int[],
    statements text[], changes bigint[],
    snapshot_form text, snapshot_streams text[], snapshot_seqs bigint[], snapshot_body bytea, snapshot_digest bytea,
    read_names text[], read_seqs bigint[]
) returns bigint
language plpgsql as $$
declare
    found record;
    numbers bigint[];
    befores bigint[];
    positions bigint[];
    changed bigint;
begin
    perform lock_streams(names, read_names);
    for found in
        select each.name, each.seq as known, coalesce(head.seq, -1) as seq
        from unnest(read_names, read_seqs) as each (name, seq)
        left join stream on stream.name = each.name left join head on head.stream = stream.id
        where coalesce(head.seq, -1) <> each.seq
    loop
        raise exception '% has come to entry %; the batch rests on entry %', found.name, found.seq, found.known
            using errcode = 'BA001';
    end loop;
    if cardinality(names) > 0 then
        perform begin_streams(names, first_seqs, epochs);
        for found in
            select each.number, head.seq, head.epoch, head.owner, head.hash, stream.name
            from unnest(names) with ordinality as each (name, number)
            left join stream on stream.name = each.name left join head on head.stream = stream.id
            order by each.number
        loop
            if found.seq is null or found.seq <> first_seqs[found.number] - 1 then
                raise exception '% has come to entry %; entry % cannot follow',
                    names[found.number], coalesce(found.seq, -1), first_seqs[found.number] using errcode = 'BA001';
            elsif found.owner is not null and epochs[found.number] is null then
                raise exception '% belongs to a node, and the batch names no epoch', found.name using errcode = 'BA002';
            elsif found.epoch <> epochs[found.number] then
                raise exception '% is in epoch %, not %', found.name, found.epoch, epochs[found.number]
                    using errcode = 'BA002';
            elsif sha256(found.hash || row_bodies[first_rows[found.number]])
                    <> row_hashes[first_rows[found.number]] then
                raise exception 'the hash of % % does not follow', found.name, first_seqs[found.number]
                    using errcode = 'BA004';
            end if;
        end loop;
        select array_agg(head.stream order by each.number), array_agg(head.position order by each.number)
            into numbers, befores
            from unnest(names) with ordinality as each (name, number)
            join stream on stream.name = each.name join head on head.stream = stream.id;
        insert into done (key, stream, seq)
            select each.key, numbers[row_streams[each.number]], row_seqs[each.number]
            from unnest(done_keys, done_rows) as each (key, number);
    end if;
    for i in 1 .. cardinality(statements) loop
        execute statements[i];
        get diagnostics changed = row_count;
        if changed <> changes[i] then
            raise exception 'a statement of the batch changed % rows, not %', changed, changes[i]
                using errcode = 'BA003';
        end if;
    end loop;
    if cardinality(names) > 0 then
        positions := next_positions(cardinality(row_seqs));
        insert into entry (position, stream, seq, previous, events, hash, body)
            select positions[i], numbers[row_streams[i]], row_seqs[i],
                case when row_previous[i] = 0 then befores[row_streams[i]] else positions[row_previous[i]] end,
                row_events[i], row_hashes[i], row_bodies[i]
            from generate_subscripts(row_seqs, 1) as i;
        insert into landmark (stream, seq, position)
            select numbers[row_streams[i]], row_seqs[i], positions[i]
            from generate_subscripts(row_seqs, 1) as i where row_seqs[i] % 64 = 0;
        update head set seq = row_seqs[last], events = row_events[last], hash = row_hashes[last],
                position = positions[last]
            from unnest(numbers, last_rows) as each (number, last) where head.stream = each.number;
    end if;
    if snapshot_form is not null then
        perform keep_snapshot(snapshot_form, snapshot_streams, snapshot_seqs, snapshot_body, snapshot_digest);
    end if;
    return coalesce(positions[cardinality(positions)], 0);
end
$$;

-- The next positions, one after the other: records of one act stand together. The lock is let go of at once, not at the
-- end of the transaction, which waits for the disk.
create function next_positions(count_ int) returns bigint[]
language plpgsql as $$
declare
    lock_ bigint := hashtextextended('positions of ' || (select id::text from identity), 0);
    found_ bigint[];
begin
    perform pg_advisory_lock(lock_);
    select array_agg(nextval('entry_position')) into found_ from generate_series(1, count_);
    perform pg_advisory_unlock(lock_);
    return found_;
end
$$;

-- What a batch only reads stays as it is until the batch is on the disk: whoever writes a shared stream waits for those
-- who read it, and they for him. These locks are in memory; a lock of rows for readers would be written to the disk.
create function lock_streams(written text[], read_ text[]) returns void
language plpgsql as $$
declare
    found record;
begin
    for found in
        select hashtextextended(each.name || (select id::text from identity), 1) as key, each.is_written
        from (
            select name, true as is_written from unnest(written) as name where name not like 'table %'
            union all
            select name, false from unnest(read_) as name
        ) as each order by key
    loop
        if found.is_written then
            perform pg_advisory_xact_lock(found.key);
        else
            perform pg_advisory_xact_lock_shared(found.key);
        end if;
    end loop;
end
$$;

-- Locks the heads of streams, always in the same order, and makes those that are new.
create function begin_streams(names text[], first_seqs bigint[], epochs bigint[]) returns void
language plpgsql as $$
begin
    if 0 = any (first_seqs) then
        with begun as (
            insert into stream (name)
            select each.name from unnest(names, first_seqs) as each (name, seq) where seq = 0 order by each.name
            on conflict do nothing
            returning id, name
        )
        insert into head (stream, seq, events, hash, position, epoch)
            select begun.id, -1, 0, decode(repeat('00', 32), 'hex'), 0, coalesce(each.epoch, 0)
            from begun join unnest(names, epochs) as each (name, epoch) on each.name = begun.name;
    end if;
    perform 1 from head join stream on stream.id = head.stream
        where stream.name = any (names) order by head.stream for update of head;
end
$$;

-- Keeps a snapshot: each head that it includes must be there, and nothing may have been let go of after it.
create function keep_snapshot(form_ text, names text[], wanted bigint[], body_ bytea, digest_ bytea) returns void
language plpgsql as $$
declare
    found record;
    events_ bigint[] := '{}';
    hashes_ bytea[] := '{}';
    positions_ bigint[] := '{}';
    epochs_ bigint[] := '{}';
begin
    perform pg_advisory_xact_lock(hashtextextended('snapshot of ' || (select id::text from identity), 0));
    for i in 1 .. cardinality(names) loop
        select head.stream, head.epoch, head.log_seq, entry_at.* into found
            from stream join head on head.stream = stream.id
            left join lateral entry_at(head.stream, wanted[i]) on true where stream.name = names[i];
        if wanted[i] < found.log_seq - 1 then
            raise exception '% was let go of up to entry %, and the snapshot ends at %',
                names[i], found.log_seq - 1, wanted[i] using errcode = 'BA001';
        elsif found.seq is null then
            raise exception 'the snapshot is of no moment of this batch: % has no entry %', names[i], wanted[i]
                using errcode = 'BA004';
        end if;
        events_ := events_ || found.events;
        hashes_ := hashes_ || found.hash;
        positions_ := positions_ || found.position;
        epochs_ := epochs_ || found.epoch;
    end loop;
    insert into snapshot values (
            coalesce((select max(p) from unnest(positions_) as p), 0), form_, names, wanted, events_, hashes_,
            positions_, epochs_, body_, digest_
        )
        on conflict (position) do update set form = excluded.form, streams = excluded.streams, seqs = excluded.seqs,
            events = excluded.events, hashes = excluded.hashes, positions = excluded.positions,
            epochs = excluded.epochs, body = excluded.body, digest = excluded.digest;
    delete from snapshot
        where position not in (select position from snapshot order by position desc limit 2);
end
$$;

-- One entry of a stream, found from its head or the next landmark; the head's own where the log no longer has it.
create function entry_at(stream_ bigint, seq_ bigint)
returns table (seq bigint, events bigint, hash bytea, "position" bigint)
language sql stable as $$
    with recursive start (position) as (
        select coalesce(
            (select landmark.position from landmark where landmark.stream = stream_ and landmark.seq >= seq_
                order by landmark.seq limit 1),
            (select head.position from head where head.stream = stream_)
        )
    ), back (position, seq, previous, events, hash) as (
        select entry.position, entry.seq, entry.previous, entry.events, entry.hash
            from start join entry on entry.position = start.position
        union all
        select entry.position, entry.seq, entry.previous, entry.events, entry.hash
            from back join entry on entry.position = back.previous
            where back.seq > seq_ and entry.stream = stream_ and entry.seq = back.seq - 1
    )
    select back.seq, back.events, back.hash, back.position from back where back.seq = seq_
    union all
    select head.seq, head.events, head.hash, head.position from head
        where head.stream = stream_ and head.seq = seq_ and head.log_seq > head.seq
$$;

-- ------------------------------------------------------------------------------------------------ letting go

-- Takes entries out of the log or a piece out of the archive, keeps another piece (null: none), and notes from where on
-- the stream is kept; BA001 where somebody else has done so meanwhile.
create function let_go(
    stream_ bigint, was_first bigint, was_log bigint, first_ bigint, before_ bytea, log_ bigint,
    gone_positions bigint[], gone_from bigint, gone_to bigint, gone_piece bigint,
    piece_last bigint, piece_first bigint, piece_before bytea, piece_hash bytea, piece_body bytea
) returns void
language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('snapshot of ' || (select id::text from identity), 0));
    update head set first_seq = first_, first_before = before_, log_seq = log_
        where stream = stream_ and first_seq = was_first and log_seq = was_log;
    if not found then
        raise exception 'another node has let go of entries of this stream' using errcode = 'BA001';
    end if;
    if gone_piece is not null then
        delete from archive where stream = stream_ and last_seq = gone_piece;
    end if;
    if piece_body is not null then
        insert into archive (stream, last_seq, first_seq, before, last_hash, body)
            values (stream_, piece_last, piece_first, piece_before, piece_hash, piece_body);
    end if;
    delete from entry where position = any (gone_positions);
    delete from landmark where stream = stream_ and seq between gone_from and gone_to;
end
$$;

-- ------------------------------------------------------------------------------------------------ leases

-- Ends every other node whose lease has lapsed, or that seems dead and has let go of its advisory lock; how many.
create function end_lapsed(me bigint, seem_dead bigint[]) returns bigint
language plpgsql as $$
declare
    ended_ bigint;
begin
    update node set ended = true
        where not ended and id <> me
        and (until <= clock_timestamp() or (id = any (seem_dead) and pg_try_advisory_xact_lock(sign)));
    get diagnostics ended_ = row_count;
    return ended_;
end
$$;

-- Takes streams that nobody has, as many as are this node's share and no more; each begins another epoch, in which their
-- old owner cannot write. Those of a list that have no entry yet can be taken as well. Nothing for a node whose own lease
-- has lapsed.
create function take_streams(me bigint, kind text, begun text[]) returns table (name text, epoch bigint, seq bigint)
language plpgsql as $$
declare
    free bigint;
begin
    perform pg_advisory_xact_lock(hashtextextended('streams of ' || (select id::text from identity), 0));
    if not exists (select 1 from node where id = me and not ended and until > clock_timestamp()) then
        return;
    end if;
    perform begin_streams(fresh.names, array_fill(0::bigint, array[cardinality(fresh.names)]), '{}')
        from (select array_agg(each) as names from unnest(begun) as each
            where not exists (select 1 from stream where stream.name = each)) as fresh
        where fresh.names is not null;
    select ceil(count(*)::numeric / (select count(*) from node where not ended and until > clock_timestamp()))
            - count(*) filter (where head.owner = me)
        into free from head join stream on stream.id = head.stream where stream.name like kind || ' %';
    return query
        with taken as (
            select head.stream from head join stream on stream.id = head.stream
            where stream.name like kind || ' %' and not exists (
                select 1 from node where node.id = head.owner and not node.ended
            )
            order by head.stream limit greatest(free, 0)
        )
        update head set owner = me, epoch = head.epoch + 1
            from stream where stream.id = head.stream and head.stream in (select taken.stream from taken)
            returning stream.name, head.epoch, head.seq;
end
$$;
