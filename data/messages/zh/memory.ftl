### 要记的事后来怎样了，给模型看。

no-block = 没有 `{ $label }` 这一块，有这些：{ $known }
nothing-to-add = 请写出要添加的文字
nothing-to-change = 请在 `old` 里写出要改的文字；要添加内容请用 core_memory_append
words-not-found = `{ $label }` 里没有“{ $old }”，请照那一块里的原文写
words-ambiguous = “{ $old }”在 `{ $label }` 里出现了 { $times } 次，请多写一些前后的文字
block-too-long = `{ $label }` 会超出上限 { $limit } 字，多了 { $over } 字；请用 core_memory_replace 改短
# Leaves out: $error
block-not-saved = 没能保存，数据库现在用不了
remembered = 记下了
remembered-instead = 记下了，替换了：{ $old }
not-remembered-malformed = 没有记：没写内容
not-remembered-source = 没有记：依据的那句话已经删了或改了
not-remembered-unwilling = 没有记：里面有人不愿意被记住
not-remembered-sensitive = 没有记：健康、性取向、宗教、政治和行踪，只有本人要求时才记
memory-too-long = 请控制在 { $most } 字以内
nobody-to-remember = 这里没有叫 { $name } 的人，请照聊天记录里的名字写
no-line-to-remember = 这里没有人说过能作依据的话
due-no-date = 参数 `due` 要写日期，比如 2026-03-01
