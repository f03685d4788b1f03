### `kith --help` 的文字。命令以其命令词为键，参数以命令和参数名为键；`any` 下的文字适用于每个有此参数的命令。

kith = Kith 是群聊里的伙伴：它跟着读，判断好朋友这时会不会开口，然后用自己的性格说话。多数时候它不出声，不出声不花钱。
kith-more = 不带命令时直接运行：有 Discord 令牌就上 Discord，否则在本机打开一个聊天房间，并显示它的地址。
kith-examples =
    示例：
      kith                                      打开房间；本机有 Ollama 就用它
      OPENAI_API_KEY=sk-… KITH_MODEL=gpt-4.1-mini kith
                                                同上，用 OpenAI 的模型
      kith setup                                一步步来：模型、人设、Discord 机器人
      kith --persona persona/ayou.toml          换一个人设
      kith check                                我的设置有什么问题？
      kith replay friends.jsonl --as 42         42 号开口的地方，它会开口吗？
      kith tools call get_time '{"{}"}'             一个工具会返回什么？

    设置从 kith.toml 读取；SETTINGS.md 解释了每一项。
    退出码：0 正常，1 发现问题或失败，2 参数有误。

## 多个命令共有的参数

any--config = 设置文件 [默认：kith.toml，如果存在]
any--listen = 房间的地址：一个端口，或本机的地址；端口 0 表示任选一个空闲的
any--persona = 人设文件
any--data-dir = 数据库所在的文件夹
any--model = 模型名称，按服务器的写法
any--person = 此人的 ID 或名字；`kith people` 列出两者
any--guild = 只限这个服务器 [默认：所有地方]
any--id = 它的编号

## 伙伴和它的设置

run = 运行伙伴（不带命令也一样）

setup = 首次设置：提问，检验模型和 Discord 令牌，并写好 kith.toml
setup--config = 要写入的设置文件
setup--language = 提问、消息和自带人设的语言
setup--model-url = OpenAI 兼容服务或 Ollama 的地址
setup--model-key-file = 只存放模型密钥的文件
setup--no-model = 暂时不用模型
setup--discord-token-file = 只存放 Discord 机器人令牌的文件
setup--no-discord = 不用 Discord，只用本机的房间
setup--log-channel = 用来查看每次思考过程的 Discord 频道 ID
setup--yes = 不提问：没有用参数回答的，都按建议的来
setup-examples =
    示例：
      kith setup                            一步步提问；按 Enter 采用建议
      kith setup --model-url http://127.0.0.1:8080/v1 --model qwen3 --no-discord --yes
                                            不提问：用自己的模型，只用房间
      kith setup --discord-token-file discord.token --yes
                                            不提问：用 Discord 和本机的 Ollama

    密钥和令牌从不作为参数，因为机器上的所有人都看得到参数：输入时不显示，
    或者放在文件里，或者放在 OPENAI_API_KEY 和 DISCORD_TOKEN 里。
    退出码：0 可以启动，1 还有障碍，2 参数有误。

check = 检查设置、人设和提示词：每个问题一行，写明文件、行号和改法
check--online = 再让模型回答一个词，向 Discord 核对令牌、权限开关和设置里写的频道；启动工具服务器，并调用只读且不需要参数的工具
check--personas = 除设置里写的以外，还要检查的人设文件
check-examples =
    示例：
      kith check                      kith.toml 和它引用的一切
      kith check bo.toml              再加一个还没启用的人设文件
      kith check --config other.toml  另一个设置文件
      kith check --online             模型和 Discord 有回应吗？（会用掉一些 token）

    问题写到标准输出，形如 FILE:LINE: error: 错在哪里; 怎样改正（英文）。
    退出码：0 没有错误（可能有警告），1 至少有一个错误。

persona = 把角色卡变成人设，或给人设加一本世界书
persona-import = 把角色卡变成人设，或给人设加一本世界书
persona-import--card = 角色卡或世界书
persona-import--out = 文件写到哪个文件夹 [默认：当前文件夹]
persona-import--into = 世界书所属的人设文件；世界书会放在它旁边
persona-import-examples =
    示例：
      kith persona import robin.png                        robin.toml、robin.lore.toml 和 robin.avatar.png
      kith persona import robin.charx --out persona        同上，写到文件夹 persona
      kith persona import island.json --into robin.toml    给已有的人设加世界书

    角色卡 V1、V2、V3 可以是 JSON、PNG 或 CHARX，世界书是 JSON（V3、SillyTavern）。
    没能保留的会列出来。卡里的任何东西都不会被运行、下载或填值，也不会覆盖任何文件。
    退出码：0 已导入，1 失败。

tools = 列出工具，按模型看到的样子显示一个，或手动调用一个
tools-list = 列出所有工具：是什么，从哪里来，谁可以触发，在哪里启用
tools-show = 显示模型被告知的工具说明，包括每种协议和每种语言
tools-show--name = 工具名称
tools-call = 手动运行一次工具
tools-call--name = 工具名称
tools-call--parameters = 它的参数，一个 JSON 对象
tools-call--channel = 在哪个频道里调用，写频道 ID
tools-call-examples =
    示例：
      kith tools call get_weather '{"{"}"place": "Oslo"{"}"}'

    结果写到标准输出，其余写到标准错误。工具是真的运行：带着它的密钥，在 data_dir 下它自己的文件夹里。
    没有的是：没有记忆，没有人说过话，没有平台，也不问任何人的权限。
    退出码：0 正常；1 工具失败，或没有这个名称的工具。

## 运行期间

approvals = 列出正在运行的房间里等待批准的事，批准或拒绝
approvals--room-address = 房间的地址 [默认：按设置]
approvals-approve = 让它执行
approvals-deny = 不要它
approvals-examples =
    示例：
      kith approvals                  在等的事，各有编号
      kith approvals approve 7        马上执行，与显示的完全一样
      kith approvals deny 7           彻底取消

    与打开了房间的 kith 同时使用。在 Discord 上，日志频道里的卡片作用相同。
    退出码：0 正常，1 失败，2 参数有误。

usage = 显示模型的用量，以及这个月会到多少
usage--days = 多少天，包括今天 [默认：本月]
usage-examples =
    示例：
      kith usage                      本月至今，以及这个月会到多少
      kith usage --days 7             最近七天

    按 UTC 的日期计算，与服务商的账单一致。[model] 里写了价格才算钱，按当时的价格。
    可以与正在运行的 kith 同时使用。
    退出码：0 已显示，没有花费也一样；1 失败。

## 保存的个人内容

export = 以 JSON 显示保存的关于某人的一切
export-examples =
    示例：
      kith export --person Anna > anna.json
      kith export --person 80351110224678912 --guild 197038439483310086

    给运行 Kith 的人用，在 kith 没有运行的时候。成员用 `/kith export me` 取自己的。
    退出码：0 已写出，没有保存任何内容也一样；1 失败。

people = 列出保存有内容的每个人及其 ID
people-examples =
    示例：
      kith people                     每行一人，带 ID

    给运行 Kith 的人用，在 kith 没有运行的时候。
    退出码：0 已列出；1 失败。

forget = 清除一个人：写过的话，以及所有痕迹
forget--yes = 不再询问
forget-examples =
    示例：
      kith forget --person 80351110224678912                              先询问，再清除
      kith forget --person 80351110224678912 --guild 197038439483310086 --yes

    清除的是：写过的话、回应和私信、名字和 ID、关于此人的记忆，以及可能与其有关的每一轮里的全部文字。
    它们不会自己回来：留下消息的 ID，以便认出它们。Discord 上的消息仍在原处。
    给运行 Kith 的人用，在 kith 没有运行的时候。成员自己用 `/kith forget me`。
    退出码：0 已清除，1 失败或取消，2 参数有误。

memory = 记得哪些人和事：列出、搜索、显示、修改、忘记、撤销
memory--json = 输出一个 JSON 对象
memory-list = 列出记住的内容，新的在前
memory-list--person = 只看关于此人或有此人参与的
memory-list--limit = 最多多少条
memory-show = 显示一条，包括它的出处和它取代的内容
memory-search = 按词搜索
memory-search--words = 其中任何一个词都行
memory-search--person = 只看关于此人或有此人参与的
memory-search--limit = 最多多少条
memory-edit = 改写一条
memory-edit--text = 从现在起它怎么说
memory-forget = 彻底清除一条
memory-undo = 撤销修改：被取代的内容重新有效
memory-undo--id = 修改后得到的编号
memory-examples =
    示例：
      kith memory list                                  人和关于他们的事、往事、核心记忆
      kith memory list --person 80351110224678912 --json
      kith memory search 'cello concert'
      kith memory show 12                               一条记忆和它出自的消息
      kith memory edit 12 'plays the viola'             原来的内容会保留，可以撤销
      kith memory undo 13                               被 13 取代的那条重新有效
      kith memory forget 12                             彻底清除，连同它取代的内容

    给运行 Kith 的人用，在 kith 没有运行的时候。成员用 `/kith memory me` 查看关于自己的。
    要清除一个人的全部，用 `kith forget`。
    退出码：0 正常，1 失败或没有这一条，2 参数有误。

## 数据库

backup = 把数据库复制到一个文件，kith 运行时也可以
backup--file = 要写入的文件
backup-examples =
    示例：
      kith backup kith-monday.db                     数据库此刻的副本
      kith backup /mnt/disk/kith.db --config other.toml

    kith 运行时也可以，它照常运行。只有你能打开这个文件，已有的文件不会被覆盖。
    里面是大家写过的话：以后删除或忘记的，仍会留在里面，直到你删掉它。
    `kith restore FILE` 用来恢复。
    退出码：0 已备份，1 没有备份。

restore = 用备份替换数据库；备份之后忘记的仍然是忘记的
restore--file = `kith backup` 写出的文件
restore-examples =
    示例：
      kith restore kith-monday.db                      恢复到 kith.toml 的 data_dir
      kith restore kith-monday.db --config other.toml

    在 kith 没有运行的时候。先检查文件，再做改动；文件本身保持原样。
    备份之后的删除、修改、忘记和个人意愿，按现有的数据库在恢复的内容上再做一遍；
    现有的数据库保留在旁边。
    退出码：0 备份已就位，1 没有任何改动。

recover = 把损坏的数据库里能读的复制到新的数据库，并保留损坏的
recover-examples =
    示例：
      kith recover                      kith.toml 的数据库
      kith recover --config other.toml

    用于 kith 说已损坏、又没有备份的数据库，在 kith 没有运行的时候。损坏的会保留在新的旁边。
    不再需要时请删掉它：以后别人删除的内容仍会留在里面。
    退出码：0 有了新的数据库，1 没有任何改动。

migrate = 把数据库从文件迁移到 PostgreSQL 服务器，或迁移回来
migrate--from = 要迁移的数据库：文件，或 postgres://… [默认：设置里的数据库]
migrate--to = 迁移到哪里（一个新的数据库）：文件，或 postgres://… [默认：设置里的数据库]
migrate-examples =
    示例：
      kith migrate --from data/kith.db        迁移到 kith.toml 里的服务器（`store.url` 或 `store.url_file`）
      kith migrate --to data/kith.db          从 kith.toml 里的服务器迁移回来
      kith migrate --from data/kith.db --to postgres://kith@db.example/kith

    在两边都没有 kith 运行的时候。原来的数据库只读取，不改动。先复制所有的行，再从两边重新读出来核对；
    在那之前谁也不能用新的数据库启动。任何时候中断，再运行同样的命令都会接着继续。
    请在设置里写服务器：在这里输入的内容，包括密码，这台机器上的其他人看得到。
    退出码：0 新数据库里有全部内容，1 没有迁移。

## 聊天记录

parse = 从标准输入读取模型的原始回答，以 JSON 显示其中的调用
parse--protocol = 回答所用的协议，xml 或 json [默认：找到哪种算哪种]
parse--member = 群里某个人的名字，署这个名的话不算角色自己说的；有几个人就写几次
parse-examples =
    示例：
      echo '<turn><send_message>hi</send_message></turn>' | kith parse
      {"{"}"thoughts":"","calls":[{"{"}"name":"send_message","params":{"{"}"text":"hi"{"}}"}],"repairs":[]{"}"}

    退出码：0 读出了内容，1 什么也读不出来。

replay = 重放聊天记录：它会在什么时候开口，为什么？
replay--logs = 聊天记录：JSON Lines，或 DiscordChatExporter 导出的 JSON
replay--me = 聊天里谁是伙伴，写 ID 或名字
replay--live-in = 聊天里没有人是伙伴：来了一个新人，它会说的话留在聊天里。显示每个人写了多少
replay--points = 重放每个人，对这个点文件里的每条消息作决定
replay--root = 点文件所指记录的文件夹，含 eval/personas.json
replay--out = 决定写到哪里
replay--prompts = 本来会发出的提示词写到哪里，每个一个文件
replay--reply-links = 把 JSON Lines 里的 `reply_to` 当作作者自己写的；Discord 导出的总是如此
replay--turns = 用设置里的模型运行每一轮，显示它会说什么
replay--lint = 与 --turns 合用：再显示伙伴说话的样子
replay--sweep = 用多个健谈度重放并显示表格：talkativeness=0.1..0.9 每步 0.1，或 talkativeness=0.2,0.5,0.8
replay--plot = 与 --sweep 合用：画成 SVG，显示每个健谈度下多久开口一次
replay--compare = 再用另一份设置重放，显示不同的决定。文件可以是人设（替换人设），或 kith.toml（替换设置和人设）
replay-examples =
    示例：
      kith replay friends.jsonl --as 42                   42 号开口的地方，它会开口吗？
      kith replay export.json --as 42 --out decisions.jsonl --prompts prompts-sent/
      kith replay friends.jsonl --as 42 --turns --lint    它会说什么，听起来怎么样？
      kith replay --points eval/dev.points.jsonl --root groupchat/ --out decisions.jsonl
      kith replay friends.jsonl --live-in                 它在他们中间会写多少？
      kith replay friends.jsonl --as Anna --sweep talkativeness=0.1..0.9 --plot levels.svg
                                                          每个健谈度下它多久开口一次？
      kith replay friends.jsonl --as 42 --compare quiet.toml
                                                          换这份设置或人设，会有什么不同？

    --as 指定的人被当作伙伴：此人写过的话就是它自己的过去。
    --out 对别人的每条消息写一行决定，score 是以概率表示的意愿：
    {"{"}"f","p","id","score","speak","why":{"{…}}"}。
    最后在标准输出显示摘要（英文）。

    --turns 会问设置里的模型。其花费不计入 `kith usage`：每次运行各自按设置里的每日预算从头算起。

recall = 它会记得聊天记录里的什么？用回忆找到的句子回答问题
recall--logs = 聊天记录：JSON Lines，或 DiscordChatExporter 导出的 JSON
recall--questions = 问题，每行一个
recall--out = 回答写到哪里
recall--data = 把读入聊天的存储保留在这个文件夹
recall-examples =
    示例：
      kith recall chat.jsonl --questions questions.jsonl --out hits.jsonl
      kith recall chats/*.jsonl --questions questions.jsonl --out hits.jsonl --data kept/

    一个问题是一行 {"{"}"id": "q1", "text": "when is Anna's exam?", "f": "chat.jsonl"{"}"}；问的是该文件名的记录。
    有 "at"（时间）时只算在那之前说的，有 "asker"（记录里某人的 ID）时知道是谁在问。
    一个回答是一行 {"{"}"id": "q1", "hits": [句子的 ID，最好的在前，最多 20 个]{"}"}。

## 命令行环境

completions = 输出命令行补全所需的内容
completions--shell = 哪种 shell
completions-examples =
    示例：
      kith completions bash > ~/.local/share/bash-completion/completions/kith
      kith completions zsh  > ~/.zfunc/_kith
      kith completions fish > ~/.config/fish/completions/kith.fish

man = 显示手册页，或为每个命令写一页
man--out = 手册页写到哪个文件夹；不写则把 kith 的那页写到标准输出
man-examples =
    示例：
      kith man | man -l -                       阅读 kith 的手册页
      kith man --out ~/.local/share/man/man1    写出它和每个命令的手册页
