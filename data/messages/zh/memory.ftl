no-block = 没有 `{ $label }` 这一块，有这些：{ $known }
nothing-to-add = 请写出要添加的文字
nothing-to-change = 请在 `old` 里写出要改的文字；要添加内容请用 core_memory_append
words-not-found = `{ $label }` 里没有“{ $old }”，请照那一块里的原文写
words-ambiguous = “{ $old }”在 `{ $label }` 里出现了 { $times } 次，请多写一些前后的文字
block-too-long = `{ $label }` 会超出上限 { $limit } 字，多了 { $over } 字；请用 core_memory_replace 改短
# Leaves out: $error
block-not-saved = 没能保存，数据库现在用不了
