-- The roots of the complete subtrees at the size of a checkpoint: later growth is proved from there, without the entries before.
alter table checkpoint add column edge bytea;
