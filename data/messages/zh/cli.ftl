### `kith` 各个命令显示的文字，以及失败的原因。

## 帮助

commands-heading = 命令：
arguments-heading = 参数：
options-heading = 选项：
print-help = 显示帮助
print-version = 显示版本
explain-commands = 显示这些文字，或某个命令的帮助
help-with-default = { $text } [默认：{ $default }]
help-with-values = { $text } [可选：{ $values }]

## 所有命令

error = 错误：{ $why }
warning = 警告：{ $what }
secrets-kept = 环境变量里仍有密钥，其他程序可能读到：{ $error }
written = 已写入：{ $file }
pages-unwritable = 无法写入手册页：{ $error }

## 参数有误

unknown-argument = 没有 '{ $argument }' 这个参数
unknown-command = 没有 '{ $command }' 这个命令
argument-missing = 缺少必需的参数：{ $arguments }
argument-conflict = 参数 '{ $argument }' 不能与 '{ $other }' 同时使用
argument-twice = 参数 '{ $argument }' 不能写多次
value-missing = '{ $argument }' 需要一个值，但没有写
invalid-value = '{ $argument }' 的值 '{ $value }' 无效 [可选：{ $known }]
refused-value = '{ $argument }' 的值 '{ $value }' 无效：{ $why }
similar = {"  "}提示：有一个相近的：'{ $name }'
usage-of = 用法：{ $usage }
see-help = 详见 '--help'。
native-answer = 原生调用与文字分开返回，所以没有文字可读；去掉 --protocol，就能读取服务商以 JSON 写出的调用
answer-forms = 回答的形式是 xml 和 json

## 运行

kith-is-here = Kith 在这里：{ $address }
kith-is-on-discord = Kith 在 Discord 上，名叫 { $name }；用此链接邀请它：{ $invite }
waits-for-others = 另一个 Kith 正在运行；它停下时由这里接手。按 Ctrl-C 停止。
room-is-undivided = `store.partitions` 只用于 Discord，而现在没有令牌；请提供令牌，或去掉 `store.partitions`
console-is-here = 控制台在这里：{ $address }
hidden-token = { $address }（令牌在 { $file } 里，不写在这份日志里）
daily-cap = 每日上限：{ $tokens } 个 token（budget.daily_tokens）。按 Ctrl-C 停止。
no-signals = 系统不允许接收 Ctrl-C
daemon-died = 主程序意外停止；请看日志
page-not-on-loopback = 页面不能开在 { $address }：传输没有加密，只供本机使用；请在 `{ $setting }` 中填写 127.0.0.1
page-port-in-use = 页面不能开在 { $address }：端口已被占用，也许是另一个 Kith；请停掉它，或在 `{ $setting }` 中换一个端口（0 表示任选一个空闲端口）
page-unopenable = 页面不能开在 { $address }：{ $error }；请在 `{ $setting }` 中换一个端口
page-token-unkept = 页面的令牌无法保存在 { $folder } 里：{ $error }；请检查 `data_dir`
metrics-unopenable = 指标不能开在 { $address }：{ $error }；请在 `metrics.listen` 中换一个端口

## 数据库和人

no-threads = 系统不给线程：{ $error }；请关掉一些程序
no-database = 没有数据库 { $file }；请检查 data_dir，或用 --config 指定正确的设置文件
kith-is-running = { $holder }正在这里运行，还记着此人；请让此人在 Discord 输入 `{ $command }`，或先停掉它再试
unknown-guild = 对服务器 { $guild } 一无所知；请检查 ID，或去掉 --guild
nobody-is-called = 没有人叫 { $name }；`kith people` 列出所有人
several-are-called =
    有好几个人叫 { $name }；请给出 ID：
    { $people }
message-count = { $count } 条消息
channel-count = { $count } 个频道
person-count = { $count } 人

## backup、restore、recover

database-holds = { $file }：{ $summary }
database-summary = { $megabytes } MB，{ $people }在 { $channels }里的 { $messages }，以及 { $memories }
database-summary-of-days = { $megabytes } MB，{ $people }在 { $channels }里的 { $messages }（{ $first } 至 { $last }），以及 { $memories }
memory-count = { $count } 条记忆
backup-keeps = 里面是大家写过的话，包括以后删除或要求忘记的，直到你删掉这个文件
no-backup = 没有备份：{ $why }
nothing-changed = 没有任何改动：{ $why }
stop-holder = 数据库 { $file } 正被{ $holder }使用；请停掉它再试
wishes-unknown = 这里原来没有数据库，所以没人知道备份之后删除、忘记过什么，有过什么意愿：请让大家再说一次
since-backup = 备份之后：忘记了 { $forgotten }，删除了 { $deleted }，修改了 { $edited }；这些在恢复的内容里同样有效，个人意愿也是
partly-unreadable = 原来的数据库没能全部读出：{ $tables }。备份之后删除、忘记的内容和个人意愿可能又回来了：请让大家再说一次
wishes-lost = 有 { $count } 个意愿没能带过来，因为备份属于另一个数据库：请让大家再说一次
former-database = 原来的数据库在 { $file }。从现在起删除的内容仍留在它和备份里：一切正常的话，请在几天内删掉它
table-rows = { $table }：{ $count } 行
all-recovered = 每个表都完整读出
partly-recovered = 没能全部读出：{ $tables }
preferences-lost = { $tables } 记录着谁想被忘记或忽略：请让大家再说一次
recovered = { $file } 是新的；损坏的在 { $kept }。从现在起删除的内容仍留在那里：请尽快删掉它

## migrate

name-a-database = 请用 --from 指定要迁移的数据库，或用 --to 指定迁移到哪里；另一个就是设置里的数据库
no-address = 服务器地址无效：请写成 postgres://HOST/DATABASE，并在 HOST 前加上 USER:PASSWORD@
copying-table = 正在复制 { $table }
comparing-table = 正在核对 { $table }
completing = 正在建立索引
not-moved = 数据库没有迁移，{ $from } 保持原样：{ $why }
moved = 全部内容已在 { $place }，行数和校验和都一致：{ $people }在 { $channels }里的 { $messages }，以及 { $memories }（共 { $rows } 行，用时 { $seconds } 秒）
moved-on = 这次接着上次中断的地方继续
copied-again = 第一次复制之后有改动，因此复制了两次：{ $tables }
start-on-it = 设置里写的已经是 { $place }：请启动 Kith
name-server = 现在请把 { $place } 的地址写进设置（[store] 下的 `url`），或写进那里 `url_file` 指定的文件，然后启动 Kith
name-folder = 现在请从设置的 [store] 里删去 `url` 和 `url_file`，并把 data_dir 设为 { $place } 所在的文件夹，文件在那里要叫 kith.db，然后启动 Kith
keep-old-database = { $from } 保持原样，绝不要让它和新的同时运行。从现在起删除的内容仍留在它里面：一切正常的话，请在几天内删掉它

## export、forget

gathering = 正在收集保存的内容
erasing = 正在清除
nobody-to-ask = 这里没有人可以确认；如果确实要这样做，请加上 --yes
confirm-erasure = 清除保存的关于 { $person } 的一切？无法撤销。 [y/N]
nothing-erased = 什么也没有清除。
erased = 已忘记 { $person }：清除了 { $channels }里的 { $messages }，{ $turns }只留下数字。
turn-count = { $count } 轮

## usage

nothing-spent = { $first } 至 { $last }（UTC）没有用量：0 个 token，0 次调用。
no-database-yet = 还没有数据库 { $file }。
no-channel = 无频道
usage-by-day = 日期
usage-by-model = 模型
usage-by-channel = 频道
usage-by-function = 用途
usage-calls = 调用
usage-prompt = 提示词
usage-cached = 缓存
usage-answers = 回答
usage-cost = 费用
usage-all = 合计
month-at-this-pace = 照此速度，一个月约 { $tokens } 个 token。
month-with-cost = 照此速度，一个月约 { $tokens } 个 token，费用 { $cost }。

## memory

nothing-remembered = 没有符合的记忆。
core-memory = 核心记忆 { $block }（{ $scope }）：
memory-score = 得分 { $score }：{ $words }
memory-superseded = 已被 { $id } 取代
memory-in-place-of = 取代了 { $entry }
memory-edit-length = 请在引号里写下正确的内容，1 到 { $most } 个字符
memory-changed = { $id } 已修改；`kith memory undo { $new }` 可以撤销：
memory-forgotten = 已忘记 { $id }，连同它取代的一切。
memory-without-past = { $id } 没有取代任何内容；`kith memory show { $id }` 显示它是什么
memory-taken-back = { $id } 已撤销；以下重新有效：
unknown-memory = 没有编号为 { $id } 的记忆；`kith memory list` 显示各个编号
memory-channel = 频道 { $id }
memory-said-by = （{ $person } 说的）
memory-source = 出自 { $id }  { $author }：{ $text }
memory-source-gone = 出自 { $id }，太旧，已不再保留
memory-kind-name = 名字
memory-kind-about = 个人情况
memory-kind-relation = 关系
memory-kind-manner = 相处方式
memory-kind-promise = 约定
memory-kind-episode = 往事

## approvals

nothing-waits = 没有等待批准的事。
waiting-call = { $id }  #{ $channel }  { $call }  由 { $people } 引起
approved = { $id } 已批准：马上执行
denied = { $id } 已拒绝：什么也不做
token-unreadable = 无法读取 { $folder } 里的令牌：{ $error }
no-room-opened = 没有用数据文件夹 { $folder } 打开过房间：请启动 kith，或用 --config 指定正确的设置文件
room-refused = 被拒绝了
no-room-answers = { $address } 没有房间回应：请启动 kith，或用 --listen 指定它的地址

## check

persona-fine = { $file } 没有问题：这是{ $name }，叫 { $names } 它会听见
settings-fine = { $file } 没有问题：{ $summary }
secrets-not-tried = 密钥和令牌对不对还没有问过：`kith check --online` 会去问
the-defaults = 默认设置
problem-counts = { $errors }，{ $warnings }
error-count = { $count } 个错误
warning-count = { $count } 个警告
summary-in-room = { $name } 在房间 { $address }，用 { $model } 思考，每天最多 { $tokens } 个 token
summary-on-discord = { $name } 在 Discord 上，用 { $model } 思考，每天最多 { $tokens } 个 token
any-model = 找到的任何模型
no-model-to-ask = 没有模型可问：`model.provider` 是 "none"
model-answers = { $line }；回答了“{ $text }”，{ $first } 秒后出第一个 token，{ $total } 秒后全部完成
with-note = { $text }；{ $note }
discord-summary = Discord：应用“{ $application }”的 { $name }，{ $shards } 个分片，今天还可以启动会话 { $remaining } 次（共 { $total } 次）；邀请链接：{ $invite }
place-not-looked-at = 无法查看 `{ $path }`：{ $why }
guild-invisible = `{ $path }` 不是机器人能看到的服务器
guild-cure = 请邀请它加入，或改正数字（右键服务器，复制服务器 ID）
channel-invisible = `{ $path }` 不是机器人能看到的频道
channel-cure = 请在那里给它“查看频道”权限，或改正数字（右键频道，复制频道 ID）
log-channel-invisible = `{ $path }` 是 { $channel }，不是机器人能看到的频道
log-channel-cure = 请在那里给它“查看频道”“发送消息”“嵌入链接”权限，或改正 ID（右键频道，复制频道 ID）
log-channel-elsewhere = `{ $path }` 是 { $channel }，那是另一个服务器的频道
log-channel-elsewhere-cure = 请写这个服务器的频道：一个服务器的日志频道只显示这个服务器
log-channel-without-text = `{ $path }` 是 { $channel }，那里不能写消息
log-channel-text-cure = 请写一个文字频道
log-channel-lacks = `{ $path }` 是 { $channel }，机器人在那里缺少{ $permissions }权限
log-channel-allow = 请在频道设置里允许（编辑频道，权限，机器人的身份组）
view-channel = “查看频道”
send-messages = “发送消息”
embed-links = “嵌入链接”
both = { $first }和{ $second }
fault-with-cure = { $message }；{ $cure }
tool-not-called = 这里不调用工具 { $name }：它可能会做什么，或者需要参数；请用 `kith tools call { $name }` 试试
tool-complains = {"  "}{ $name } 写到标准错误：{ $line }
server-ready = 服务器 { $name } 在，有 { $count } 个工具
server-unavailable = 服务器 { $name } 不在：{ $why }
server-silent = 服务器 { $name } 在 { $seconds } 秒内没有回应
tool-answers = 工具 { $name } 回答：{ $answer }
tool-failed = 工具 { $name } 失败了：{ $answer }

## tools

list-two = { $first }，{ $second }
origin-kith = kith 自带的工具
origin-server = MCP 服务器 { $name }
tool-read-only = 只读
tool-idempotent = 可重复
tool-to-be-found = 需要搜索才会出现
tool-built-in = 自带
action-tool = 工具
action-quiet = 静默动作
action-visible = 可见动作
caused-by = 可由{ $who }触发
anyone = 任何人
roles = 身份组 { $roles }
moderators = 管理员
host = 主人
times-an-hour = 每小时 { $most } 次
not-in-direct-messages = 私信中不可用
with-approval = 需要批准
on = 启用
off = 停用
on-in-guild = 在服务器 { $id } 启用
off-in-guild = 在服务器 { $id } 停用
on-in-channel = 在频道 { $id } 启用
off-in-channel = 在频道 { $id } 停用
tool-line = { $name } { $about }；{ $places }
tool-line-with-origin = { $name } { $about }；{ $places }（{ $origin }）
tool-origin = { $kind }，来自 { $origin }；{ $places }
unknown-tool-like = 没有工具 { $name }；是不是 { $nearest }？
unknown-tool = 没有工具 { $name }；`kith tools list` 会列出所有工具
parameters-malformed = 参数不是 JSON 对象：{ $error }；请写成 '{"{\"a\": 1}"}' 这样
standard-error = 标准错误：{ $text }
published = 发布到 { $channel }：{ $data }
details = 详情：{ $details }
call-pending = 什么也没做：在聊天里需要有人批准
call-ends-turn = 它结束这一轮
