### Why the database gave no answer, for the model.

unusable = { $error }
query-wrong = the query is not right: { $why }
query-too-slow = the query took longer than { $most } ms and was stopped; ask for less
query-too-large = the query has a value larger than { $most } bytes, or makes one; ask for less
query-failed = the query failed: { $why }
data-key = the key `{ $key }` is empty or longer than { $most } characters
data-value = the value of `{ $key }` is larger than { $most } bytes
data-keys = there would be more than { $most } keys here; set some to null, which removes them
data-scope = there would be more than { $most } bytes here; set some keys to null, which removes them

## Why the database cannot be used, for who runs Kith.

unopenable = cannot open the database { $file }: { $reason }. Check the path and that this user may write there
read-only = the database { $file } is read-only. Give this user the right to write the file and its folder
in-use = the database { $file } is in use by { $holder }. Stop it first, or set another data_dir for this one
another-program = another program
another-kith = another Kith
another-kith-process = another Kith (process { $process })
kith-without-lock = another program, perhaps a Kith whose lock file { $file } was deleted
no-database = { $file } is not a database of Kith. It was left as it is; set another data_dir, or move the file away
newer = the database { $file } was written by a newer version of Kith (its format is { $found }, this version knows up to { $known }). It was left as it is; use the newer version, or set another data_dir
unreleased = the database { $file } was written by a build from before Kith's first release (format { $found }, this version reads { $oldest } and later). It was left as it is; set another data_dir, or move the file away and begin anew. If no such build ever ran here, its header is damaged: `kith recover` copies what can be read
file-exists = { $file } is there already, and nothing is overwritten. Name another file, or move that away
no-backup-file = { $file } is no backup: it is no plain file, or the database itself. Name the file that `kith backup` wrote
disk-full = there is no room left on the disk of { $file }. Nothing was changed; free some space, it goes on by itself
damaged = the database { $file } is damaged ({ $reason }). Put a backup in its place (`kith restore FILE`), or run `kith recover`: it copies what can be read into a new one and keeps this
refused = the database { $file } did not do as asked: { $reason }
unreachable = the database { $file } cannot be reached: { $reason }. Check that the server runs, and `store.url`
in-doubt = the link to the database { $file } was cut while something was stored, and whether it was could not be asked since: { $reason }. It is not tried again, so that nothing is stored twice. Check that the server runs
unfinished = the database { $file } holds a part of { $from }: the migration from there was cut off. Run the same `kith migrate` again, and it goes on where it was; or take { $file } away and use { $from } as before
both-files = both databases are files. `kith migrate` moves one from a file to a PostgreSQL server or back: name the server as well, here or in the settings (`store.url`). To copy a file there is `kith backup FILE`
both-servers = both databases are on servers. `kith migrate` moves one from a file to a PostgreSQL server or back: name the file as well. From server to server there is `pg_dump`
nothing-there = there is no database of Kith at { $file }. Name the one that is to be moved with --from
old-format = the database { $file } has the format of an earlier version. Start this version on it once, or run `kith memory list`: then it has the newest
not-empty = the database { $file } is not empty (its table { $table } has rows), and nothing in it is overwritten. Name a new one
other-source = the database { $file } holds a part of another database, { $from }, whose migration was cut off. Run that again, or name a new one
different-table = the table { $table } was copied twice, and still is not the same: { $found } rows in { $file }, { $wanted } where they come from. Look that no other program writes there, and run the same command again. Until then { $file } cannot be used
only-in-file = the database { $file } is on a server: only a database in a file can do that. PostgreSQL has means of its own (docs/OPERATIONS.md, "On PostgreSQL")
closed = the store is closed. Start Kith again; its log says why it closed
