### `/kith status` 的卡片。

title = { $name }：{ $place }
mode = 模式
now = 此刻
waits-for = 在等
waits-for-click = 等待批准
last-day = 过去 24 小时
reception = 反响
persona = 人设
model = 模型
budget-today = 今日预算
projected-month = 预计每月
who-may = 谁可以
mode-by-host = { $mode }（部署者设置）
mode-by-person = { $mode }，{ $by } 设置于 { $since }前
mode-by-moderator = { $mode }，管理成员设置于 { $since }前
only-observes = 还没有配置模型：只旁听
may-not-write = 没有发言权限
paused = 暂停中，还有 { $left }
asked-for-quiet = 有人要求安静：{ $left }内不主动说话
asleep = 睡觉中
quiet-hours = 安静时段 { $from }-{ $to }{ $zone }
thinking = 思考中
reset-drops-it = （用 `/kith 恢复设置` 取消）
approvals-in-log = { $count } 项，见日志频道
until-word = “{ $word }”
until-time = { $duration }后
or-between = 或
intent = • { $things }：{ $note }（还剩 { $lapses }）
allowance = 主动说的话最多占别人消息的 { $wanted }；中间那位成员占 { $median }
persona-line = { $name }，健谈程度 { $chatty }（最高 { $most }）
no-model = 无
model-line = { $model }（{ $hostname }）
budget-share = 已用 { $share }
budget-spent = { $spent } / { $cap } 词元（{ $share }）
about-tokens = 约 { $about } 词元
about-tokens-here = 这里约 { $about } 词元
who-changes-direct = 更改：你；模式和模型：部署者
who-changes-guild = 更改：有“管理服务器”权限的成员和部署者
no-bots-answered = 得到回应：人，不包括机器人
bots-answered = 得到回应：人，偶尔也有机器人
hourly = 每小时约 { $hourly } 条
# Leaves out: $read_number, $would_number
observed-of-late = 读了 { $read } 条消息，本来会说话 { $would } 次
# Leaves out: $read_number, $spoke_number
spoke-of-late = 读了 { $read } 条消息，说话 { $spoke } 次
