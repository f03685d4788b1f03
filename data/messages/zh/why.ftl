### `/kith why` 的卡片。

energy = 精力
budget-today = 今日预算
why-it-spoke = 它为什么说话
why-it-failed = 它为什么没能回应
why-it-kept-silent = 它为什么没有说话
willingness = 意愿
strongest-reasons = 主要原因
when-it-looked = 查看时
turn = 回合
sentence-end = 。
not-looked-at = 没有单独查看：以同一阵里的另一条消息为准，或者还没有查看
spoken-to = 有人在对它说话
own-reason = 它自己有理由醒来
wanted-to-speak = 它想说话
in-doubt = 拿不准，先问了另一个模型该不该说话
not-enough = 不足以开口
waited-for-place = 在等空闲的位置
looked = { $outcome }：{ $after }后，{ $against }
channel-off = { $place } 已关闭：这里不读取任何内容。
nothing-thought-about = 在 { $place } 还没有考虑过任何消息。
not-scored = { $name } 读过这条消息，但没有考虑过要不要回应：它是后来补读的，或者是它自己说的。
not-stored = { $name } 不知道这条消息：它写于频道关闭期间，或已超过 { $days } 天，或已被删除或忘掉，或者作者不希望被读取。
unknown-turn = 没有这个回合：它还在进行，或者已不再保存。
