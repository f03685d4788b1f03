### 是什么让同伴醒来、又是什么让它没有说话；接在别的话后面用。

woken-by-wait = 等的事来了
woken-by-lull = 很久没人说话
woken-by-day = 到了它开口的时候
woken-by-direct-message = 收到私信
woken-by-mention = 被提及
woken-by-reply = 有人回复它
woken-by-name = 有人叫它的名字
woken-by-only-one = 这里只有对方
woken-by-itself = 它自己想说话
refused-off = 这个频道已关闭
refused-observing = 这里只旁听
refused-asleep = 正在睡觉
refused-budget = 预算已用完
refused-stale = 消息太旧了
refused-bot = 发言的是机器人
refused-paused = 这里已暂停
refused-quiet = 现在要保持安静
refused-no-permission = 没有发言权限
refused-writing-on = 对方还在接着说
refused-looked-already = 回应别的消息时已一并看过
refused-bot-talk = 和机器人说得够多了
refused-own-limit = 今天自己醒来的次数已经够了
refused-unanswered = 上次主动开口还没人回应
mode-off = 关闭
mode-observe = 旁听
mode-on = 开启
