-- What every table must add up to, under a key that is not in the store (`content_sum.py`). One row, or none in a store
-- that nobody has opened with a key yet.
create table content_sum (
    one integer primary key check (one = 1),
    key text not null,                 -- the id of the sealing key from which the keys of the sums are derived
    sums blob not null                 -- encrypted and authenticated: nobody can look for rows with the same sum
) strict;
