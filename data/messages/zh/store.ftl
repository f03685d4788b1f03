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
