-- Tables that an act needs together: a node asks the others for theirs. Whoever has one hands it over in good order, and
-- until the time is over nobody but the asking node takes it.
create table wanted (
    stream text primary key,
    node bigint not null,
    until timestamptz not null
);

-- Asks for streams for so many seconds, all of them or none: where another node asks for one at this moment, it is first.
create function want_streams(me bigint, names text[], seconds double precision) returns boolean
language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('streams of ' || (select id::text from identity), 0));
    delete from wanted where until <= clock_timestamp()
        or not exists (select 1 from node where node.id = wanted.node and not node.ended);
    if exists (select 1 from wanted where stream = any (names) and node <> me) then
        return false;
    end if;
    insert into wanted (stream, node, until)
        select each, me, clock_timestamp() + make_interval(secs => seconds) from unnest(names) as each
        on conflict (stream) do update set until = excluded.until;
    return true;
end
$$;

-- Takes streams that nobody has: all that this node has asked for, and of the others, unless another node has asked for
-- them, as many as are its share and no more. Each begins another epoch, in which its old owner cannot write. Those of a
-- list that have no entry yet can be taken as well. Nothing for a node whose own lease has lapsed.
create or replace function take_streams(me bigint, kind text, begun text[])
returns table (name text, epoch bigint, seq bigint)
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
        with nobodys as (
            select head.stream, asked.node from head join stream on stream.id = head.stream
            left join (
                select wanted.stream, wanted.node from wanted join node on node.id = wanted.node
                where wanted.until > clock_timestamp() and not node.ended
            ) as asked on asked.stream = stream.name
            where stream.name like kind || ' %' and not exists (
                select 1 from node where node.id = head.owner and not node.ended
            )
        ), taken as (
            select nobodys.stream from nobodys where nobodys.node = me
            union all
            (select nobodys.stream from nobodys where nobodys.node is null
                order by nobodys.stream limit greatest(free, 0))
        )
        update head set owner = me, epoch = head.epoch + 1
            from stream where stream.id = head.stream and head.stream in (select taken.stream from taken)
            returning stream.name, head.epoch, head.seq;
end
$$;

-- What a batch only reads stays as it is until the batch is on the disk. Shared streams have locks in memory, since many
-- read them and a lock of rows would be written to the disk. Tables have one writer, and few acts read one: those lock
-- its head itself.
create or replace function lock_streams(written text[], read_ text[]) returns void
language plpgsql as $$
declare
    found record;
begin
    for found in
        select hashtextextended(each.name || (select id::text from identity), 1) as key, each.is_written
        from (
            select name, true as is_written from unnest(written) as name where name not like 'table %'
            union all
            select name, false from unnest(read_) as name where name not like 'table %'
        ) as each order by key
    loop
        if found.is_written then
            perform pg_advisory_xact_lock(found.key);
        else
            perform pg_advisory_xact_lock_shared(found.key);
        end if;
    end loop;
    if exists (select 1 from unnest(read_) as name where name like 'table %') then
        perform 1 from head join stream on stream.id = head.stream
            where stream.name = any (read_) and stream.name like 'table %' order by head.stream for share of head;
    end if;
end
$$;

-- The ids of names that were erased: a node that has one in memory forgets it, too.
create table erased (
    number bigint generated always as identity primary key,
    id text not null
);

create function note_erased() returns trigger
language plpgsql as $$
begin
    insert into erased (id) values (old.id);
    return null;
end
$$;
create trigger name_erased after delete on name for each row execute function note_erased();
