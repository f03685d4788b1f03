### `kith setup` 的提问和说明。

language-prompt = 语言
welcome = 每个回答都会马上检验；按 Enter 采用 [ ] 中的建议。到最后才会写入文件。
overwrite = { $file } 已存在。要写一个新的，并把旧的保留为 { $backup } 吗？
kept = { $file } 已存在，保持不变：请把它移走，或用 --config 指定另一个文件。
written = 已写入：{ $file }
start-it = 启动：kith run{ $config_flag }
before-start = 用 `kith run{ $config_flag }` 启动之前还需要：
without-discord = 不连接 Discord：kith 会在本机打开一个聊天房间。
keep-token = 仍然保留这个令牌？
correct-token = 请改正或取消 DISCORD_TOKEN，然后重新开始。
token-from-environment = 使用环境变量 DISCORD_TOKEN 中的令牌。
token-prompt = Discord 机器人令牌（不会显示；按 Enter 表示不用 Discord，只用房间）
token-from-file = 使用 { $file } 中的令牌？
asking-discord = 正在询问 Discord……
look-again = 再检查一次？
invite = 请由有“管理服务器”权限的人用此链接邀请它：
permissions-asked = 它只申请以下权限：
off-until-switched-on = 邀请后它默认关闭，直到管理员在频道里输入 /kith on。
log-channel-prompt = 用来查看每次思考过程的频道 ID（右键频道，复制频道 ID；按 Enter 表示不用）
no-channel-id = 这不是 ID：ID 是 17 到 19 位数字。
without-model = 暂时没有模型：在房间里由替身回答，在 Discord 上只旁观、不说话。
where-is-model = 模型在哪里？OpenAI 兼容服务或 Ollama 的地址，{ $no_model } 表示没有 [{ $proposed }]
model-named = { $name } 是模型名：使用 { $address } 上的这个模型。
model-needs-address = { $name } 是模型名。它在哪个服务上？
key-or-variable = 它的密钥（不会显示；按 Enter 使用 { $variable } 中的）
key-prompt = 它的密钥（不会显示；没有就按 Enter）
looking-for-ollama = 正在寻找 Ollama……
asking-for-models = 正在查询可用模型……
model-name-prompt = 模型名称，或按 Enter 换一个服务
asking-model = 正在让模型回答一个词……
try-another = 换一个试试？
more-models = {"      "}还有 { $more } 个
which-model = 用哪个？编号或名称
who-is-it = 它是谁？人设文件，或按 Enter 使用自带的{ $shipped }
no-model-there = 那里没有模型：请先加载一个，或用 `ollama pull qwen3:8b` 获取。
this-is-bot = 这是应用“{ $application }”的机器人 { $bot }。
settings-unreadable = 无法修改 { $file }：{ $why }
settings-unwritable = 无法写入 { $file }：{ $why }
unknown-language = 请填写其中之一：{ $codes }
persona-unusable = 这个人设不能用：请改正上面说的问题，或去掉 --persona。
name-a-model = 有 { $count } 个模型：请用 --model 指定一个。
input-unreadable = 无法读取标准输入
terminal-unreadable = 无法读取终端
nobody-answers = kith setup 会提问，而这里没有人回答：请在终端里启动，或用参数回答并加上 --yes（见 kith setup --help）。
output-redirected = 这里输入的内容不能被看到，因此需要终端：请不要重定向输出，或用 --discord-token-file、--model-key-file 指定文件。
folder-unmakeable = 无法创建文件夹 { $folder }
unwritable = 无法写入 { $file }
not-put-aside = 无法移走 { $file }

# 写进设置文件的话。
comment-head =
    由 `kith setup` 写出。其余的设置、默认值和理由都在 SETTINGS.md 里；
    `kith check` 会说明错误；运行中的 kith 会自己读取改动。
comment-language = 消息和自带人设的语言。
comment-persona = 伙伴是谁。
comment-token = 机器人的令牌放在单独的文件里，这样这个文件可以给别人看。
comment-log-channel = 运行 Kith 的人在这个频道里看每次思考过程。
comment-model = 按服务器的写法。
comment-key = 密钥放在单独的文件里，这样这个文件可以给别人看。
