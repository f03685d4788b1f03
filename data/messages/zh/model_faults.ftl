### 模型为什么没有回答、怎样解决，以及由哪个模型回答。服务器自己说的话放在直双引号里，日志会略去它们。

## 连接

not-taken = 模型服务器 { $host } 在 { $seconds } 秒内没有接受连接：请检查 model.base_url 和网络，或调高 model.connect_seconds。
without-tls = 连不上模型服务器 { $host }（那里不支持 TLS）：请把 https:// 改成 http://，或改正 model.base_url。
behind-proxy = 连不上模型服务器 { $host }（{ $why }）：请检查 model.proxy 里的代理，或改正 model.base_url。
unreachable = 连不上模型服务器 { $host }（{ $why }）：请启动它，或改正 model.base_url。
request-impossible = 无法向 { $host } 发出请求（{ $why }）：请改正 model.base_url、model.api_key 或 model.headers。
connection-broke = 与 { $host } 的连接断了（{ $why }）：请检查服务器或中间的代理。
no-web-address = model.base_url 是 "{ $address }"，这不是网址：请写成 https://api.openai.com/v1 这样。
address-with-query = model.base_url 是 "{ $address }"：请去掉 ? 或 # 及其后面的部分，因为路径会接在它后面。
header-impossible = { $what } 无法放进 HTTP 头发给 { $host }：里面有换行或其他不允许的字符；请重新复制。
no-answer = { $host } 在 { $seconds } 秒内没有回应：请检查服务器，或改正 model.base_url。
redirected = { $host } 把请求转到另一个地址（{ $said }）：请把正确的地址写进 model.base_url。

## 时间

nothing-written = { $host } 上的 { $name } 在 { $seconds } 秒内什么也没写：如果它就是这么慢，请调高 model.first_token_seconds，否则请检查服务器。
fell-silent = { $host } 上的 { $name } 回答到一半停了 { $seconds } 秒：请检查服务器，或调高 model.idle_seconds。
not-done = { $host } 上的 { $name } 过了 { $seconds } 秒还没写完：请调低 model.max_tokens，或调高 model.total_seconds。
left-alone = { $host } 上的 { $name } 最近出过错，{ $seconds } 秒内先不问它。
asked-to-wait = { $host } 上的 { $name } 要求再等 { $seconds } 秒：请稍等，或向服务商提高限额。
tried = { $message }试了 { $tries } 次。

## 拒绝

no-tool-calls = { $host } 上的 { $name } 不支持工具调用（{ $said }）：请把 model.protocol 设为 "xml"。
key-wanted-there = { $host } 需要密钥（{ $said }）：请把正确的密钥和地址一起填写。
key-refused-there = { $host } 不接受这个密钥（{ $said }）：请把正确的密钥和地址一起填写。
key-wanted = { $host } 需要密钥（{ $said }）：请设置 model.api_key_file 或环境变量 { $variable }。
key-refused = { $host } 不接受这个密钥（{ $said }）：请检查 model.api_key、model.api_key_file 或环境变量 { $variable }。
model-not-pulled = { $host } 上的 Ollama 没有模型 { $name }（{ $said }）：请获取它：ollama pull { $name }
model-unknown = { $host } 不认识模型 { $name } 或这个地址（{ $said }）：请检查 model.name，以及 model.base_url 的结尾是否合乎服务器的要求，多半是 /v1。
slow-down-for = { $host } 要求慢一点（{ $said }）：请等 { $seconds } 秒，或向服务商提高限额。
slow-down = { $host } 要求慢一点（{ $said }）：请稍等，或向服务商提高限额。
server-failed = { $host } 出错了（{ $said }）：请检查服务器，或等服务商恢复。
request-refused = { $host } 拒绝了请求（{ $said }）：请把设置里的 [model] 与它允许的对照一下。
account-spent = { $host } 说账户已用完（{ $said }）：请向服务商充值，或换一个模型。
prompt-too-long = 提示词超过了 { $host } 上的 { $name } 能容纳的长度（{ $said }）：请调低 model.context_tokens。
error-object = { $host } 上的 { $name } 以错误 { $said } 结束：请检查服务器，或把设置里的 [model] 与它允许的对照一下。

## 不成回答的回答

web-page = { $host } 返回了一个网页（"{ $text }"）：model.base_url 必须是 API 的地址，多半以 /v1 结尾。
not-json = { $host } 返回的不是 JSON（"{ $text }"）：请检查 model.provider 和 model.base_url。
cut-off = 与 { $host } 的连接在回答结束之前就断了（没有 finish_reason，没有结束标记）：请检查服务器或中间的代理。
endless = { $host } 上的 { $name } 写个不停，在 { $bytes } 字节处被截断：请设置 model.stop，或换一个模型。
empty-answer = { $host } 上的 { $name } 的回答是空的（finish_reason: { $finish }）：请再试一次，或换一个模型。
only-thoughts = { $host } 上的 { $name } 把整个回答都用在思考上：请调高 model.max_tokens，或让它少想一点。
filtered = { $host } 的过滤器中止了回答（finish_reason: { $finish }）：请换一个模型，或向服务商调整过滤器。
filter-refused = { $host } 的过滤器拒绝了提示词（{ $said }）：请换一个模型，或向服务商调整过滤器。
declined = { $host } 上的 { $name } 拒绝回答（"{ $text }"）：请换一个模型，或看看人设。
no-vectors = 向 { $host } 上的 { $name } 要向量，返回的都不能用（{ $why }）：请在 roles.embedding 里指定一个嵌入模型。
stand-in-without-vectors = 替身不能生成向量。
no-vector-list = 里面没有向量列表
vectors-too-many = 向量比文字多
vectors-too-few = 向量比文字少
vector-no-numbers = 其中一个不是数字列表
vectors-uneven = 长度不一致
no-embeddings = { $host } 不像 OpenAI 的 /embeddings 或 Ollama 的 /api/embed 那样提供向量：请在 roles.embedding 里指定另一个模型。
no-summary-model = 没有模型做摘要：请在 roles.summary 里指定一个。
empty-summary = 让 { $name } 做摘要，它什么也没说。
summary-cut = { $name } 的摘要在 { $tokens } 个 token 处断了。
client-stopped = 模型客户端没说原因就停了；请看日志

## 由哪个模型回答

looking-for-model = 正在寻找模型……
model-none = 模型：无。
model-stand-in = 模型：无，由替身回答（会自己说明的演示，不是语言模型）。请在页面的“连接模型”里连接一个，或启动 Ollama，或设置 OPENAI_API_KEY 和 KITH_MODEL。
model-hosted = 模型：{ $host } 上的 { $name }（{ $kind }，上下文 { $tokens } 个 token）
model-ollama = 模型：{ $host } 上的 { $name }（Ollama，以 { $tokens } 个 token 的上下文加载）
model-then = { $line }，其次是 { $host } 上的 { $name }
model-looked-for = 模型：正在 { $place } 寻找；日志会说明由哪个回答。
nobody-offers = 没有人提供模型 { $name }：没有设置服务器，{ $host } 上也没有 Ollama。请设置 model.base_url 或 OPENAI_API_KEY，或启动 Ollama。
no-chat-model = { $host } 上的 Ollama 没有本地聊天模型：请获取一个，例如：ollama pull qwen3:8b
offers-none = { $host } 没有提供模型：请在那里加载一个，或设置 model.name 或 KITH_MODEL。
offers-several = { $host } 提供 { $count } 个模型：请把 model.name 或 KITH_MODEL 设为其中一个（{ $names }）。
offers-many = { $host } 提供 { $count } 个模型：请把 model.name 或 KITH_MODEL 设为其中一个（{ $names }，还有 { $more } 个）。
nothing-configured = 没有设置模型，本机也没有 Ollama：请设置 model.base_url、model.name 和密钥。
no-native-calls = { $host } 上的 { $name } 不支持工具调用，而 model.protocol 是 "native"：请换一个模型，或对所有模型都用 "xml"。
search-failed = 寻找模型时内部出错；请在页面上选择一个。
kith-stopping = kith 正在停止
none-large-enough = 能问的模型都放不下这个提示词：请指定一个上下文更长的。

## 预算

budget-spent = 每日预算已用完。
daily-tokens-spent = 每日预算 { $cap } 个 token 已用完（已用 { $used }，还需 { $needed }）：请等到 UTC 午夜，或调高 budget.daily_tokens。
daily-money-spent = 每日预算 { $cap }（金额）已用完（已用 { $used }，还需 { $needed }）：请等到 UTC 午夜，或调高 budget.daily_cost。
share-mostly-spent = { $whose }快用完了：只回应直接对它说的话。
share-of-tokens-spent = { $whose }（{ $cap } 个 token）已用完（已用 { $used }，还需 { $needed }）：请等到 UTC 午夜。
share-of-money-spent = { $whose }（金额 { $cap }）已用完（已用 { $used }，还需 { $needed }）：请等到 UTC 午夜。
budget-of-channel = 这个频道的每日预算
budget-of-person = 单个人的每日预算
budget-of-turns = 对话的每日预算
budget-of-pictures = 看图片的每日预算
budget-of-tasks = 任务的每日预算
budget-of-summaries = 做摘要的每日预算
budget-of-memories = 整理记忆的每日预算
budget-of-judges = 判断该不该说话的每日预算
budget-of-vectors = 生成向量的每日预算
budget-of-tests = 测试的每日预算
