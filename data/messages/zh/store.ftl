### 数据库为什么没有回答，给模型看。

# Leaves out: $error
unusable = 数据库现在用不了
# Leaves out: $why
query-wrong = 这个查询写得不对，别用它了
# Leaves out: $most
query-too-slow = 查询太久，已停止；请查少一些
# Leaves out: $most
query-too-large = 查询里有太大的值；请查少一些
# Leaves out: $why
query-failed = 用这些参数查不出来
# Leaves out: $most
data-key = 键 `{ $key }` 是空的或太长
# Leaves out: $most
data-value = `{ $key }` 的值太大
# Leaves out: $most
data-keys = 这里的键会太多；把一些设为 null 就会删去
# Leaves out: $most
data-scope = 这里的数据会太多；把一些键设为 null 就会删去

## 数据库为什么用不了，给运行 Kith 的人看。

unopenable = 无法打开数据库 { $file }：{ $reason }。请检查路径，以及当前用户能否在那里写入
read-only = 数据库 { $file } 是只读的。请让当前用户能写这个文件和它所在的文件夹
in-use = 数据库 { $file } 正被{ $holder }使用。请先停掉它，或为这一个设置另一个 data_dir
another-program = 另一个程序
another-kith = 另一个 Kith
another-kith-process = 另一个 Kith（进程 { $process }）
kith-without-lock = 另一个程序（可能是锁文件 { $file } 被删掉的 Kith）
no-database = { $file } 不是 Kith 的数据库。文件保持原样；请设置另一个 data_dir，或把它移走
newer = 数据库 { $file } 是较新版本的 Kith 写的（格式 { $found }，这个版本最多认识 { $known }）。文件保持原样；请使用较新的版本，或设置另一个 data_dir
unreleased = 数据库 { $file } 是 Kith 首次发布之前的版本写的（格式 { $found }，这个版本能读 { $oldest } 及以后的）。文件保持原样；请设置另一个 data_dir，或把它移走重新开始。如果这里从没用过那样的版本，就是文件头损坏了：`kith recover` 会把能读的复制出来
file-exists = { $file } 已存在，不会覆盖任何文件。请换一个文件名，或把它移走
no-backup-file = { $file } 不是备份：它不是普通文件，或者就是数据库本身。请指定 `kith backup` 写出的文件
disk-full = { $file } 所在的磁盘满了。没有任何改动；请腾出空间，之后会自动继续
damaged = 数据库 { $file } 已损坏（{ $reason }）。请用备份替换它（`kith restore FILE`），或运行 `kith recover`：把能读的复制到新的数据库，并保留这一个
refused = 数据库 { $file } 没有照办：{ $reason }
unreachable = 无法连接数据库 { $file }：{ $reason }。请检查服务器是否在运行，以及 `store.url`
in-doubt = 写入数据库 { $file } 时连接断了，之后也问不到那次写入是否成功：{ $reason }。为了不重复写入，不会再试。请检查服务器是否在运行
unfinished = 数据库 { $file } 只有 { $from } 的一部分：从那里的迁移中断了。请再运行一次同样的 `kith migrate`，会从中断处继续；或者删掉 { $file }，照旧使用 { $from }
both-files = 两个数据库都是文件。`kith migrate` 只在文件和 PostgreSQL 服务器之间迁移：请在这里或在设置（`store.url`）里写上服务器。要复制文件请用 `kith backup FILE`
both-servers = 两个数据库都在服务器上。`kith migrate` 只在文件和 PostgreSQL 服务器之间迁移：请写上文件。服务器之间请用 `pg_dump`
nothing-there = { $file } 没有 Kith 的数据库。请用 --from 指定要迁移的那一个
old-format = 数据库 { $file } 是较早版本的格式。请用这个版本启动一次，或运行 `kith memory list`，之后它就是最新的格式
not-empty = 数据库 { $file } 不是空的（表 { $table } 里有内容），不会覆盖其中任何内容。请指定一个新的
other-source = 数据库 { $file } 里有另一个数据库 { $from } 的一部分，它的迁移中断了。请再运行那一次迁移，或指定一个新的
different-table = 表 { $table } 复制了两次，仍然不一致：{ $file } 里有 { $found } 行，来源有 { $wanted } 行。请确认没有别的程序在写入，然后再运行同样的命令。在那之前 { $file } 不能使用
only-in-file = 数据库 { $file } 在服务器上：这件事只有单个文件的数据库能做。PostgreSQL 有自己的办法（docs/OPERATIONS.md 里的 “On PostgreSQL”）
closed = 存储已关闭。请重新启动 Kith；日志里写着为什么关闭
