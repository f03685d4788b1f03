### 守护进程说的话：工具要的事为什么没办成（给模型看），以及关于模型、评判和预算的通知。

stopping = 程序正在停止
turn-over = 这一回合已经结束
turn-over-or-closed = 这一回合已经结束，或这里不能再发言了
nothing-kept-here = 这里什么都不记
reminders-full = 这里已经有 { $most } 个提醒，不能再多了
reminders-of-one-full = 这个人已经有 { $most } 个提醒，不能再多了
nothing-to-sum-up = 还没有可以概括的
channel-not-on = 这个频道没有开启
being-summed-up = 已经在概括了
no-summary-model = 没有可以做概括的模型
budget-nearly-spent = 今天的预算快用完了

## 平台上的子区、成员、贴纸和状态

channel-exists = 已经有频道 #{ $label } 了，请换个名字
permission-missing = 你在这里没有 { $permission } 权限
no-thread-here = 只有服务器的文字频道里能开子区
member-unknown = 关于 { $name } 什么都不知道
member-not-here = { $name } 看不到这个频道
member-gone = { $name } 已经不在这个服务器了
status-changed-just-now = 刚刚改过，请等 { $seconds } 秒
status-shown-everywhere = 这里不是人人都能看到，而状态到处都会显示
stickers-unreadable = 现在读不到贴纸
no-stickers = 这里没有贴纸
unknown-sticker = 没有贴纸“{ $name }”，有这些：{ $names }
unknown-sticker-of-many = 没有贴纸“{ $name }”，有这些：{ $names }，还有 { $more } 个

## 会话

session-outcome = “{ $label }”结束了。结果：{ $outcome }
session-stopping = 程序正在停止
# Leaves out: $error
session-not-kept = 会话没能存下
# Leaves out: $error
sessions-not-kept = 现在存不了会话
session-channel-gone = 频道已经不在了
# Leaves out: $label
session-exists = 已经有同名的会话了
session-person-forgotten = 这里有人要求被遗忘，现在不行
session-in-direct-message = 私信里没有子区
session-thread-more-open = 能看到新子区的人并不都能看到这里
session-without-threads = 这种频道没有子区，请就在这里说
# Leaves out: $most
sessions-full = 已开的会话到上限了，请就在这里说
# Leaves out: $depth
sessions-too-deep = 会话的层数到上限了，请就在这里说
unknown-session-profile = 没有类型“{ $name }”
session-vars-missing = 参数 `vars` 要给出类型 { $name } 需要的：{ $missing }

## 得分拿不准时，问模型该不该说话

judge-speaks = 拿不准，问了 { $name }：此刻该说话
judge-keeps-silent = 拿不准，问了 { $name }：此刻不该说话
no-judge-speaks = 拿不准，问了却没有答复（{ $why }）：按得分说话
no-judge-keeps-silent = 拿不准，问了却没有答复（{ $why }）：按得分不说话

## 模型，以及频道、成员和各项功能的预算

no-model-answers = 没有可用的语言模型，所以在 Discord 上只旁听、不说话：请在 kith.toml 的 [model] 里设置一个（可用 `kith setup`），立即生效。
vision-budget-low = 今天看图的预算快用完或已用完：少描述或不再描述图片。
task-budget-low = 今天任务的预算快用完或已用完：少做或不再做任务。
summary-budget-low = 今天做摘要的预算快用完或已用完：少做或不再做摘要。
judge-budget-low = 今天判断该不该说话的预算快用完或已用完：只按得分决定。
channel-budget-low = 今天#{ $place } 的预算快用完了：只回应直接找我的人。
person-budget-low = 今天某位成员的（最近在 #{ $place }）预算快用完了：只回应直接找我的人。
turn-budget-low = 今天对话的预算快用完了：只回应直接找我的人。
channel-budget-spent = 今天#{ $place } 的预算已用完：UTC 零点之前不再回应。
person-budget-spent = 今天某位成员的（最近在 #{ $place }）预算已用完：UTC 零点之前不再回应。
turn-budget-spent = 今天对话的预算已用完：UTC 零点之前不再回应。

## 新房间里的频道和人

first-channel = 客厅
first-channel-topic = 随便聊
second-channel = 吃什么
second-channel-topic = 今天做了什么，糊了什么
first-person = 小安
second-person = 阿本
third-person = 可可
