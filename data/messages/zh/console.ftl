### 控制台里的每句话；房间网页也说的那些不在这里。文字同样由网页填入。

console = 控制台
skip-navigation = 跳过导航
to-room = 回到房间
view-overview = 频道
view-memory = 记忆
view-turns = 每一轮
view-spend = 开销
view-faults = 错误
view-approvals = 待批准
view-personas = 人设
view-settings = 设置
nothing-here = 这里什么也没有。

# 频道。
server = 服务器
all-servers = 所有服务器
the-room = 房间
find-channel = 找频道
order = 排序
order-heard = 最近有人说话
order-spoke = 最近它说过话
order-name = 名称
channel = 频道
mode = 模式
all-modes = 所有模式
state-on = 开
state-observe = 只旁听
state-off = 关
state-gone = 已不在
willingness-now = 现在的意愿
score-of-bar = { $score }，门槛 { $bar }
thinking-now = 正在思考
heard-last = 最近消息
spoke-last = 最近发言
tokens-today = 今日词元
of-cap = { $used } / { $cap }
cost-today = 今日花费
processes = 进程
runs-partitions = 分区 { $partitions }
waits-to-take-over = 等待接手
this-process = { $name }（本进程）
no-channel-fits = 没有符合的频道。
no-channel-of-its-own = 不属于任何频道
page-before = 上一页
page-after = 下一页
page-of = 第 { $page } 页，共 { $pages } 页

# 记忆。
memory-in = { $channel } 的记忆
memory-everywhere = 所有频道的记忆
memory-choose-channel = 请选一个频道：每次提示词里都有的内容属于它所在的服务器，或只属于它自己。
all-channels = 所有频道
person = 人
everybody = 所有人

# 频道的一天。
day = 日期
day-before = 前一天
day-after = 后一天
day-plot = 这一天
day-plot-of = { $channel } 的一天：消息、意愿、门槛和每一轮；下面的表格按小时列出同样的内容
day-plot-note = 小圆圈：每条消息让它有多想说话。虚线：门槛。大圆圈：它的每一轮，点一下就能打开。灰色：每一刻钟的消息数。
quiet-day = 这一天没有人说话。
left-out-messages = 当天最早的 { $count } 条消息没有画出。
axis-willingness = 意愿
axis-messages = 消息
threshold = 门槛
time = 时间
by-hour = 按小时
hour = 小时
from-people = 别人的
its-own = 它自己的
unasked-turns = 主动发言
all-turns-here = 这里的每一轮
talk-rate = 它主动说话的频率
rate-share = 它的消息与别人消息之比
rate-median = 中间那位成员的消息占所有人消息的比例
rate-messages = 不是对它说的消息
rate-wanted = 期望
rate-reached = 实际
rate-note = 期望：按健谈程度和中间那位成员最近的话量，它现在主动说的话最多可以占多少。回答叫它的人不算在内；接着自己的对话说下去算在“实际”里，但不受这个上限约束。
rate-asleep = 这个频道没有醒着，所以不知道期望是多少。

# 每一轮。
turn = 轮
turn-number = 第 { $turn } 轮
turn-before = 上一轮
turns-in = { $channel } 的每一轮
turns-everywhere = 所有频道的每一轮
no-turns-yet = 还没有开始过。
outcome = 结果
began = 开始
took = 用时
rounds = 回合数
tokens-word = 词元
cached = 缓存
cost = 花费
unasked = 主动
waterfall = 时间花在哪里
prompt-gone = 提示词已不再保留：只保留最近一些轮的。
whole-prompt = 完整的提示词
diff-to-turn-before = 与上一轮相比
diff-to-round-before = 与上一回合相比
diff-summary = { $against }：新增 { $added } 行，少了 { $removed } 行
nothing-to-compare = 之前的提示词没有保留。
cached-part = { $share } 来自服务商的缓存（有底色的部分）
unchanged-lines = { $count } 行没有变化

# 开销。
last-days = { $count } 天
span-of-time = 时间
calls-word = 调用
prompt-tokens = 输入词元
answer-tokens = 输出词元
function = 用途
nothing-spent = 这段时间没有开销。
spend-by-day = 按天
spend-by-channel = 按频道
spend-by-function = 按用途
spend-by-model = 按模型
as-table = 用表格看
days-are-utc = 每天从 UTC 零点开始，和预算一样。

# 错误。
faulty-turns = 出过错的轮次
fault-log = 启动以来日志里的警告和错误
when = 时间
how-bad = 类别
what-failed = 什么失败了
what-happened = 发生了什么
went-on = 继续了下去
log-error = 错误
log-warning = 警告
no-faults = 留存的每一轮都没有出错。
no-fault-log = 日志没有警告过什么。

# 设置和批准。
setting = 设置
value = 值
comes-from = 来自
settings-file = 写在 { $file } 里。不显示密钥。
settings-warnings = 多半不是本意
find-setting = 找设置
with-defaults = 也显示默认值
no-setting-fits = 没有符合的设置。没有设过的都是默认值。
origin-default = 默认
origin-found = 启动时找到
nothing-pending = 没有等待批准的事。

# 人设。
no-personas = 设置里没有提到人设文件，所以用的是自带的人设。要在这里修改，请从 persona/ 复制一个，并写进 kith.toml 的 `persona`。
persona-note = 写的时候就会检查，和 kith check 一样。保存之后从下一轮起生效。Ctrl+S 保存。
persona-fine = 没有问题：这是{ $name }。
persona-saved = 已保存到 { $file }。
line-number = 第 { $line } 行
